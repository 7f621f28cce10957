//! Queries of sets: declared in a set, used by the set and by the world.

mod objects {
    use ecs_core::joins::Index;
    use ecs_core::{Data, System, set};

    #[derive(Clone)]
    pub(super) struct Owner(pub(super) u32);
    pub(super) struct Weight(pub(super) u64);
    pub(super) struct Load(pub(super) u64);

    set! {
        pub(super) set Cargo;
        component Owner: contiguous_buffer;
        component Weight: contiguous_buffer;
        component Load: contiguous_buffer;
        /// Objects that can be carried.
        query Goods { read: [Owner, Weight], without: [Load], index: ByOwner }
        query Carriers { with: [Load] }
        system Carry { read: [Owner], write: [Load], queries: [Goods] }
    }

    #[derive(Default)]
    pub(super) struct ByOwner;

    impl Index for ByOwner {
        type Entry<'a> = GoodsEntry<'a>;
        type Key = u32;

        fn key(&self, e: GoodsEntry<'_>) -> u32 {
            e.owner.0
        }
    }

    #[derive(Default)]
    pub(super) struct Carry;

    impl<D: CargoWorld> System<D> for Carry {
        fn process(&self, data: &mut Data<'_, D, Self>) {
            let Data { own, effects, .. } = data;
            let goods = effects.lookup::<Goods, &Weight>();
            own.for_entities(|e| e.load.0 = goods.at(e.owner.0).map(|weight| weight.0).sum());
        }
    }
}

use ecs_core::description::{Description, EdgeKind, List};
use ecs_core::{Data, Entity, System, World, world};
use objects::{Carriers, Goods, Load, Owner, Weight};

world! {
    world Port;
    include objects::Cargo;
    system Count { queries: [Carriers, Goods], output: Vec<usize> }
}

#[derive(Default)]
struct Count;

impl System<Port> for Count {
    fn process(&self, data: &mut Data<'_, Port, Self>) {
        let carriers = data.effects.members::<Carriers, Entity>().len();
        let goods = data.effects.members::<Goods, (&Owner, &Weight)>().len();
        data.effects.output().extend([carriers, goods]);
    }
}

#[test]
fn queries_come_with_a_set() {
    let mut world = World::<Port>::new();
    let (carrier, counts) = world
        .step(|step| {
            let carrier = step.spawn((Owner(2), Load(0), Weight(1000)));
            for n in 0..10 {
                step.spawn((Owner(n % 3), Weight(n.into())));
            }
            carrier
        })
        .and_then(|carrier| {
            world.step(|step| {
                step.execute_systems();
                let counts = step.outputs_of::<Count>().flatten().copied().collect::<Vec<_>>();
                (carrier, counts)
            })
        })
        .unwrap();
    assert_eq!(counts, [1, 10]);
    assert_eq!(world.get::<Load>(carrier).unwrap().0, 2 + 5 + 8);
}

#[test]
fn descriptions_show_queries_as_such() {
    let port = Description::of::<Port>();
    let system = |name: &str| port.systems().iter().find(|s| s.name() == name).unwrap();
    let (goods, carriers, count) = (system("Goods"), system("Carriers"), system("Count"));
    assert!(goods.is_query() && goods.is_indexed());
    assert!(carriers.is_query() && !carriers.is_indexed());
    assert!(!count.is_query() && count.list(List::Queries) == ["Carriers", "Goods"]);
    let edges = port.edges().iter().filter(|edge| edge.kind() == EdgeKind::Query);
    let edges: Vec<_> = edges.map(|edge| (edge.from(), edge.to())).collect();
    let carry = system("Carry");
    for (from, to) in [(goods, carry), (carriers, count), (goods, count)] {
        assert!(edges.contains(&(from.index(), to.index())), "{} -> {}", from.name(), to.name());
    }
    assert_eq!(edges.len(), 3);
    let text = port.to_string();
    assert!(text.contains("query with an index; read Owner, Weight; without Load"), "{text}");
    assert!(text.contains("queries Carriers, Goods"), "{text}");
}
