//! A user-defined storage strategy: a slab.
//!
//! Values are stored in slots and do not move. Slots of removed values are reused, the last one first.
//! The slot of an entity is in its *storage-specific metadata* (thesis, 9.1.1), so finding a value takes
//! no search. A slab suits large values that are inserted and removed often: unlike in a packed set, no value is moved
//! to close a gap.
//!
//! The strategy holds [`Value`]s, which only the library can create and access. A faulty strategy can therefore
//! cause a panic, but not two entities that share one value.

use ecs_core::Component;
use ecs_core::storage::{Metadata, StorageStrategy, Value};

/// Values of `C` in slots.
///
/// ```
/// use ecs_core::{World, world};
/// use ecs_examples::slab::Slab;
///
/// struct Inventory([u32; 64]);
///
/// world! {
///     world Town;
///     component Inventory: storage(Slab<Inventory>);
/// }
///
/// let mut town = World::<Town>::new();
/// let shop = town.step(|step| step.spawn((Inventory([3; 64]),))).unwrap();
/// assert_eq!(town.get::<Inventory>(shop).unwrap().0[63], 3);
/// ```
#[derive(Debug)]
pub struct Slab<C> {
    slots: Vec<Option<Value<C>>>,
    /// Free slots, the next one last.
    free: Vec<u32>,
}

impl<C: Component> StorageStrategy<C> for Slab<C> {
    /// The entity's slot; meaningless if it has no value.
    type Metadata = u32;

    fn new(_: usize) -> Self {
        Self { slots: Vec::new(), free: Vec::new() }
    }

    fn insert(&mut self, row: usize, value: Value<C>, metadata: &mut Metadata<u32>) {
        let slot = self.free.pop().unwrap_or_else(|| {
            self.slots.push(None);
            u32::try_from(self.slots.len() - 1).expect("a world has fewer entities")
        });
        self.slots[slot as usize] = Some(value);
        metadata.set(row, slot);
    }

    fn get(&self, row: usize, metadata: &Metadata<u32>) -> Option<&Value<C>> {
        self.slots.get(metadata.get(row) as usize)?.as_ref()
    }

    fn remove(&mut self, row: usize, metadata: &mut Metadata<u32>) -> Option<Value<C>> {
        let slot = metadata.get(row);
        let value = self.slots.get_mut(slot as usize)?.take()?;
        self.free.push(slot);
        Some(value)
    }
}

#[cfg(test)]
mod tests {
    use super::Slab;
    use ecs_core::{Entity, World, world};

    struct Cargo(Vec<u32>);

    world! {
        world Port { entity_limit: dynamic(8) }
        component Cargo: storage(Slab<Cargo>);
        system Load {
            parallelism: split_every(64),
            each: |cargo: &mut Cargo| cargo.0.push(cargo.0[0]),
        }
        system Sink {
            dependencies: [Load],
            remove: [Cargo],
            despawn,
            each: |ship: Entity, cargo: &Cargo, effects| match cargo.0[0] % 3 {
                0 => effects.despawn(ship),
                1 => effects.remove::<Cargo>(ship),
                _ => {}
            },
        }
    }

    #[test]
    fn each_ship_keeps_its_cargo_as_others_are_spawned_and_despawned() {
        let mut port = World::<Port>::new();
        let mut ships: Vec<(u32, Entity)> = Vec::new();
        for round in 0..20 {
            let numbers = round * 150..(round + 1) * 150;
            let came = port.step(|step| {
                numbers.map(|n| (n, step.spawn((Cargo(vec![n]),)))).collect::<Vec<_>>()
            });
            ships.extend(came.unwrap());
            port.tick().unwrap();
            for &(number, ship) in &ships {
                let loads = (round - number / 150 + 2) as usize;
                let cargo = port.get::<Cargo>(ship).map(|cargo| &cargo.0[..]);
                let expected = (number % 3 == 2).then(|| vec![number; loads]);
                assert_eq!(cargo, expected.as_deref());
                assert_eq!(port.is_alive(ship), number % 3 != 0);
            }
        }
    }
}
