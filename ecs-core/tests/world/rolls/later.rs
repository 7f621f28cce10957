//! What later systems see of a sequential one in the same execution, for each value of `staged_changes`.

use ecs_core::signature::Phases;
use ecs_core::{Data, Entity, System, World, world};

use crate::support::every_kind;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Number(pub(crate) u64);
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Mark(pub(crate) u64);
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Tag;

/// Acts on residue classes of numbers modulo 5: despawns one class, removes the mark of one, inserts a mark
/// and a tag in one. Spawns an entity for every hundredth number.
#[derive(Default)]
pub(crate) struct Act;

/// Logs the entities that it is subscribed to, and their marks.
#[derive(Default)]
pub(crate) struct Note;

pub(crate) type Seen = Vec<(u64, Option<u64>)>;

macro_rules! worlds {
    ($($module:ident $rule:ident { $($effects:tt)* } { $($without:tt)* })*) => {$(
        mod $module {
            use super::*;

            world! {
                pub(crate) world W { entity_limit: dynamic(16), staged_changes: $rule }
                component Number: contiguous_buffer;
                component Mark: contiguous_buffer;
                component Tag: contiguous_buffer;

                system Before: Note { read: [Number], read_optional: [Mark], output: Seen }
                system Act {
                    sequential,
                    dependencies: [Before],
                    read: [Number],
                    despawn,
                    remove: [Mark],
                    $($effects)*
                }
                system Everything: Note {
                    dependencies: [Act],
                    parallelism: split_every(64),
                    read: [Number],
                    read_optional: [Mark],
                    output: Seen,
                }
                system Marked: Note {
                    dependencies: [Act],
                    read: [Number, Mark],
                    output: Seen,
                }
                $($without)*
            }
        }
    )*};
}

worlds! {
    after_step after_step
        { insert: [Mark, Tag], spawn: [(Number, Mark)] }
        { system Untagged: Note {
            dependencies: [Act], read: [Number], read_optional: [Mark], without: [Tag], output: Seen,
        } }
    refreshed refresh_before_dependents
        { insert: [Mark, Tag], spawn: [(Number, Mark)] }
        { system Untagged: Note {
            dependencies: [Act], read: [Number], read_optional: [Mark], without: [Tag], output: Seen,
        } }
    denied deny {} {}
}

macro_rules! note {
    ($($module:ident: $($name:ident)*;)*) => {$($(
        impl System<$module::W, $module::$name> for Note {
            fn process(&self, data: &mut Data<'_, $module::W, $module::$name>) {
                let Data { own, effects, .. } = data;
                own.query::<(&Number, Option<&Mark>)>().for_each(|(number, mark)| {
                    effects.output().push((number.0, mark.map(|mark| mark.0)));
                });
            }
        }
    )*)*};
}

note! {
    after_step: Before Everything Untagged;
    refreshed: Before Everything Untagged;
    denied: Before Everything;
}

macro_rules! note_marked {
    ($($module:ident)*) => {$(
        impl System<$module::W, $module::Marked> for Note {
            fn process(&self, data: &mut Data<'_, $module::W, $module::Marked>) {
                let Data { own, effects, .. } = data;
                own.query::<(&Number, &Mark)>().for_each(|(number, mark)| {
                    effects.output().push((number.0, Some(mark.0)));
                });
            }
        }
    )*};
}

note_marked! { after_step refreshed denied }

macro_rules! act {
    ($module:ident, |$number:ident, $entity:ident, $now:ident| $more:expr) => {
        impl System<$module::W> for Act {
            fn process(&self, data: &mut Data<'_, $module::W, Self>) {
                data.roll(|mut found| {
                    let ($entity, $number) = (found.entity(), found.entry().number.0);
                    let $now = &mut found.now();
                    match $number % 5 {
                        0 => $now.despawn($entity),
                        1 => drop($now.remove::<Mark>($entity)),
                        _ => $more,
                    }
                });
            }
        }
    };
}

act! { after_step, |number, entity, now| more(number, entity, &mut |part| match part {
    Part::Mark => drop(now.insert(entity, Mark(1_000))),
    Part::Tag => drop(now.insert(entity, Tag)),
    Part::Child => drop(now.spawn((Number(number + 1_000), Mark(0)))),
}) }
act! { refreshed, |number, entity, now| more(number, entity, &mut |part| match part {
    Part::Mark => drop(now.insert(entity, Mark(1_000))),
    Part::Tag => drop(now.insert(entity, Tag)),
    Part::Child => drop(now.spawn((Number(number + 1_000), Mark(0)))),
}) }
act! { denied, |number, _entity, _now| assert!(number % 5 > 1) }

