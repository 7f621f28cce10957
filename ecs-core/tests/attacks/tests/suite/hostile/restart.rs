//! Declarations written by hand whose answers change, and visitors that ask for any system.

use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

use attacks::support::{caught, fail};
use ecs_core::generated::ContiguousBuffer;
use ecs_core::generated::{ResourceSink, SystemVisitor, no_such_system};
use ecs_core::inner_parallelism;
use ecs_core::settings::{Allow, AtomicCounter, Config, Dynamic};
use ecs_core::signature::{ComponentSignature, ResourceSignature, SystemSignature};
use ecs_core::{Data, Entity, Item, System, Threads, World};
use ecs_core::{Declaration, HasComponent, HasResource, SystemName};

use super::counted::{Counted, Living};

/// The behaviour of the declaration at each call, by a number that one test sets.
static DISPATCH: AtomicUsize = AtomicUsize::new(0);
static RESOURCES: AtomicUsize = AtomicUsize::new(0);
static INITIAL: AtomicUsize = AtomicUsize::new(0);

struct Fickle;

impl Declaration for Fickle {
    type Settings = Config<Dynamic<8>, Allow, AtomicCounter>;
    const NAME: &'static str = "Fickle";
    const COMPONENTS: &'static [ComponentSignature] =
        &[ComponentSignature::new::<u64>("Number", 0)];
    const RESOURCES: &'static [ResourceSignature] =
        &[ResourceSignature::new::<Option<Counted>>("Value")];
    const SYSTEMS: &'static [SystemSignature] = &[
        SystemSignature::new::<Self, Plus>("Plus").write(&[0]),
        SystemSignature::new::<Self, Times>("Times").write(&[0]).after(&[0]),
    ];

    fn dispatch<V: SystemVisitor<Self>>(index: usize, visitor: V) -> V::Output {
        match (DISPATCH.load(Relaxed), index) {
            (1, 0) | (0, 1) => visitor.visit::<Times>(),
            (0, 0) | (1, 1) => visitor.visit::<Plus>(),
            (2, _) => fail("dispatch"),
            (3, _) => {
                // The visitor is first used up by a nested call.
                DISPATCH.store(0, Relaxed);
                let result = Self::dispatch(index, visitor);
                DISPATCH.store(3, Relaxed);
                result
            }
            _ => no_such_system(index),
        }
    }

    fn resources(sink: &mut ResourceSink<'_, Self>) {
        match RESOURCES.load(Relaxed) {
            0 => sink.put(None::<Counted>),
            1 => {}
            2 => fail("resources"),
            _ => {
                let living = Living::default();
                sink.put(Some(living.value(1)));
                sink.put(Some(living.value(2)));
                assert_eq!(living.count(), 1);
                sink.put(None::<Counted>);
                assert_eq!(living.count(), 0);
            }
        }
    }
}

impl HasComponent<u64> for Fickle {
    const INDEX: usize = 0;
    type Number = ();
    type Strategy = ContiguousBuffer;
}

impl HasResource<Option<Counted>> for Fickle {
    const INDEX: usize = 0;
}

macro_rules! systems {
    ($($name:ident $index:literal $n:ident $change:expr;)*) => {$(
        struct $name(u64);

        impl SystemName<Fickle> for $name {
            const INDEX: usize = $index;
            type System = Self;
            type Output = ();
            type Parallelism = inner_parallelism::None;
            type Terms = (Entity, &'static mut u64);
            type Entry<'a> = &'a mut u64;
            type CodegenUnit = ecs_core::generated::codegen_unit::U0;

            fn initial() -> Self {
                match INITIAL.fetch_add(0, Relaxed) {
                    0 => Self(0),
                    1 => fail("initial"),
                    n => Self(n as u64),
                }
            }

            fn entry<'a>((_, number): Item<'a, Self::Terms, Fickle>) -> &'a mut u64 {
                number
            }
        }

        impl System<Fickle> for $name {
            fn process(&self, data: &mut Data<'_, Fickle, Self>) {
                data.own.for_entities(|$n| $change);
            }
        }
    )*};
}

systems! {
    Plus 0 n *n += 1;
    Times 1 n *n *= 3;
}

/// A visitor that asks for a system by its index, and returns its name.
struct Ask;

impl SystemVisitor<Fickle> for Ask {
    type Output = &'static str;

    fn visit<N: SystemName<Fickle>>(self) -> &'static str {
        <Fickle as Declaration>::SYSTEMS[N::INDEX].name()
    }
}

#[test]
fn a_declaration_that_changes_its_mind() {
    let set = |dispatch: usize, resources: usize, initial: usize| {
        DISPATCH.store(dispatch, Relaxed);
        RESOURCES.store(resources, Relaxed);
        INITIAL.store(initial, Relaxed);
    };
    let made = || World::<Fickle>::on(Threads::Inline);
    set(0, 0, 0);
    let mut world = made();
    world
        .step(|step| {
            step.spawn((5_u64,));
        })
        .unwrap();
    // Later answers change nothing: the creation of the world fixes which system each node executes.
    for dispatch in 0..5 {
        set(dispatch, 2, 1);
        let mut before = 0;
        for n in world.iter::<&u64>() {
            before = *n;
        }
        world.tick().unwrap();
        for n in world.iter::<&u64>() {
            assert_eq!(*n, (before + 1) * 3);
        }
    }
    for (dispatch, resources, initial, message) in [
        (1, 0, 0, "another system's"),
        (2, 0, 0, "dispatch"),
        (4, 0, 0, "no system has the index"),
        (0, 1, 0, "got no initial value"),
        (0, 2, 0, "resources"),
        (0, 0, 1, "initial"),
    ] {
        set(dispatch, resources, initial);
        let panic = caught(made).unwrap();
        assert!(panic.contains(message), "{panic}");
    }
    set(3, 3, 9);
    let world = made();
    assert_eq!((world.system::<Plus>().0, world.system::<Times>().0), (9, 9));
    assert!(world.resource::<Option<Counted>>().is_none());
    set(0, 0, 0);
    assert_eq!(["Plus", "Times"], [0, 1].map(|index| Fickle::dispatch(index, Ask)));
    assert!(caught(|| Fickle::dispatch(7, Ask)).unwrap().contains("no system has the index 7"));
}
