//! Descriptions agree with the declaration, and their diagrams are well-formed.

use std::any::type_name;

use ecs_core::description::{
    Description, Edge, EdgeKind, Flag, List, Spawns, Storage, SystemDescription,
};
use ecs_core::storage::HashMapStorage;
use ecs_core::{Data, Stream, System, world};

/// Declares each named system of the world, without a body.
macro_rules! systems {
    ($world:ident: $($name:ident)*) => {$(
        #[derive(Default)]
        struct $name;

        impl System<$world> for $name {
            fn process(&self, _: &mut Data<'_, $world, Self>) {}
        }
    )*};
}

struct Life {
    _years: u32,
}
struct Age {
    _seconds: u64,
}
struct Color {
    _shade: u8,
}
struct Weed;
struct Name {
    _number: u16,
}
#[derive(Default)]
struct Light {
    _lux: u16,
}

world! {
    world Garden { staged_changes: refresh_before_dependents }
    component Life: contiguous_buffer;
    component (Age, Color): contiguous_buffer;
    component Weed: empty;
    component Name: hash_map;
    resource Light;
    system Grow {
        parallelism: split_evenly(cores),
        write: [Life],
        read_optional: [Age],
        read_resources: [Light],
        spawn: [(Life, Color)],
        despawn,
        before: [Shine],
    }
    system Shine { write_resources: [Light] }
    system Rot { without: [Life], with: [Color], insert: [Age], remove: [Color], output: Vec<Color> }
    system Draw { read: [Color], inputs: [Rot, Grow], dependencies: [Shine], exclusive }
}
systems! { Garden: Grow Shine Rot Draw }

world! { world Empty; }

fn pairs<'a>(edges: impl IntoIterator<Item = &'a Edge>) -> Vec<(usize, usize, EdgeKind)> {
    edges.into_iter().map(|edge| (edge.from(), edge.to(), edge.kind())).collect()
}

#[test]
fn systems_are_as_declared() {
    let garden = Description::of::<Garden>();
    let [grow, shine, rot, draw] = garden.systems() else { panic!("there are four systems") };
    assert_eq!(
        (grow.list(List::Write), grow.list(List::ReadOptional)),
        (&["Life"][..], &["Age"][..])
    );
    assert_eq!(grow.list(List::ReadResources), ["Light"]);
    assert_eq!(grow.spawns(), &Spawns::Bundles(vec![vec!["Life", "Color"]]));
    assert!(
        grow.has(Flag::Despawn)
            && !grow.has(Flag::Defer)
            && !grow.is_single_subtask()
            && grow.has_entities()
    );
    assert_eq!((grow.parallelism(), grow.output()), ("SplitEvenlyCores", None));
    assert_eq!(shine.list(List::WriteResources), ["Light"]);
    assert!(!shine.has_entities() && shine.is_single_subtask());
    assert_eq!((rot.influence(), draw.influence()), (&["Age", "Color"][..], &[][..]));
    assert_eq!((rot.list(List::With), rot.list(List::Without)), (&["Color"][..], &["Life"][..]));
    assert_eq!((rot.list(List::Insert), rot.list(List::Remove)), (&["Age"][..], &["Color"][..]));
    assert_eq!((rot.output(), rot.spawns()), (Some("Vec<Color>"), &Spawns::Nothing));
    assert!(
        draw.has(Flag::Exclusive) && draw.is_single_subtask() && !draw.has(Flag::SliceDependent)
    );
    assert_eq!(garden.system("Draw"), Some(draw));
    assert_eq!(garden.system("Sow"), None);
}

#[test]
fn components_and_resources_are_as_declared() {
    let garden = Description::of::<Garden>();
    let of = |c: &ecs_core::description::ComponentDescription| {
        (c.name(), c.size(), c.align(), c.storage())
    };
    let components: Vec<_> = garden.components().iter().map(of).collect();
    let age = align_of::<u64>();
    assert_eq!(
        components,
        [
            ("Life", 4, 4, Storage::Column),
            ("Age", 8, age, Storage::Interleaved(1)),
            ("Color", 1, 1, Storage::Interleaved(1)),
            ("Weed", 0, 1, Storage::Empty),
            ("Name", 2, 2, Storage::Strategy(type_name::<HashMapStorage<Name>>())),
        ]
    );
    let light = &garden.resources()[0];
    assert_eq!((light.name(), light.size(), light.align()), ("Light", 2, 2));
}

#[test]
fn edges_levels_and_phases_follow_from_the_keys() {
    let garden = Description::of::<Garden>();
    let all = [
        (0, 1, EdgeKind::Before),
        (0, 3, EdgeKind::Input),
        (1, 3, EdgeKind::Dependency),
        (2, 3, EdgeKind::Input),
    ];
    assert_eq!(pairs(garden.edges()), all);
    assert_eq!(pairs(garden.reduced_edges()), [all[0], all[2], all[3]]);
    let levels: Vec<_> = garden.systems().iter().map(|s| (s.level(), s.phase())).collect();
    assert_eq!(levels, [(0, 0), (1, 0), (0, 0), (2, 1)]);
    assert_eq!((garden.level_count(), garden.phase_count()), (3, 2));
}

