//! The strictest crate that there is: no prelude, warnings and missing documentation denied, no
//! unsafe code, `ecs-core` under another name, and names that shadow what generated code could use.

#![no_implicit_prelude]
#![forbid(unsafe_code)]
#![deny(warnings, missing_docs, unreachable_pub, missing_debug_implementations, unused)]

use ::ecs_core as other;

/// A world with one of everything.
pub mod declared {
    /// A component that is called like the standard library's type.
    #[derive(Debug)]
    pub struct Option(pub f32);
    /// Like a trait.
    #[derive(Debug)]
    pub struct Default;
    /// Like the handle.
    #[derive(Debug)]
    pub struct Entity(pub u32);
    /// Like a keyword.
    #[derive(Debug)]
    pub struct Type(pub u8);
    /// A resource.
    #[derive(Debug)]
    pub struct Vec(pub u32);
    /// Another one.
    #[derive(Debug, ::core::default::Default)]
    pub struct Some(pub u32);
    /// An event.
    #[derive(Debug)]
    pub struct Iterator(pub u32);
    /// A system.
    #[derive(Debug, ::core::default::Default)]
    pub struct First;
    /// A system without anything.
    #[derive(Debug, ::core::default::Default)]
    pub struct Idle;
    /// A system with a state.
    #[derive(Debug)]
    pub struct Counter(pub u32);

    super::other::world! {
        pub world Result { entity_limit: fixed(100), scheduler: sequential }
        component (Option, Type): contiguous_buffer;
        component Default: contiguous_buffer;
        component Entity: contiguous_buffer;
        resource Vec = Vec({
            let sink = 40;
            sink + 2
        });
        resource Some;
        system First {
            write: [Option],
            read: [Type],
            read_optional: [Entity],
            parallelism: split_evenly(cores),
            despawn,
            insert: [Default],
            spawn: [(Option, Type), Entity],
        }
        system Idle;
        event Iterator;
        /// Emits.
        system Emit { emit: [Iterator], run: |data| data.effects.emit(Iterator(1)) }
        /// Is called for each event.
        system Hear { each: |event: &Iterator| ::core::assert_eq!(event.0, 1) }
        system Second: Counter {
            exclusive,
            write: [Option],
            read_resources: [Vec],
            write_resources: [Some],
            inputs: [First],
            output: u32,
            state: Counter(2),
        }
    }

    impl super::other::System<Result> for First {
        fn process(&self, data: &mut super::other::Data<'_, Result, Self>) {
            data.own.for_entities(|e| {
                let _ = e.entity;
                e.option.0 += e.type_.0 as f32;
                let _ = e.entity_;
            });
        }
    }

    impl super::other::System<Result> for Idle {
        fn process(&self, _: &mut super::other::Data<'_, Result, Self>) {}
    }

    impl super::other::System<Result, Second> for Counter {
        fn process(&self, data: &mut super::other::Data<'_, Result, Second>) {
            let all = data.resources.get::<Vec>().0 + self.0;
            data.resources.get_mut::<Some>().0 += all;
        }
    }
}

fn main() {
    let mut world = other::World::<declared::Result>::new();
    let stepped = world.tick();
    ::core::assert!(stepped.is_ok());
    ::core::assert_eq!(world.resource::<declared::Some>().0, 44);
}