enum Part {
    Mark,
    Tag,
    Child,
}

fn more(number: u64, _: Entity, put: &mut dyn FnMut(Part)) {
    match number % 5 {
        2 => put(Part::Mark),
        3 => put(Part::Tag),
        _ if number % 100 == 4 => put(Part::Child),
        _ => {}
    }
}

/// Entities with even numbers have a mark at the beginning.
fn marked_at_first(number: u64) -> Option<u64> {
    number.is_multiple_of(2).then_some(number)
}

/// The number and the mark of an entity after `Act`, if it is not despawned.
fn becomes(number: u64, adds: bool) -> Option<(u64, Option<u64>)> {
    match number % 5 {
        0 => None,
        1 => Some((number, None)),
        2 if adds => Some((number, Some(1_000))),
        _ => Some((number, marked_at_first(number))),
    }
}

const COUNT: u64 = 500;

macro_rules! run {
    ($module:ident, $threads:expr) => {{
        let mut world = World::<$module::W>::on($threads);
        world
            .step(|step| {
                for number in 0..COUNT {
                    let entity = step.spawn((Number(number),));
                    marked_at_first(number).map(|mark| step.insert(entity, Mark(mark)));
                }
            })
            .unwrap();
        world.tick().unwrap();
        world
    }};
}

macro_rules! seen {
    ($world:ident, $name:ty) => {{
        let mut seen = Seen::new();
        $world.step(|step| seen.extend(step.outputs_of::<$name>().flatten().copied())).unwrap();
        seen
    }};
}

#[test]
fn after_the_step_what_is_gone_is_gone_and_what_was_added_waits() {
    use after_step::{Before, Everything, Marked, Untagged, W};
    const PHASES: Phases = Phases::of::<W>();
    assert_eq!(PHASES.count(), 3);
    assert!((0..3).all(|phase| !PHASES.begins_with_refresh(phase)));
    for threads in every_kind() {
        let mut world = run!(after_step, threads);
        let everything: Seen = (0..COUNT).filter_map(|n| becomes(n, true)).collect();
        let all: Seen = (0..COUNT).map(|n| (n, marked_at_first(n))).collect();
        assert_eq!(seen!(world, Before), all);
        // Optional terms show the current marks.
        assert_eq!(seen!(world, Everything), everything);
        assert_eq!(seen!(world, Untagged), everything, "a tag excludes from the refresh on");
        let marked = everything.iter().filter(|(n, mark)| mark.is_some() && n % 2 == 0);
        assert_eq!(seen!(world, Marked), marked.copied().collect::<Seen>());
        assert_eq!(world.entity_count() as u64, COUNT - COUNT / 5 + COUNT / 100);
    }
}

#[test]
fn with_a_refresh_before_dependents_everything_shows() {
    use refreshed::{Everything, Marked, Untagged, W};
    const PHASES: Phases = Phases::of::<W>();
    let begins: Vec<bool> =
        (0..PHASES.count()).map(|phase| PHASES.begins_with_refresh(phase)).collect();
    assert_eq!(begins, [false, false, true]);
    for threads in every_kind() {
        let mut world = run!(refreshed, threads);
        let children = (0..COUNT).filter(|n| n % 100 == 4).map(|n| (n + 1_000, Some(0)));
        let mut expected: Seen =
            (0..COUNT).filter_map(|n| becomes(n, true)).chain(children).collect();
        expected.sort_unstable();
        let sorted = |mut seen: Seen| {
            seen.sort_unstable();
            seen
        };
        assert_eq!(sorted(seen!(world, Everything)), expected);
        let marked = expected.iter().filter(|(_, mark)| mark.is_some());
        assert_eq!(sorted(seen!(world, Marked)), marked.copied().collect::<Seen>());
        let untagged = expected.iter().filter(|(n, _)| n % 5 != 3 || *n >= 1_000);
        assert_eq!(sorted(seen!(world, Untagged)), untagged.copied().collect::<Seen>());
    }
}

#[test]
fn where_too_late_is_denied_removals_are_in_time() {
    use denied::{Everything, Marked};
    for threads in every_kind() {
        let mut world = run!(denied, threads);
        let everything: Seen = (0..COUNT).filter_map(|n| becomes(n, false)).collect();
        assert_eq!(seen!(world, Everything), everything);
        let marked = everything.iter().filter(|(_, mark)| mark.is_some());
        assert_eq!(seen!(world, Marked), marked.copied().collect::<Seen>());
    }
}