world! {
    world Mill {}
    resource Light;
    system Fill;
    system Open { write_resources: [Light] }
    system Grind { dependencies: [Fill], output: Stream<u8> }
    system Pack { streams: [Grind], unordered, read_resources: [Light], dependencies: [Open] }
    system Count { dependencies: [Pack] }
    system Sweep { dependencies: [Grind] }
}
systems! { Mill: Fill Open Grind Pack Count Sweep }

#[test]
fn the_ends_of_a_stream_count_together() {
    let mill = Description::of::<Mill>();
    let all = [
        (0, 2, EdgeKind::Dependency),
        (1, 3, EdgeKind::Dependency),
        (2, 3, EdgeKind::Stream),
        (3, 4, EdgeKind::Dependency),
        (2, 5, EdgeKind::Dependency),
    ];
    assert_eq!(pairs(mill.edges()), all);
    let levels: Vec<_> = mill.systems().iter().map(SystemDescription::level).collect();
    assert_eq!(levels, [0, 0, 1, 2, 3, 2]);
    assert!(mill.systems()[3].has(Flag::Unordered) && !mill.systems()[2].has(Flag::Unordered));
    // Open, then Grind and Pack concurrently, then Count.
    let path = mill.critical_path_by(|system| [10, 20, 100, 300, 1, 2][system]);
    assert_eq!((path.length(), path.work()), (20 + 300 + 2, 433));
    assert_eq!(path.systems(), [1, 2, 5]);
    assert!(mill.to_dot().contains("s2 -> s3 [label=\"stream\"]"));
}

#[test]
fn a_critical_path_goes_through_every_phase() {
    let garden = Description::of::<Garden>();
    let longest = garden.critical_path();
    assert_eq!((longest.systems(), longest.length(), longest.work()), (&[0, 1, 3][..], 3, 4));
    let measured = garden.critical_path_by(|system| [2, 3, 9, 1][system]);
    assert_eq!((measured.systems(), measured.length(), measured.work()), (&[2, 3][..], 10, 15));
    let endless = garden.critical_path_by(|_| u64::MAX);
    assert_eq!((endless.length(), endless.work()), (u64::MAX, u64::MAX));
}

#[test]
fn a_world_without_systems_has_a_description_too() {
    let empty = Description::of::<Empty>();
    let path = empty.critical_path();
    assert_eq!((path.systems(), path.length(), empty.level_count()), (&[][..], 0, 0));
    assert_well_formed(&empty);
    assert_eq!(empty.to_mermaid(), "flowchart TD\n");
}

/// Panics unless the Graphviz diagram is one graph in which each line is a statement with balanced brackets
/// and quotes, and which has exactly the nodes and edges of the description.
fn assert_well_formed(description: &Description) {
    let dot = description.to_dot();
    let (mut open, mut nodes, mut edges) = (Vec::new(), 0, Vec::new());
    for line in dot.lines().map(str::trim) {
        let mut quoted = false;
        let mut characters = line.chars();
        while let Some(character) = characters.next() {
            match character {
                '\\' if quoted => drop(characters.next().expect("something is escaped")),
                '"' => quoted = !quoted,
                '{' | '[' if !quoted => open.push(character),
                '}' if !quoted => assert_eq!(open.pop(), Some('{'), "{line}"),
                ']' if !quoted => assert_eq!(open.pop(), Some('['), "{line}"),
                _ => {}
            }
        }
        assert!(!quoted, "{line}");
        assert!(line.ends_with(['{', '}', ';']), "{line}");
        let number = |word: &str| word.strip_prefix('s').and_then(|n| n.parse::<usize>().ok());
        let words: Vec<&str> = line.split_whitespace().collect();
        match words[..] {
            [from, "->", to, ..] => edges.push((number(from).unwrap(), number(to).unwrap())),
            [node, ..] if number(node).is_some() => nodes += 1,
            _ => {}
        }
    }
    assert!(open.is_empty(), "{dot}");
    assert_eq!(nodes, description.systems().len());
    let declared: Vec<_> = description.edges().iter().map(|e| (e.from(), e.to())).collect();
    assert_eq!(edges, declared);
}

#[test]
fn pictures_are_well_formed_and_the_same_each_time() {
    let garden = Description::of::<Garden>();
    assert_well_formed(&garden);
    assert_eq!(garden, Description::of::<Garden>());
    assert_eq!(garden.to_dot(), Description::of::<Garden>().to_dot());
    for kind in ["-->|before|", "-->|dependency|", "-->|input|", "-.->|input|"] {
        assert!(garden.to_mermaid().contains(kind), "{kind}");
    }
}

#[test]
fn the_garden_in_each_form() {
    let garden = Description::of::<Garden>();
    insta::assert_snapshot!("garden_table", garden);
    insta::assert_snapshot!("garden_dot", garden.to_dot());
    insta::assert_snapshot!("garden_mermaid", garden.to_mermaid());
}
