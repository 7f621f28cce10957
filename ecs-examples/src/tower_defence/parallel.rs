//! The structure of arrays in parallel: the tables of [`columns`](super::columns), with loops and tasks of rayon.
//!
//! Loops are split over rows. What rows stage comes in the order of rows, and what they do to others is applied
//! afterwards, on one thread.

use core::iter::zip;
use std::sync::Arc;

use rayon::ThreadPool;
use rayon::prelude::*;

use super::Design;
use super::by_hand::{Grid, Handles};
use super::columns::{Bullets, Enemies, Particles, Tables, Towers};
use super::rules::{self, Score, Size, Spark, Sprite, State};

/// The rows of a task, at least: shorter loops are not worth a thread.
const ROWS: usize = 1_024;

fn advance(
    enemies: &mut Enemies,
    bullets: &mut Bullets,
    particles: &mut Particles,
    handles: &Handles,
) {
    let targets = &enemies.position;
    let follow = bullets.velocity.par_iter_mut().zip(&bullets.position);
    let follow = follow.zip(bullets.target.par_iter().zip(&bullets.weapon)).with_min_len(ROWS);
    follow.for_each(|((velocity, &position), (&target, weapon))| {
        if let Some(row) = handles.find(target) {
            *velocity = rules::towards(position, targets[row], weapon.speed);
        }
    });
    let particles = particles.position.par_iter_mut().zip(&mut particles.velocity);
    let particles = particles.map(|(position, velocity)| {
        rules::slow(velocity);
        (position, &*velocity)
    });
    let all = enemies.position.par_iter_mut().zip(&enemies.velocity);
    let all = all.chain(bullets.position.par_iter_mut().zip(&bullets.velocity)).chain(particles);
    all.with_min_len(ROWS).for_each(|(position, velocity)| rules::advance(position, *velocity));
}

/// The bullets of the towers.
fn shoot(towers: &mut Towers, enemies: &Enemies, grid: &Grid, shots: &mut Vec<Shot>) {
    let all = towers.trigger.par_iter_mut().zip(&towers.position);
    let all = all.zip(towers.number.par_iter().zip(&towers.weapon)).with_min_len(16);
    shots.par_extend(all.filter_map(|((trigger, &from), (&number, &weapon))| {
        let nearest = trigger.is_ready().then(|| grid.nearest(from)).flatten();
        let target = enemies.handle[nearest? as usize];
        Some(trigger.shoot(number, from, weapon, target))
    }));
}

type Shot = rules::Shot<super::by_hand::Handle>;

/// What a bullet does: its row, if it is gone; its particle and its target, if it has hit.
type Flown = (usize, Option<(Spark, usize)>);

/// Lets bullets fly.
fn fly(bullets: &mut Bullets, enemies: &Enemies, handles: &Handles, flown: &mut Vec<Flown>) {
    let all = bullets.life.par_iter_mut().zip(&bullets.position).zip(&bullets.number);
    let all = all.zip(&bullets.target).enumerate().with_min_len(ROWS);
    flown.par_extend(all.filter_map(|(row, (((life, &position), &number), &target))| {
        let target = handles.find(target);
        let hit = target.filter(|&target| rules::hits(position, enemies.position[target]));
        let hit = hit.map(|target| (Spark::of_hit(number, position), target));
        (rules::vanishes(life, position) || hit.is_some()).then_some((row, hit))
    }));
}

