//! Tables with streams, written by hand, that the macro would have refused.

use ecs_core::settings::{Allow, AtomicCounter, Config, Dynamic};
use ecs_core::signature::{ComponentSignature, ResourceSignature, StagedChanges, SystemSignature};
use ecs_core::{Declaration, HasComponent, SystemName};
use ecs_core::generated::{ResourceSink, SystemVisitor, no_such_system};
use ecs_core::{Data, Entity, Item, Stream, System, World};

struct Life(u32);

macro_rules! worlds {
    ($($W:ident $A:ident $B:ident $C:ident $D:ident: [$a:expr, $b:expr, $c:expr, $d:expr])*) => {$(
        struct $W;

        impl Declaration for $W {
            type Settings = Config<Dynamic<8>, Allow, AtomicCounter>;
            const NAME: &'static str = stringify!($W);
            const COMPONENTS: &'static [ComponentSignature] =
                &[ComponentSignature::new::<Life>("Life", 0)];
            const RESOURCES: &'static [ResourceSignature] = &[];
            const SYSTEMS: &'static [SystemSignature] =
                &[of::<$A, $W>("A", $a), of::<$B, $W>("B", $b), of::<$C, $W>("C", $c), of::<$D, $W>("D", $d)];
            const STAGED_CHANGES: StagedChanges = StagedChanges::RefreshBeforeDependents;

            fn dispatch<V: SystemVisitor<Self>>(index: usize, visitor: V) -> V::Output {
                match index {
                    0 => visitor.visit::<$A>(),
                    1 => visitor.visit::<$B>(),
                    2 => visitor.visit::<$C>(),
                    3 => visitor.visit::<$D>(),
                    _ => no_such_system(index),
                }
            }

            fn resources(_: &mut ResourceSink<'_, Self>) {}
        }

        impl HasComponent<Life> for $W {
            const INDEX: usize = 0;
            type Number = ();
            type Strategy = ecs_core::generated::ContiguousBuffer;
        }

        // Two that send, and two that do not.
        system! { $W $A 0 Stream<u32> }
        system! { $W $B 1 Stream<u32> }
        system! { $W $C 2 () }
        system! { $W $D 3 () }
    )*};
}

macro_rules! system {
    ($W:ident $N:ident $index:literal $output:ty) => {
        struct $N;

        impl SystemName<$W> for $N {
            const INDEX: usize = $index;
            type System = Self;
            type Output = $output;
            type Parallelism = ecs_core::inner_parallelism::None;
            type Terms = (Entity,);
            type Entry<'a> = Item<'a, (Entity,), $W>;
            type CodegenUnit = ecs_core::generated::codegen_unit::U0;

            fn initial() -> Self {
                Self
            }

            fn entry<'a>(terms: Item<'a, (Entity,), $W>) -> Item<'a, (Entity,), $W> {
                terms
            }
        }

        impl System<$W> for $N {
            fn process(&self, _: &mut Data<'_, $W, Self>) {}
        }
    };
}

/// What else a system declares.
#[derive(Clone, Copy)]
struct Keys {
    streams: &'static [usize],
    after: &'static [usize],
    read: &'static [usize],
    unordered: bool,
    despawn: bool,
}

const NONE: Keys = Keys { streams: &[], after: &[], read: &[], unordered: false, despawn: false };

const fn takes(streams: &'static [usize]) -> Keys {
    Keys { streams, ..NONE }
}

const fn after(after: &'static [usize], keys: Keys) -> Keys {
    Keys { after, ..keys }
}

const fn of<N: SystemName<W>, W: Declaration>(name: &'static str, keys: Keys) -> SystemSignature {
    let system = SystemSignature::new::<W, N>(name);
    let system = system.streams(keys.streams).after(keys.after).read(keys.read);
    let system = if keys.despawn { system.despawn() } else { system };
    if keys.unordered { system.unordered() } else { system }
}

const DESPAWNS: Keys = Keys { despawn: true, ..NONE };
const READS_AFTER: Keys = Keys { read: &[0], after: &[3], ..takes(&[0]) };

worlds! {
    Alone A0 B0 C0 D0: [Keys { unordered: true, ..NONE }, NONE, NONE, NONE]
    Silent A1 B1 C1 D1: [NONE, NONE, NONE, takes(&[2])]
    Several A2 B2 C2 D2: [NONE, NONE, takes(&[0, 1]), NONE]
    Shared A3 B3 C3 D3: [NONE, NONE, takes(&[0]), takes(&[0])]
    Row A4 B4 C4 D4: [NONE, takes(&[0]), takes(&[1]), NONE]
    Itself A5 B5 C5 D5: [takes(&[0]), NONE, NONE, NONE]
    Ordered A6 B6 C6 D6: [NONE, NONE, after(&[3], takes(&[0])), after(&[0], NONE)]
    Crossed A7 B7 C7 D7: [after(&[3], NONE), after(&[2], NONE), takes(&[0]), takes(&[1])]
    Apart A8 B8 C8 D8: [NONE, NONE, READS_AFTER, DESPAWNS]
    Good A9 B9 C9 D9: [NONE, NONE, Keys { unordered: true, ..takes(&[0]) }, takes(&[1])]
}

fn main() {
    let _ = World::<Alone>::new();
    let _ = World::<Silent>::new();
    let _ = World::<Several>::new();
    let _ = World::<Shared>::new();
    let _ = World::<Row>::new();
    let _ = World::<Itself>::new();
    let _ = World::<Ordered>::new();
    let _ = World::<Crossed>::new();
    let _ = World::<Apart>::new();
    let _ = World::<Good>::new();
}
