//! Functions of events that step another world.

use std::mem::swap;

use ecs_core::events::Events;

use super::nest::{COUNT, Edit, Log, Text, entities, on_all_threads, texts};

#[test]
fn an_event_is_handed_to_the_step_of_another_world() {
    on_all_threads(|mut outer, mut inner| {
        let (of_outer, of_inner) = (entities(&outer), entities(&inner));
        let mut told = Vec::new();
        let events = Events::new().on_unsubscribe::<Edit>(|yours| {
            let entity = of_inner[yours.entity().index_in(&of_outer)];
            told.push(yours.entity());
            let inner_events = Events::new().on_unsubscribe::<Edit>(|mine| {
                swap(mine.system_mut(), yours.system_mut());
                swap(mine.resource_mut::<Log>(), yours.resource_mut::<Log>());
                mine.resource_mut::<Log>().0.push("inner".into());
                yours.resource_mut::<Log>().0.push("outer".into());
                assert!(mine.get::<Text>().is_none() && yours.get::<Text>().is_none());
            });
            inner.step_with(inner_events, |step| drop(step.remove::<Text>(entity))).unwrap();
        });
        outer
            .step_with(events, |step| {
                for &entity in of_outer.iter().step_by(50) {
                    step.remove::<Text>(entity);
                }
            })
            .unwrap();
        assert_eq!(told, of_outer.iter().copied().step_by(50).collect::<Vec<_>>());
        for (world, stamp) in [(&outer, "outer"), (&inner, "inner")] {
            assert_eq!(texts(world).len(), COUNT - 4);
            assert!(texts(world).iter().all(|text| text.starts_with(stamp)));
            assert_eq!(world.system::<Edit>().0, format!("{stamp} state"));
            // The logs were swapped at each event, before each world wrote its line.
            assert_eq!(world.resource::<Log>().0.len(), 4);
        }
        assert_eq!(outer.resource::<Log>().0, ["inner", "outer", "inner", "outer"]);
        assert_eq!(inner.resource::<Log>().0, ["outer", "inner", "outer", "inner"]);
    });
}

/// The index of an entity in a slice.
trait IndexIn {
    fn index_in(self, all: &[Self]) -> usize
    where
        Self: Sized;
}

impl IndexIn for ecs_core::Entity {
    fn index_in(self, all: &[Self]) -> usize {
        all.iter().position(|&entity| entity == self).expect("one of them")
    }
}
