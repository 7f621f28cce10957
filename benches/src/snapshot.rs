//! A world to take snapshots of, and the same columns as vectors.

use ecs_core::{StateHash, Threads, World, world};

/// Two numbers.
#[derive(Clone, Copy, Debug, StateHash)]
pub struct Place(pub [f32; 2]);

/// Two more.
#[derive(Clone, Copy, Debug, StateHash)]
pub struct Speed(pub [f32; 2]);

/// One that lies beside another.
#[derive(Clone, Copy, Debug, StateHash)]
pub struct Color(pub u32);

/// The other one.
#[derive(Clone, Copy, Debug, StateHash)]
pub struct Size(pub f32);

world! {
    /// What snapshots are taken of.
    pub world Scene;
    component Place: contiguous_buffer;
    component Speed: contiguous_buffer;
    component (Color, Size): contiguous_buffer;
}

/// A world of so many entities. If there are to be `gaps`, every third lacks a speed.
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
                step.spawn(common).expect("a dynamic limit");
            } else {
                let (place, color, size) = common;
                step.spawn((place, Speed([1.0; 2]), color, size)).expect("a dynamic limit");
            }
        }
    });
    filled.expect("nothing is spawned by systems");
    world
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
    /// Of so many entities.
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

    /// Copies all columns of `from` into the memory of these.
    pub fn copy(&mut self, from: &Self) {
        self.places.clone_from(&from.places);
        self.speeds.clone_from(&from.speeds);
        self.looks.clone_from(&from.looks);
        self.rows.clone_from(&from.rows);
        self.slots.clone_from(&from.slots);
    }

    /// How many bytes that are.
    #[must_use]
    pub fn bytes(&self) -> usize {
        self.places.len() * size_of::<(Place, Speed, (Color, Size), [u64; 2])>()
    }
}
