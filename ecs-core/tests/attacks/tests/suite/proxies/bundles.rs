//! Bundles that are put into the sinks of two worlds at once.

use std::cell::RefCell;

use ecs_core::{Bundle, BundleSink, World};

use super::nest::{Key, Nest, Tag, Text, filled, on_all_threads};

/// While it is put, it spawns an entity in another world; both bundles put into both sinks.
struct Nested<'a>(&'a RefCell<World<Nest>>);

/// Puts into its own sink, and into that of another world.
struct Inner<'a, 'b, 'c>(&'a RefCell<&'b mut BundleSink<'c, Nest>>);

impl Bundle<Nest> for Nested<'_> {
    fn put(self, sink: &mut BundleSink<'_, Nest>) {
        sink.put(Key(1));
        let outer = RefCell::new(sink);
        let entity = self.0.borrow_mut().step(|step| step.spawn(Inner(&outer))).unwrap();
        assert_eq!(self.0.borrow().get::<Text>(entity).unwrap().0, "into inner");
        outer.into_inner().put(Key(3));
    }
}

impl Bundle<Nest> for Inner<'_, '_, '_> {
    fn put(self, sink: &mut BundleSink<'_, Nest>) {
        let mut outer = self.0.borrow_mut();
        sink.put(Text("inner".into()));
        outer.put(Text("into outer".into()));
        sink.put(Text("into inner".into()));
        outer.put(Tag("outer tag".into()));
        sink.put(Tag("inner tag".into()));
        outer.put(Key(2));
    }
}

#[test]
fn sinks_of_two_worlds() {
    on_all_threads(|mut outer, inner| {
        let inner = RefCell::new(inner);
        let one = outer.step(|step| step.spawn(Nested(&inner))).unwrap();
        let many: Vec<_> =
            outer.step(|step| step.spawn_batch((0..70).map(|_| Nested(&inner))).collect()).unwrap();
        for entity in many.into_iter().chain([one]) {
            assert_eq!(outer.get::<Text>(entity).unwrap().0, "into outer");
            assert_eq!(outer.get::<Tag>(entity).unwrap().0, "outer tag");
            assert_eq!(outer.get::<Key>(entity), Some(&Key(3)));
        }
        let inner = inner.into_inner();
        let (before, mut new) = (filled(ecs_core::Threads::Inline, "inner").entity_count(), 0);
        for tag in inner.iter::<&Tag>() {
            new += usize::from(tag.0 == "inner tag");
        }
        assert_eq!((new, inner.entity_count()), (71, before + 71));
    });
}
