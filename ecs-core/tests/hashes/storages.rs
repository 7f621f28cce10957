//! One state in worlds that differ in how they store it.

use std::marker::PhantomData;

use ecs_core::StateHash;

use crate::threads;

/// Of one field.
#[derive(Clone, Debug, StateHash)]
struct Place([f32; 2]);

/// Of several fields, without padding.
#[derive(Clone, Debug, StateHash)]
struct Speed {
    x: f32,
    turns: [u16; 2],
    of: PhantomData<String>,
}

/// With padding.
#[derive(Clone, Debug, StateHash)]
struct Look(u8, u32);

/// With memory of its own.
#[derive(Clone, Debug, StateHash)]
struct Name(String);

/// Like `Place`, by an impl that the library knows nothing of.
#[derive(Clone, Debug)]
struct ByHand([f32; 2]);

impl StateHash for ByHand {
    fn state_hash(&self, hasher: &mut ecs_core::StateHasher) {
        self.0.state_hash(hasher);
    }
}

#[derive(Clone, Debug)]
struct Tag;

macro_rules! stored {
    ($($world:ident { $($components:tt)* })*) => {$(
        mod $world {
            //! The same state, stored like this.

            use std::marker::PhantomData;

            use ecs_core::settings::{
                Allow, AtomicCounter, Config, Disallow, Dynamic, Fixed, Sequential, Settings,
            };
            use ecs_core::{Entity, StateHashes, Threads, World};

            use super::{ByHand, ENTITIES, Look, Name, Place, Speed, Tag};

            ecs_core::world! {
                pub(super) world Stored { entity_limit: dynamic(16) }
                $($components)*
            }

            /// The hashes of a state with gaps of any length.
            fn hashes_in<S: Settings>(threads: &Threads) -> StateHashes<Stored> {
                let mut world = World::<Stored, S>::on(threads.clone());
                let fill = |step: &mut ecs_core::Step<'_, Stored, S>| {
                    for n in 0..ENTITIES {
                        let x = n as f32;
                        let _ = step.spawn((Place([x, -x]), Look(n as u8, n)));
                    }
                };
                world.step(fill).unwrap();
                let all: Vec<Entity> = world.iter::<Entity>().collect();
                assert_eq!(all.len(), ENTITIES as usize);
                let change = |step: &mut ecs_core::Step<'_, Stored, S>| {
                    for (n, &entity) in (0_u32..).zip(&all) {
                        let mixed = n.wrapping_mul(0x9E37_79B9) >> 16;
                        if n < 9000 || mixed % 3 != 0 {
                            let turns = [n as u16, !n as u16];
                            step.insert(entity, Speed { x: n as f32, turns, of: PhantomData }).unwrap();
                        }
                        if mixed % 1000 < 5 {
                            step.insert(entity, Name(format!("{n}"))).unwrap();
                            step.insert(entity, Tag).unwrap();
                        }
                        if n / 100 % 3 != 0 {
                            step.insert(entity, ByHand([n as f32, 0.5])).unwrap();
                        }
                        if mixed % 7 == 0 {
                            step.despawn(entity);
                        }
                    }
                };
                world.step(change).unwrap();
                let hashes = world.state_hashes();
                assert_eq!(hashes.state_hash(), world.state_hash());
                hashes
            }

            /// The hashes of all parts, on these threads, with several settings.
            pub(super) fn hashes(threads: &Threads) -> [Vec<u64>; 3] {
                let all = [
                    hashes_in::<Config<Dynamic<16>, Allow, AtomicCounter>>(threads),
                    hashes_in::<Config<Fixed<30_000>, Disallow, Sequential>>(threads),
                    hashes_in::<Config<Dynamic<50_000>, Disallow, AtomicCounter>>(threads),
                ];
                all.map(|hashes| hashes.as_slice().to_vec())
            }
        }
    )*};
}

stored! {
    contiguous { component Place, Speed, Look, Name, ByHand, Tag; }
    interleaved { component (Place, Speed, Look, ByHand): contiguous_buffer; component Name, Tag; }
    hashed { component Place, Speed, Look, Name, ByHand: hash_map; component Tag: empty; }
    sparse { component Place, Speed, Look, Name, ByHand, Tag: sparse_set; }
}

/// Five pages of rows, so that worlds share them among threads.
const ENTITIES: u32 = 20_000;

#[test]
fn storage_threads_and_settings_make_no_difference() {
    let first = &contiguous::hashes(&ecs_core::Threads::Inline)[0];
    assert_eq!(first.len(), 7);
    for threads in &threads() {
        for all in
            [contiguous::hashes, hashed::hashes, sparse::hashes].map(|hashes| hashes(threads))
        {
            for hashes in &all {
                assert_eq!(hashes, first, "{threads:?}");
            }
        }
        // Here the components are declared in another order.
        let order = [0, 1, 2, 3, 5, 4, 6];
        for hashes in interleaved::hashes(threads) {
            assert!(order.iter().zip(first).all(|(&at, hash)| hashes[at] == *hash), "{threads:?}");
        }
    }
}

#[test]
fn the_hash_is_the_same_everywhere() {
    // This value is that of every machine. It changes with what is hashed only.
    let hashes = &contiguous::hashes(&ecs_core::Threads::Inline)[0];
    let mut hasher = ecs_core::StateHasher::new();
    hashes.state_hash(&mut hasher);
    assert_eq!(hasher.finish(), 2_784_370_523_673_410_024);
    // A value does not depend on how the library hashes many of them: `ByHand` cannot be hashed at once.
    let values = |derived: bool| {
        let mut hasher = ecs_core::StateHasher::new();
        for n in 0..100 {
            let value = [n as f32, 0.5];
            if derived {
                Place(value).state_hash(&mut hasher);
            } else {
                ByHand(value).state_hash(&mut hasher);
            }
        }
        hasher.finish()
    };
    assert_eq!(values(true), values(false));
}
