//! A world to take snapshots of, and the same columns as vectors.

use ecs_core::{StateHash, StateHasher, Threads, World, world};

/// Two numbers in one column.
#[derive(Clone, Copy, Debug, StateHash)]
pub struct Place(pub [f32; 2]);

/// Two further numbers in one column.
#[derive(Clone, Copy, Debug, StateHash)]
pub struct Speed(pub [f32; 2]);

/// A number, interleaved with `Size`.
#[derive(Clone, Copy, Debug, StateHash)]
pub struct Color(pub u32);

/// A number, interleaved with `Color`.
#[derive(Clone, Copy, Debug, StateHash)]
pub struct Size(pub f32);

world! {
    /// The world of which snapshots are taken.
    pub world Scene;
    component Place: contiguous_buffer;
    component Speed: contiguous_buffer;
    component (Color, Size): contiguous_buffer;
}

/// A world of `entities` entities. With `gaps`, every third entity lacks a speed.
///
/// # Panics
/// Never: the limit is dynamic.
#[must_use]
pub fn scene(entities: usize, gaps: bool) -> World<Scene> {
    let mut world = World::on(Threads::Inline);
    let filled = world.step(|step| {
        for n in 0..entities {
            let value = n as f32;
            let common = (Place([value; 2]), Color(n as u32), Size(value));
            if gaps && n % 3 == 0 {
                step.spawn(common);
            } else {
                let (place, color, size) = common;
                step.spawn((place, Speed([1.0; 2]), color, size));
            }
        }
    });
    filled.expect("nothing is spawned by systems");
    world
}

/// All values count as changed afterwards, so that snapshots copy and hash them.
pub fn change(world: &mut World<Scene>) {
    drop(world.iter_mut::<(&mut Place, &mut Color, &mut Size)>());
    drop(world.iter_mut::<&mut Speed>());
}

/// The same bytes by hand, with the two tables of a world's entities.
#[derive(Clone, Debug)]
pub struct Columns {
    places: Vec<Place>,
    speeds: Vec<Speed>,
    looks: Vec<(Color, Size)>,
    rows: Vec<[u32; 2]>,
    slots: Vec<[u32; 2]>,
}

impl Columns {
    /// The columns of a world with `entities` entities.
    #[must_use]
    pub fn new(entities: usize) -> Self {
        Self {
            places: vec![Place([1.0; 2]); entities],
            speeds: vec![Speed([1.0; 2]); entities],
            looks: vec![(Color(1), Size(1.0)); entities],
            rows: vec![[1; 2]; entities],
            slots: vec![[1; 2]; entities],
        }
    }

    /// Copies all columns of `from` into the memory of `self`.
    pub fn copy(&mut self, from: &Self) {
        self.places.clone_from(&from.places);
        self.speeds.clone_from(&from.speeds);
        self.looks.clone_from(&from.looks);
        self.rows.clone_from(&from.rows);
        self.slots.clone_from(&from.slots);
    }

    /// The hash of all columns, by the same hash function as that of a world.
    #[must_use]
    pub fn hash(&self) -> u64 {
        let Self { places, speeds, looks, rows, slots } = self;
        let mut hasher = StateHasher::new();
        (places, speeds, looks, rows, slots).state_hash(&mut hasher);
        hasher.finish()
    }

    /// The number of bytes of all columns.
    #[must_use]
    pub fn bytes(&self) -> usize {
        self.places.len() * size_of::<(Place, Speed, (Color, Size), [u64; 2])>()
    }
}
