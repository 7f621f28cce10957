//! The array of structs: a vector for each archetype, of structs with all components of an entity. One thread.

use super::Design;
use super::by_hand::{Grid, Handle, Handles, Seen};
use super::rules::{
    self, BULLET, PARTICLE, Recruit, Score, Shot, Site, Size, Spark, Sprite, State, Trigger,
    Vector, Waves,
};

#[derive(Debug)]
struct Enemy {
    is: Recruit,
    velocity: Vector,
    handle: Handle,
}

#[derive(Debug)]
struct Tower {
    is: Site,
    trigger: Trigger,
}

#[derive(Debug)]
struct Bullet {
    is: Shot<Handle>,
    velocity: Vector,
}

/// The game.
#[derive(Debug, Default)]
pub struct Game {
    enemies: Vec<Enemy>,
    towers: Vec<Tower>,
    bullets: Vec<Bullet>,
    particles: Vec<Spark>,
    handles: Handles,
    grid: Grid,
    waves: Waves,
    score: Score,
    sprites: Vec<Sprite>,
    /// What comes at the end of the frame, and what goes.
    recruits: Vec<Recruit>,
    shots: Vec<Shot<Handle>>,
    sparks: Vec<Spark>,
    gone: [Vec<usize>; 3],
}

impl Game {
    /// The game before its first frame.
    #[must_use]
    pub fn new(size: Size) -> Self {
        let towers = Site::all(size).map(|is| Tower { is, trigger: Trigger::default() });
        let mut game =
            Self { waves: Waves::new(size), towers: towers.collect(), ..Self::default() };
        game.recruits.extend(Recruit::first(size));
        game.synchronize();
        game
    }

    fn advance(&mut self) {
        for bullet in &mut self.bullets {
            if let Some(index) = self.handles.find(bullet.is.target) {
                let goal = self.enemies[index].is.position;
                bullet.velocity = rules::towards(bullet.is.position, goal, bullet.is.weapon.speed);
            }
        }
        for bullet in &mut self.bullets {
            rules::advance(&mut bullet.is.position, bullet.velocity);
        }
        for enemy in &mut self.enemies {
            rules::advance(&mut enemy.is.position, enemy.velocity);
        }
        for particle in &mut self.particles {
            rules::slow(&mut particle.velocity);
            rules::advance(&mut particle.position, particle.velocity);
        }
    }

    fn shoot(&mut self) {
        let seen = |(index, enemy): (usize, &Enemy)| {
            let Recruit { position, number, .. } = enemy.is;
            Seen { position, number, index: index as u32 }
        };
        self.grid.sort(self.enemies.iter().enumerate().map(seen));
        for tower in &mut self.towers {
            if !tower.trigger.is_ready() {
                continue;
            }
            let Site { number, position, weapon, .. } = tower.is;
            if let Some(enemy) = self.grid.nearest(position) {
                let target = self.enemies[enemy as usize].handle;
                self.shots.push(tower.trigger.shoot(number, position, weapon, target));
            }
        }
    }

    fn collide(&mut self) {
        let [_, gone, _] = &mut self.gone;
        for (index, bullet) in self.bullets.iter_mut().enumerate() {
            let Shot { number, position, target, weapon, .. } = bullet.is;
            let target = self.handles.find(target);
            let hit = target.filter(|&i| rules::hits(position, self.enemies[i].is.position));
            if let Some(target) = hit {
                self.score.hits += 1;
                self.sparks.push(Spark::of_hit(number, position));
                if weapon.blast > 0.0 {
                    for e in self.grid.around(position).into_iter().flatten() {
                        if rules::harms(position, weapon.blast, e.position) {
                            self.enemies[e.index as usize].is.health -= weapon.damage;
                        }
                    }
                } else {
                    self.enemies[target].is.health -= weapon.damage;
                }
            }
            if rules::vanishes(&mut bullet.is.life, position) || hit.is_some() {
                gone.push(index);
            }
        }
    }

    fn march(&mut self) {
        let [gone, _, gone_particles] = &mut self.gone;
        for (index, enemy) in self.enemies.iter_mut().enumerate() {
            let Recruit { number, position, lane, speed, health, .. } = enemy.is;
            if health <= 0 {
                self.score.killed += 1;
                self.sparks.extend(Spark::of_death(number, position));
                gone.push(index);
            } else if !rules::march(
                position,
                &mut enemy.velocity,
                lane,
                speed,
                &mut enemy.is.corner,
            ) {
                self.score.escaped += 1;
                gone.push(index);
            }
        }
        for (index, particle) in self.particles.iter_mut().enumerate() {
            if rules::vanishes(&mut particle.life, particle.position) {
                gone_particles.push(index);
            }
        }
    }

    /// Lets entities go and come.
    fn synchronize(&mut self) {
        let [enemies, bullets, particles] = &mut self.gone;
        for index in enemies.drain(..).rev() {
            self.handles.remove(self.enemies.swap_remove(index).handle);
            if let Some(moved) = self.enemies.get(index) {
                self.handles.set(moved.handle, index);
            }
        }
        for index in bullets.drain(..).rev() {
            self.bullets.swap_remove(index);
        }
        for index in particles.drain(..).rev() {
            self.particles.swap_remove(index);
        }
        for is in self.recruits.drain(..) {
            let handle = self.handles.add(self.enemies.len());
            self.enemies.push(Enemy { is, velocity: [0.0; 2], handle });
        }
        self.bullets.extend(self.shots.drain(..).map(|is| Bullet { is, velocity: [0.0; 2] }));
        self.particles.append(&mut self.sparks);
    }

    fn draw(&mut self) {
        let Self { enemies, towers, bullets, particles, sprites, .. } = self;
        sprites.clear();
        let enemies = enemies.iter().map(|e| (e.is.position, e.is.look));
        let towers = towers.iter().map(|t| (t.is.position, t.is.look));
        let bullets = bullets.iter().map(|b| (b.is.position, BULLET));
        let particles = particles.iter().map(|p| (p.position, PARTICLE));
        sprites.extend(enemies.map(|(position, look)| Sprite { position, look }));
        sprites.extend(towers.map(|(position, look)| Sprite { position, look }));
        sprites.extend(bullets.map(|(position, look)| Sprite { position, look }));
        sprites.extend(particles.map(|(position, look)| Sprite { position, look }));
    }
}

impl Design for Game {
    fn frame(&mut self) {
        self.recruits.extend(self.waves.next(self.score));
        self.advance();
        self.shoot();
        self.collide();
        self.march();
        self.synchronize();
        self.draw();
    }

    fn state(&self) -> State {
        let mut state = State::new(self.score, self.sprites.iter());
        for Enemy { is, velocity, .. } in &self.enemies {
            state.add_enemy(is.number, [is.position, *velocity], is.health, is.corner);
        }
        for Tower { is, trigger } in &self.towers {
            state.add_tower(is.number, is.position, *trigger);
        }
        for Bullet { is, velocity } in &self.bullets {
            state.add_bullet(is.number, [is.position, *velocity], is.life);
        }
        for is in &self.particles {
            state.add_particle(is.number, [is.position, is.velocity], is.life);
        }
        state.sorted()
    }
}
