//! Tables written by hand: what the library itself checks of conditions, and lies about them, which are harmless.

use ecs_core::generated::{
    Condition, ResourceSink, ResourceValues, SystemVisitor, Test, no_such_system,
};
use ecs_core::inner_parallelism;
use ecs_core::settings::{Allow, AtomicCounter, Config, Dynamic};
use ecs_core::signature::{ComponentSignature, ResourceSignature, SystemSignature, Tables};
use ecs_core::{
    Data, Declaration, Entity, HasResource, Item, System, SystemName, Threads, World, world,
};

use super::support::caught;

struct Mode(bool);

/// Has the index of the mode, and is another type.
struct Other(u64);

/// Has an index that no resource has.
struct Nowhere(u8);

#[derive(Default)]
struct Ran(u32);

struct Lies;

impl Declaration for Lies {
    type Settings = Config<Dynamic<8>, Allow, AtomicCounter>;
    const NAME: &'static str = "Lies";
    const COMPONENTS: &'static [ComponentSignature] = &[];
    const RESOURCES: &'static [ResourceSignature] = &[ResourceSignature::new::<Mode>("Mode")];
    const SYSTEMS: &'static [SystemSignature] = &[
        SystemSignature::new::<Self, True>("True"),
        // The table does not name the condition, or names one that is not there.
        SystemSignature::new::<Self, Hidden>("Hidden").run_if(&[]),
        SystemSignature::new::<Self, Missing>("Missing").run_if(&[0]),
        SystemSignature::new::<Self, Typed>("Typed"),
        SystemSignature::new::<Self, Outside>("Outside").run_if(&[0]),
        SystemSignature::new::<Self, Own>("Own"),
    ];

    fn dispatch<V: SystemVisitor<Self>>(index: usize, visitor: V) -> V::Output {
        match index {
            0 => visitor.visit::<True>(),
            1 => visitor.visit::<Hidden>(),
            2 => visitor.visit::<Missing>(),
            3 => visitor.visit::<Typed>(),
            4 => visitor.visit::<Outside>(),
            5 => visitor.visit::<Own>(),
            _ => no_such_system(index),
        }
    }

    fn resources(sink: &mut ResourceSink<'_, Self>) {
        sink.put(Mode(false));
    }
}

impl HasResource<Mode> for Lies {
    const INDEX: usize = 0;
}

impl HasResource<Other> for Lies {
    const INDEX: usize = 0;
}

impl HasResource<Nowhere> for Lies {
    const INDEX: usize = 7;
}

/// A condition that is no function.
#[derive(Clone, Copy)]
struct Never;

impl Test<Lies, ()> for Never {
    const READS: &'static [usize] = &[0];

    fn test(&self, _: &ResourceValues<'_>) -> bool {
        false
    }
}

/// A system of the table.
macro_rules! named {
    ($name:ident $index:literal, $condition:expr) => {
        #[derive(Default)]
        struct $name(Ran);

        impl SystemName<Lies> for $name {
            const INDEX: usize = $index;
            type System = Self;
            type Output = ();
            type Parallelism = inner_parallelism::None;
            type Terms = Entity;
            type Entry<'a> = Item<'a, Entity, Lies>;
            type CodegenUnit = ecs_core::generated::codegen_unit::U0;
            const CONDITION: Option<Condition<Lies>> = $condition;

            fn initial() -> Self {
                Self::default()
            }

            fn entry<'a>(entity: Item<'a, Entity, Lies>) -> Item<'a, Entity, Lies> {
                entity
            }
        }

        impl System<Lies> for $name {
            fn process(&self, _: &mut Data<'_, Lies, Self>) {}

            fn execute(&mut self, _: &mut ecs_core::Executor<'_, Lies, Self>) {
                self.0.0 += 1;
            }
        }
    };
}

named!(True 0, Some(Condition::of::<Self, _, _>(|mode: &Mode| mode.0)));
named!(Hidden 1, Some(Condition::of::<Self, _, _>(|mode: &Mode| mode.0)));
named!(Missing 2, None);
named!(Typed 3, Some(Condition::of::<Self, _, _>(|other: &Other| other.0 > 0)));
named!(Outside 4, Some(Condition::of::<Self, _, _>(|nowhere: &Nowhere| nowhere.0 > 0)));
named!(Own 5, Some(Condition::of::<Self, _, _>(Never)));

#[test]
fn a_lie_about_a_condition_is_a_panic_or_no_more_than_a_lie() {
    let mut world = World::<Lies>::on(Threads::Inline);
    let error = caught(|| world.step(|step| step.execute_only::<(Typed,)>()));
    assert!(error.contains("gives an index to two types"), "{error}");
    let error = caught(|| world.step(|step| step.execute_only::<(Outside,)>()));
    assert!(error.contains("out of bounds"), "{error}");
    for mode in [false, true] {
        world.resource_mut::<Mode>().0 = mode;
        world.step(|step| step.execute_only::<(True, Hidden, Missing, Own)>()).unwrap();
    }
    let ran = [world.system::<True>().0.0, world.system::<Hidden>().0.0];
    assert_eq!(ran, [1, 1], "it is asked, since the table has conditions");
    assert_eq!([world.system::<Missing>().0.0, world.system::<Own>().0.0], [2, 0]);
    let others = [world.system::<Typed>().0.0, world.system::<Outside>().0.0];
    assert_eq!(others, [0, 0]);
}

world! {
    world Chain;
    resource Ran;
    system A { run: |_| {} }
    system B { dependencies: [A], run: |_| {} }
    system C { dependencies: [B], run: |_| {} }
    system Apart { run: |_| {} }
}

/// What the library says of this chain, in which `change` is applied to each system.
fn checked(change: impl Fn(&str, SystemSignature) -> SystemSignature) -> String {
    let systems: Vec<SystemSignature> =
        Chain::SYSTEMS.iter().map(|system| change(system.name(), *system)).collect();
    caught(|| Tables { systems: &systems, ..Tables::of::<Chain>() }.check())
}

#[test]
fn the_library_refuses_a_condition_on_what_an_earlier_system_of_the_phase_writes() {
    let asks = |system: SystemSignature| system.run_if(&[0]);
    let writes = |system: SystemSignature| system.write_resources(&[0]);
    let found = checked(|name, system| match name {
        "A" => writes(system),
        "C" => asks(system),
        _ => system,
    });
    assert!(found.starts_with(
        "[ECS0131] the condition of the system `C` reads the resource `Ran`, which `A` writes"
    ));
    let found = checked(|name, system| match name {
        "B" => system.add(&[0]),
        "C" => asks(system),
        _ => system,
    });
    assert!(found.starts_with("[ECS0131]"), "{found}");
    // Later, unordered and itself.
    let found = checked(|name, system| match name {
        "A" | "Apart" => asks(system),
        "B" => asks(writes(system)),
        _ => system,
    });
    assert_eq!(found, "no panic");
    // In another phase.
    for sequential in ["A", "B", "C"] {
        let found = checked(|name, system| {
            let system = if name == sequential { system.sequential() } else { system };
            match name {
                "A" => writes(system),
                "C" => asks(system),
                _ => system,
            }
        });
        assert_eq!(found, "no panic", "{sequential}");
    }
    let found = checked(|name, system| if name == "A" { system.run_if(&[1]) } else { system });
    assert_eq!(found, "[ECS0070] a resource's index is out of range");
}
