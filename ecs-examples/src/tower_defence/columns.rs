//! The structure of arrays: a table for each archetype, with a column for each component. One thread.

use core::iter::zip;

use super::Design;
use super::by_hand::{Grid, Handle, Handles, Seen};
use super::rules::{
    self, BULLET, PARTICLE, Recruit, Score, Shot, Site, Size, Spark, Sprite, State, Trigger,
    Vector, Waves, Weapon,
};

/// A table: a vector for each component.
macro_rules! tables {
    ($($Table:ident { $($column:ident: $Type:ty),* $(,)? })*) => {$(
        #[derive(Debug, Default)]
        pub(super) struct $Table {
            $(pub(super) $column: Vec<$Type>,)*
        }

        impl $Table {
            /// Appends a row.
            fn push(&mut self, ($($column,)*): ($($Type,)*)) {
                $(self.$column.push($column);)*
            }

            /// Removes a row, in whose place the last one comes.
            #[allow(dead_code, reason = "towers stay")]
            fn swap_remove(&mut self, row: usize) {
                $(self.$column.swap_remove(row);)*
            }
        }
    )*};
}

tables! {
    Enemies {
        handle: Handle, number: u32, position: Vector, velocity: Vector, lane: Vector, speed: f32, health: i32,
        corner: u32, look: u32,
    }
    Towers { number: u32, position: Vector, weapon: Weapon, trigger: Trigger, look: u32 }
    Bullets { number: u32, position: Vector, velocity: Vector, target: Handle, weapon: Weapon, life: f32, look: u32 }
    Particles { number: u32, position: Vector, velocity: Vector, life: f32, look: u32 }
}

impl Enemies {
    /// Lets enemies go and come.
    pub(super) fn synchronize(
        &mut self,
        handles: &mut Handles,
        gone: &mut Vec<usize>,
        recruits: &mut Vec<Recruit>,
    ) {
        for row in gone.drain(..).rev() {
            handles.remove(self.handle[row]);
            self.swap_remove(row);
            if let Some(&moved) = self.handle.get(row) {
                handles.set(moved, row);
            }
        }
        for Recruit { number, position, lane, speed, health, corner, look } in recruits.drain(..) {
            let handle = handles.add(self.handle.len());
            let row = (handle, number, position, [0.0; 2], lane, speed, health, corner, look);
            self.push(row);
        }
    }

    /// The enemies as they are sorted by cell.
    pub(super) fn seen(&self) -> impl Iterator<Item = Seen> + Clone {
        let all = zip(&self.position, &self.number).zip(0..);
        all.map(|((&position, &number), index)| Seen { position, number, index })
    }
}

impl Bullets {
    /// Lets bullets go and come.
    pub(super) fn synchronize(&mut self, gone: &mut Vec<usize>, shots: &mut Vec<Shot<Handle>>) {
        gone.drain(..).rev().for_each(|row| self.swap_remove(row));
        for Shot { number, position, target, weapon, life } in shots.drain(..) {
            self.push((number, position, [0.0; 2], target, weapon, life, BULLET));
        }
    }
}

impl Particles {
    /// Lets particles go and come.
    pub(super) fn synchronize(&mut self, gone: &mut Vec<usize>, sparks: &mut Vec<Spark>) {
        gone.drain(..).rev().for_each(|row| self.swap_remove(row));
        for Spark { number, position, velocity, life } in sparks.drain(..) {
            self.push((number, position, velocity, life, PARTICLE));
        }
    }
}

/// All tables, and what comes and goes at the end of the frame.
#[derive(Debug, Default)]
pub(super) struct Tables {
    pub(super) enemies: Enemies,
    pub(super) towers: Towers,
    pub(super) bullets: Bullets,
    pub(super) particles: Particles,
    pub(super) handles: Handles,
    pub(super) grid: Grid,
    pub(super) waves: Waves,
    pub(super) score: Score,
    pub(super) sprites: Vec<Sprite>,
    pub(super) recruits: Vec<Recruit>,
    pub(super) shots: Vec<Shot<Handle>>,
    pub(super) sparks: Vec<Spark>,
    /// Rows of enemies, bullets and particles.
    pub(super) gone: [Vec<usize>; 3],
}

impl Tables {
    pub(super) fn new(size: Size) -> Self {
        let mut tables = Self { waves: Waves::new(size), ..Self::default() };
        for Site { number, position, weapon, look } in Site::all(size) {
            tables.towers.push((number, position, weapon, Trigger::default(), look));
        }
        tables.recruits.extend(Recruit::first(size));
        tables.synchronize();
        tables
    }

    fn advance(&mut self) {
        let Self { enemies, bullets, particles, handles, .. } = self;
        let follow = zip(&mut bullets.velocity, &bullets.position);
        let follow = follow.zip(zip(&bullets.target, &bullets.weapon));
        for ((velocity, &position), (&target, weapon)) in follow {
            if let Some(row) = handles.find(target) {
                *velocity = rules::towards(position, enemies.position[row], weapon.speed);
            }
        }
        particles.velocity.iter_mut().for_each(rules::slow);
        let all = zip(&mut enemies.position, &enemies.velocity)
            .chain(zip(&mut bullets.position, &bullets.velocity))
            .chain(zip(&mut particles.position, &particles.velocity));
        all.for_each(|(position, velocity)| rules::advance(position, *velocity));
    }

