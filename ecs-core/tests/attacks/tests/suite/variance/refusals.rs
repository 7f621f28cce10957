//! Programs that must not compile, because they would move a proxy out of its world, duplicate exclusive access, or
//! implement a trait that the library trusts.

/// A program that is refused.
pub(super) struct Refusal {
    pub(super) name: &'static str,
    /// The harm that it would do.
    pub(super) why: &'static str,
    pub(super) source: &'static str,
    /// The code or the message that one of its errors must have; empty if it must compile.
    pub(super) error: &'static str,
}

/// The message of an error without a code.
const LIFETIME: &str = "lifetime may not live long enough";

/// All programs.
pub(super) fn all() -> impl Iterator<Item = &'static Refusal> {
    REFUSALS.iter()
}

/// Declares the table.
macro_rules! refusals {
    ($($name:ident, $why:literal, $error:expr, $source:literal;)*) => {
        static REFUSALS: &[Refusal] = &[$(Refusal {
            name: stringify!($name),
            why: $why,
            source: $source,
            error: $error,
        }),*];
    };
}

refusals! {
    // Programs that compile show that the others fail for the given reason, and not for one that all share.
    control_queries, "two owned queries are swapped, which is harmless", "",
    "fn f<'a>(mut a: Query<'a, Nest, Edit, &'static Text>, mut b: Query<'a, Nest, Edit, &'static Text>) { swap(&mut a, &mut b) }";
    control_nows, "two owned `Now`s are swapped, which is harmless", "",
    "fn f(a: Now<'_, Nest, Act>, b: Now<'_, Nest, Act>) { let (mut a, mut b) = (a, b); swap(&mut a, &mut b); swap(&mut *a, &mut *b); a.despawn(b.spawn_none()); }
    trait Extra { fn spawn_none(&self) -> Entity; }
    impl Extra for Now<'_, Nest, Act> { fn spawn_none(&self) -> Entity { panic!() } }";
    control_roll, "two `Now`s of rolls are swapped in the turn of both", "",
    "fn f(a: &mut Data<'_, Nest, Act>, b: &mut Data<'_, Nest, Act>) {
        a.roll(|m| { let mut one = Some(m.now()); b.roll(|m| { let mut two = m.now(); if let Some(mut one) = one.take() { swap(&mut one, &mut two) } }) });
    }";

    swap_data, "own entities of one world, effects of another", LIFETIME,
    "fn f(a: &mut Data<'_, Nest, Edit>, b: &mut Data<'_, Nest, Edit>) { swap(a, b) }";
    swap_own, "the own entities of one world in the proxy of another", LIFETIME,
    "fn f(a: &mut Data<'_, Nest, Edit>, b: &mut Data<'_, Nest, Edit>) { swap(&mut a.own, &mut b.own) }";
    swap_effects, "the effects of one world in the proxy of another", LIFETIME,
    "fn f(a: &mut Data<'_, Nest, Edit>, b: &mut Data<'_, Nest, Edit>) { swap(&mut a.effects, &mut b.effects) }";
    swap_resources, "the resources of one world in the proxy of another", LIFETIME,
    "fn f(a: &mut Data<'_, Nest, Edit>, b: &mut Data<'_, Nest, Edit>) { swap(&mut a.resources, &mut b.resources) }";
    move_own, "the own entities in two places", "E0507",
    "fn f<'w>(a: &mut Data<'w, Nest, Edit>) -> ecs_core::Own<'w, Nest, Edit> { a.own }";
    make_data, "a proxy of parts of two worlds", "E0639",
    "fn f<'w>(own: ecs_core::Own<'w, Nest, Edit>, resources: ecs_core::Resources<'w, Nest, Edit>, effects: ecs_core::Effects<'w, Nest, Edit>) -> Data<'w, Nest, Edit> { Data { own, resources, effects } }";
    two_iterators, "two references to one component", "E0499",
    "fn f(a: &mut Data<'_, Nest, Edit>) { let one = a.own.iter(); let two = a.own.iter(); one.zip(two).for_each(drop) }";
    keep_own_entry, "a component after its subtask", "E0621",
    "fn f<'w>(a: &mut Data<'w, Nest, Edit>) -> Option<EditEntry<'w>> { a.own.iter().next() }";
    swap_effects_of_data_and_now, "the own entities of one world, the effects of another", LIFETIME,
    "fn f(a: &mut Data<'_, Nest, Act>, mut b: Now<'_, Nest, Act>) { swap(&mut a.effects, &mut *b) }";
    swap_executor, "subtasks of one world on the states of another", LIFETIME,
    "fn f(a: &mut Executor<'_, Nest, Edit>, b: &mut Executor<'_, Nest, Edit>) { swap(a, b) }";
    swap_resources_of_executors, "the resources of one world around the subtasks of another", LIFETIME,
    "fn f(a: &mut Executor<'_, Nest, Edit>, b: &mut Executor<'_, Nest, Edit>) { swap(&mut a.resources, &mut b.resources) }";
    keep_resource_of_executor, "a written resource while subtasks write it", "E0502",
    "fn f(a: &mut Executor<'_, Nest, Edit>) { let kept = &mut a.resources; let _ = a.entity_count(); drop(kept) }";
    swap_executor_of_instance, "the state of one system, the subtasks of another", LIFETIME,
    "fn f(a: &mut SystemInstance<'_, '_, Nest, Edit>, b: &mut SystemInstance<'_, '_, Nest, Edit>) { swap(a.split().1, b.split().1) }";
    swap_instance, "the same", LIFETIME,
    "fn f(a: &mut SystemInstance<'_, '_, Nest, Edit>, b: &mut SystemInstance<'_, '_, Nest, Edit>) { swap(a, b) }";
    swap_step, "the schedule of one world, the storage of another", LIFETIME,
    "fn f<S: Settings>(a: &mut Step<'_, Nest, S>, b: &mut Step<'_, Nest, S>) { swap(a, b) }";
    swap_defer_of_step, "the same", LIFETIME,
    "fn f<S: Settings>(a: &mut Step<'_, Nest, S>, b: &mut Step<'_, Nest, S>) { swap(&mut **a, &mut **b) }";
    swap_defer, "a refresh that goes on with another world", LIFETIME,
    "fn f(a: &mut Defer<'_, Nest>, b: &mut Defer<'_, Nest>) { swap(a, b) }";
    swap_event, "the row of one world in another", LIFETIME,
    "fn f(a: &mut Event<'_, Nest, Edit>, b: &mut Event<'_, Nest, Edit>) { swap(a, b) }";
    swap_sink, "the row of one world in another", LIFETIME,
    "fn f(a: &mut BundleSink<'_, Nest>, b: &mut BundleSink<'_, Nest>) { swap(a, b) }";
    an_execution_of_another_world, "an execution that was validated for another world", "E0308",
    "fn f(world: &mut World<Nest>, other: Execution<Other>) { let _ = world.step(|step| step.execute_with(|_| other)); }
    ecs_core::world! { world Other; }";
    swap_the_now_that_rolls, "a roll that goes on in another world", "E0521",
    "fn f(a: &mut Data<'_, Nest, Act>, mut b: Now<'_, Nest, Act>) { a.roll(|m| swap(&mut m.now(), &mut b)) }";
    keep_a_match, "a match after its turn, when it need not be one", "E0521",
    "fn f(a: &mut Data<'_, Nest, Act>) { let mut kept = Vec::new(); a.roll(|m| kept.push(m)) }";
    keep_an_entry, "a component of an entity that was despawned", "E0505",
    "fn f(a: &mut Data<'_, Nest, Act>) { a.roll(|mut m| { let text = m.get::<&mut Text>(); m.now().despawn(m_entity()); text.0.clear() }) }
    fn m_entity() -> Entity { panic!() }";
    two_nows, "two rights to everything", "E0499",
    "fn f(a: &mut Data<'_, Nest, Act>) { let one = a.now(); let two = a.now(); drop((one, two)) }";
    now_and_roll, "a roll while another one changes which entity has what", "E0499",
    "fn f(a: &mut Data<'_, Nest, Act>) { let mut now = a.now(); a.roll(|_| {}); now.despawn(entity()) }
    fn entity() -> Entity { panic!() }";
    component_over_a_change, "a component of an entity that was despawned", "E0499",
    "fn f(mut now: Now<'_, Nest, Act>, e: Entity) { let text = now.get_mut::<&mut Text>(e); now.despawn(e); drop(text) }";
    any_over_a_change, "a component that was replaced", "E0502",
    "fn f(mut now: Now<'_, Nest, Act>, e: Entity) { let any = now.read_any::<Tag>(); now.insert(e, Tag(String::new())); any.get(e); }";
    two_queries, "two references to one component", "E0499",
    "fn f(a: &mut Data<'_, Nest, Edit>) { let one = a.own.query::<&mut Text>(); let two = a.own.query::<&mut Text>(); drop((one, two)) }";
    two_of_any_mut, "two references to one component", "E0499",
    "fn f(a: &mut Data<'_, Nest, Whole>, e: Entity) { let mut r = a.own.any_mut::<&mut Text>(); let one = r.get_mut(e); let two = r.get_mut(e); drop((one, two)) }";
    two_resources, "two references to one resource", "E0499",
    "fn f(a: &mut Data<'_, Nest, Edit>) { let one = a.resources.get_mut::<Log>(); let two = a.resources.get_mut::<Log>(); drop((one, two)) }";
    two_outputs, "two references to one output", "E0499",
    "fn f(a: &mut Data<'_, Nest, Edit>) { let one = a.effects.output(); let two = a.effects.output(); drop((one, two)) }";
    two_senders, "two ends of one stream", "E0499",
    "fn f(a: &mut Data<'_, Nest, Send>) { let one = a.effects.stream(); let two = a.effects.stream(); drop((one, two)) }";
    outputs_out_of_a_step, "outputs of an execution that is over", LIFETIME,
    "fn f(world: &mut World<Nest>) { let _ = world.step(|step| step.outputs_of::<Edit>()); }";
    a_step_out_of_a_step, "a step that is over", LIFETIME,
    "fn f(world: &mut World<Nest>) { let _ = world.step(|step| step); }";
    spawned_over_a_change, "handles of a world that has changed", "E0499",
    "fn f(world: &mut World<Nest>) { let _ = world.step(|step| { let all = step.spawn_batch([(Tag(String::new()),)]); let _ = step.spawn(()); drop(all) }); }";
    a_step_in_a_step, "two steps of one world", "E0500|E0501",
    "fn f(world: &mut World<Nest>) { let _ = world.step(|_| { let _ = world.step(|_| {}); }); }";
    data_out_of_a_body, "a proxy of an execution that is over", "E0521",
    "fn f(world: &mut World<Nest>) { let kept = std::sync::Mutex::new(None); let _ = world.step(|step| step.execute_with(|systems| systems.for_subtasks::<Edit>(|_, data| *kept.lock().unwrap() = Some(data)))); }";
    defer_a_borrow, "a deferred function with a proxy of the execution", "E0521",
    "fn f(a: &mut Data<'_, Late, Put>, all: &mut Vec<u8>) { a.effects.defer(move |_| all.clear()) }
    ecs_core::world! { world Late {} system Put { defer } }
    #[derive(Default)] struct Put;
    impl ecs_core::System<Late> for Put { fn process(&self, _: &mut Data<'_, Late, Self>) {} }";

    copy_a_value, "a value in two places", "E0308",
    "fn f<C: Component>(value: &Value<C>) -> Value<C> { value.clone() }";
    make_a_value, "a value that no column knows", "E0624",
    "fn f<C: Component>(component: C) -> Value<C> { Value::new(0, 0, component) }";
    look_into_a_value, "the component in a `Value`", "E0616",
    "fn f<C: Component>(value: Value<C>) -> C { value.component.into_inner() }";

    subtype_of_a_query, "a query that was validated for another component", "mismatched types",
    "fn f<'a>(query: Query<'a, Nest, Edit, &'static Sub>) -> Query<'a, Nest, Edit, &'static Sup> { query }";
    subtype_of_a_world, "a world that was validated for another declaration", "mismatched types",
    "fn f(world: Box<World<W<Sub>>>) -> Box<World<W<Sup>>> { world }";

    implement_locate, "a row that is none", "E0277",
    "#[derive(Clone, Copy)] struct Mine; impl ecs_core::Locate for Mine {}";
    implement_terms, "a query that hands out anything", "E0200|E0046",
    "struct Mine; impl QueryTerms<Nest> for Mine {}";
    implement_handlers, "functions of events that are called with others", "E0616",
    "struct Mine; impl ecs_core::events::Handlers<Nest> for Mine {
        fn want(&self, _: ecs_core::events::Kind, _: usize) -> bool { true }
        fn handle(&mut self, _: &mut ecs_core::events::Happened<'_, Nest>) {}
    }
    fn f(mut events: ecs_core::events::Events<Nest, Mine>) { events.handlers = Mine }";
    implement_overrides, "code that is called with a system that it is not for", "E0603",
    "struct Mine; impl ecs_core::overrides::Overrides<Nest> for Mine { const SYSTEMS: ecs_core::signature::IndexSet = ecs_core::signature::IndexSet::EMPTY; fn run(&self, _: ecs_core::proxy::step::call::Call<'_, Nest>) -> bool { true } }";
    implement_the_end_of_a_stream, "an output that the library takes for a stream", "E0121",
    "#[derive(Default)] struct Mine; impl ecs_core::Output for Mine { const STREAM_END: _ = <ecs_core::Stream<u8> as ecs_core::Output>::STREAM_END; }";
    implement_blocks, "a bundle that is taken for one whose values are written unseen", "E0326",
    "struct Mine; impl ecs_core::Bundle<Nest> for Mine { const FACTS: bool = true; fn put(self, _: &mut BundleSink<'_, Nest>) {} }";
    implement_components, "a bundle that is taken for another kind", "E0616",
    "fn f() -> bool { <() as ecs_core::Bundle<Nest>>::FACTS.by_blocks }";
    implement_streaming, "an output whose stream is another one each time", "E0277",
    "#[derive(Default)] struct Mine; impl ecs_core::Output for Mine {} impl ecs_core::Streaming for Mine { type Item = u8; }";
    implement_has_index, "groups of members that are none", "E0046",
    "struct Mine; impl ecs_core::joins::HasIndex for Mine { type Key = u8; type Index = ecs_core::generated::Custom<ByKey<()>>; }";
    implement_targets, "systems that are called with code for others", "E0046",
    "struct Mine; impl<P, B> ecs_core::overrides::Targets<Nest, P, B> for Mine {}";
    implement_stored, "values that lie anywhere", "E0200|E0046",
    "struct Mine; impl ecs_core::generated::Stored<u8> for Mine {}";
    implement_stages, "components that threads cannot share", "E0046|E0119",
    "struct Mine(*const u8); impl ecs_core::generated::Stages<Mine> for ecs_core::generated::ContiguousBuffer { type Staged = (); fn stage(_: Mine) {} fn staged(_: ()) -> Mine { Mine(core::ptr::null()) } }";
    implement_runs, "slices of anything", "E0200|E0046|E0277",
    "struct Mine; impl ecs_core::RunTerms<Nest> for Mine {}";
}
