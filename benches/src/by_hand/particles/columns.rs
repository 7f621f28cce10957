//! The state of the simulation: a column per component.

use ecs_examples::particles::Disc;

/// Colour and circle, interleaved.
#[derive(Clone, Copy, Debug)]
pub(super) struct Look {
    pub(super) color: [u8; 4],
    pub(super) radius: f32,
}

/// All discs, in ascending order of id.
#[derive(Debug)]
pub(super) struct Columns {
    pub(super) id: Vec<u32>,
    pub(super) position: Vec<[f32; 2]>,
    pub(super) velocity: Vec<[f32; 2]>,
    pub(super) acceleration: Vec<[f32; 2]>,
    pub(super) look: Vec<Look>,
    pub(super) life: Vec<f32>,
}

impl Columns {
    pub(super) fn new(discs: &[Disc]) -> Self {
        Self {
            id: (0..discs.len() as u32).collect(),
            position: discs.iter().map(|disc| disc.position).collect(),
            velocity: discs.iter().map(|disc| disc.velocity).collect(),
            acceleration: discs.iter().map(|disc| disc.acceleration).collect(),
            look: discs
                .iter()
                .map(|disc| Look { color: disc.color, radius: disc.radius })
                .collect(),
            life: discs.iter().map(|disc| disc.life).collect(),
        }
    }

    pub(super) fn len(&self) -> usize {
        self.id.len()
    }

    pub(super) fn disc(&self, row: usize) -> (u32, Disc) {
        let disc = Disc {
            position: self.position[row],
            velocity: self.velocity[row],
            acceleration: self.acceleration[row],
            color: self.look[row].color,
            radius: self.look[row].radius,
            life: self.life[row],
        };
        (self.id[row], disc)
    }

    /// Removes the rows in `dead` (ascending) from every column, keeping the others in order.
    pub(super) fn remove(&mut self, dead: &[u32]) {
        close_gaps(&mut self.id, dead);
        close_gaps(&mut self.position, dead);
        close_gaps(&mut self.velocity, dead);
        close_gaps(&mut self.acceleration, dead);
        close_gaps(&mut self.look, dead);
        close_gaps(&mut self.life, dead);
    }
}

fn close_gaps<T: Copy>(column: &mut Vec<T>, dead: &[u32]) {
    let Some(&first) = dead.first() else { return };
    let mut kept = first as usize;
    for (at, &gap) in dead.iter().enumerate() {
        let from = gap as usize + 1;
        let to = dead.get(at + 1).map_or(column.len(), |&next| next as usize);
        column.copy_within(from..to, kept);
        kept += to - from;
    }
    column.truncate(kept);
}