    fn shoot(&mut self) {
        let Self { enemies, towers, grid, shots, .. } = self;
        grid.sort(enemies.seen());
        let all = zip(&mut towers.trigger, &towers.position);
        let all = all.zip(zip(&towers.number, &towers.weapon));
        for ((trigger, &from), (&number, &weapon)) in all {
            if !trigger.is_ready() {
                continue;
            }
            if let Some(enemy) = grid.nearest(from) {
                let target = enemies.handle[enemy as usize];
                shots.push(trigger.shoot(number, from, weapon, target));
            }
        }
    }

    fn collide(&mut self) {
        let Self { enemies, bullets, handles, grid, score, sparks, gone: [_, gone, _], .. } = self;
        let all = zip(&mut bullets.life, &bullets.position).zip(&bullets.number);
        let all = all.zip(zip(&bullets.target, &bullets.weapon)).enumerate();
        for (row, (((life, &position), &number), (&target, weapon))) in all {
            let hit = handles.find(target);
            let hit = hit.filter(|&target| rules::hits(position, enemies.position[target]));
            if let Some(target) = hit {
                score.hits += 1;
                sparks.push(Spark::of_hit(number, position));
                if weapon.blast > 0.0 {
                    for e in grid.around(position).into_iter().flatten() {
                        if rules::harms(position, weapon.blast, e.position) {
                            enemies.health[e.index as usize] -= weapon.damage;
                        }
                    }
                } else {
                    enemies.health[target] -= weapon.damage;
                }
            }
            if rules::vanishes(life, position) || hit.is_some() {
                gone.push(row);
            }
        }
    }

    fn march(&mut self) {
        let Self { enemies, particles, score, sparks, gone, .. } = self;
        let all = zip(&mut enemies.velocity, &mut enemies.corner);
        let all = all.zip(zip(&enemies.position, &enemies.lane));
        let all = all.zip(zip(&enemies.speed, &enemies.health)).enumerate();
        for (row, (((velocity, corner), (&position, &lane)), (&speed, &health))) in all {
            if health <= 0 {
                score.killed += 1;
                sparks.extend(Spark::of_death(enemies.number[row], position));
                gone[0].push(row);
            } else if !rules::march(position, velocity, lane, speed, corner) {
                score.escaped += 1;
                gone[0].push(row);
            }
        }
        let particles = zip(&mut particles.life, &particles.position).enumerate();
        let vanished = particles
            .filter_map(|(row, (life, &position))| rules::vanishes(life, position).then_some(row));
        gone[2].extend(vanished);
    }

    fn synchronize(&mut self) {
        let [enemies, bullets, particles] = &mut self.gone;
        self.enemies.synchronize(&mut self.handles, enemies, &mut self.recruits);
        self.bullets.synchronize(bullets, &mut self.shots);
        self.particles.synchronize(particles, &mut self.sparks);
    }

    fn draw(&mut self) {
        let Self { enemies, towers, bullets, particles, sprites, .. } = self;
        sprites.clear();
        let tables = [
            (&enemies.position, &enemies.look),
            (&towers.position, &towers.look),
            (&bullets.position, &bullets.look),
            (&particles.position, &particles.look),
        ];
        for (positions, looks) in tables {
            let sprite = |(&position, &look)| Sprite { position, look };
            sprites.extend(zip(positions, looks).map(sprite));
        }
    }

    pub(super) fn frame(&mut self) {
        self.recruits.extend(self.waves.next(self.score));
        self.advance();
        self.shoot();
        self.collide();
        self.march();
        self.synchronize();
        self.draw();
    }

    pub(super) fn state(&self) -> State {
        let Self { enemies, towers, bullets, particles, .. } = self;
        let mut state = State::new(self.score, self.sprites.iter());
        for (row, &number) in enemies.number.iter().enumerate() {
            let places = [enemies.position[row], enemies.velocity[row]];
            state.add_enemy(number, places, enemies.health[row], enemies.corner[row]);
        }
        for (row, &number) in towers.number.iter().enumerate() {
            state.add_tower(number, towers.position[row], towers.trigger[row]);
        }
        for (row, &number) in bullets.number.iter().enumerate() {
            let places = [bullets.position[row], bullets.velocity[row]];
            state.add_bullet(number, places, bullets.life[row]);
        }
        for (row, &number) in particles.number.iter().enumerate() {
            let places = [particles.position[row], particles.velocity[row]];
            state.add_particle(number, places, particles.life[row]);
        }
        state.sorted()
    }
}

/// The game.
#[derive(Debug)]
pub struct Game(Tables);

impl Game {
    /// The game before its first frame.
    #[must_use]
    pub fn new(size: Size) -> Self {
        Self(Tables::new(size))
    }
}

impl Design for Game {
    fn frame(&mut self) {
        self.0.frame();
    }

    fn state(&self) -> State {
        self.0.state()
    }
}