/// Applies the hits.
fn hurt(flown: &[Flown], bullets: &Bullets, enemies: &mut Enemies, grid: &Grid) -> u32 {
    let mut hits = 0;
    for (row, (_, target)) in flown.iter().filter_map(|&(row, hit)| Some((row, hit?))) {
        hits += 1;
        let (position, weapon) = (bullets.position[row], bullets.weapon[row]);
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
    hits
}

/// Lets enemies march. The rows of those that are gone, and the particles of those that were killed.
fn march(enemies: &mut Enemies, gone: &mut Vec<usize>, sparks: &mut Vec<Spark>) -> Score {
    let all = enemies.velocity.par_iter_mut().zip(&mut enemies.corner);
    let all = all.zip(enemies.position.par_iter().zip(&enemies.lane));
    let all = all.zip(enemies.speed.par_iter().zip(&enemies.health)).enumerate();
    gone.par_extend(all.with_min_len(ROWS).filter_map(
        |(row, (((velocity, corner), (&position, &lane)), (&speed, &health)))| {
            let stays = health > 0 && rules::march(position, velocity, lane, speed, corner);
            (!stays).then_some(row)
        },
    ));
    let killed: Vec<usize> = gone.iter().copied().filter(|&row| enemies.health[row] <= 0).collect();
    for &row in &killed {
        sparks.extend(Spark::of_death(enemies.number[row], enemies.position[row]));
    }
    let killed = killed.len() as u32;
    Score { killed, escaped: gone.len() as u32 - killed, hits: 0 }
}

fn fade(particles: &mut Particles, gone: &mut Vec<usize>) {
    let all = particles.life.par_iter_mut().zip(&particles.position).enumerate();
    gone.par_extend(
        all.with_min_len(ROWS)
            .filter_map(|(row, (life, &position))| rules::vanishes(life, position).then_some(row)),
    );
}

/// The game.
#[derive(Debug)]
pub struct Game {
    tables: Tables,
    flown: Vec<Flown>,
    pool: Arc<ThreadPool>,
}

impl Game {
    /// The game before its first frame.
    #[must_use]
    pub fn new(size: Size, pool: Arc<ThreadPool>) -> Self {
        Self { tables: Tables::new(size), flown: Vec::new(), pool }
    }
}

/// A frame, on the threads of the current pool.
fn frame(tables: &mut Tables, flown: &mut Vec<Flown>) {
    let Tables { enemies, towers, bullets, particles, handles, .. } = tables;
    let Tables { grid, waves, score, sprites, recruits, shots, sparks, .. } = tables;
    let [gone_enemies, gone_bullets, gone_particles] = &mut tables.gone;
    recruits.extend(waves.next(*score));
    advance(enemies, bullets, particles, handles);
    // Waves of systems that do not conflict, as the paper's executor makes them.
    rayon::join(
        || grid.sort(enemies.seen()),
        || {
            flown.clear();
            fly(bullets, enemies, handles, flown);
            fade(particles, gone_particles);
        },
    );
    shoot(towers, enemies, grid, shots);
    score.hits += hurt(flown, bullets, enemies, grid);
    sparks.extend(flown.iter().filter_map(|(_, hit)| Some(hit.as_ref()?.0)));
    gone_bullets.extend(flown.iter().map(|(row, _)| row));
    let marched = march(enemies, gone_enemies, sparks);
    score.killed += marched.killed;
    score.escaped += marched.escaped;
    rayon::join(
        || enemies.synchronize(handles, gone_enemies, recruits),
        || {
            bullets.synchronize(gone_bullets, shots);
            particles.synchronize(gone_particles, sparks);
        },
    );
    sprites.clear();
    let tables = [
        (&enemies.position, &enemies.look),
        (&towers.position, &towers.look),
        (&bullets.position, &bullets.look),
        (&particles.position, &particles.look),
    ];
    let lengths = tables.map(|(positions, _)| positions.len());
    sprites.resize(lengths.iter().sum(), Sprite { position: [0.0; 2], look: 0 });
    let mut rest = &mut sprites[..];
    let parts = zip(tables, lengths).map(|((positions, looks), length)| {
        let part = rest.split_off_mut(..length).expect("it is as long as all tables");
        part.par_iter_mut().zip(positions).zip(looks)
    });
    let parts: Vec<_> = parts.collect();
    parts.into_par_iter().for_each(|part| {
        part.with_min_len(4 * ROWS).for_each(|((sprite, &position), &look)| {
            *sprite = Sprite { position, look };
        });
    });
}

impl Design for Game {
    fn frame(&mut self) {
        let Self { tables, flown, pool } = self;
        pool.install(|| frame(tables, flown));
    }

    fn state(&self) -> State {
        self.tables.state()
    }
}
