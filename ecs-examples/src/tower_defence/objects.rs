//! Objects with virtual calls: one list of boxes, in which each object knows by its methods what to do. One thread.

use core::fmt::Debug;

use super::Design;
use super::by_hand::{Grid, Handle, Handles, Seen};
use super::rules::{
    self, BULLET, PARTICLE, Recruit, Score, Shot, Site, Size, Spark, Sprite, State, Trigger,
    Vector, Waves,
};

/// What an object has to say at the end of its turn.
enum Turn {
    Stays,
    Goes,
}

/// What objects do to others, and what they bring in.
#[derive(Debug, Default)]
struct Staged {
    objects: Vec<Box<dyn Object>>,
    /// The index of an enemy, and the damage that it takes.
    damage: Vec<(u32, i32)>,
    score: Score,
}

/// The base class of all entities.
trait Object: Debug + Send {
    /// What it follows.
    fn target(&self) -> Option<Handle> {
        None
    }
    /// Turns towards what it follows.
    fn steer(&mut self, _target: Vector) {}
    /// Moves.
    fn advance(&mut self) {}
    /// Where others see it.
    fn as_enemy(&self) -> Option<(Vector, u32)> {
        None
    }
    fn handle(&self) -> Option<Handle> {
        None
    }
    fn set_handle(&mut self, _: Handle) {}
    /// Acts on others. It is told where its target is, and its index.
    fn act(&mut self, _: Option<(u32, Vector)>, _: &Scene<'_>, _: &mut Staged) -> Turn {
        Turn::Stays
    }
    fn take(&mut self, _damage: i32) {}
    /// Decides what to do next.
    fn decide(&mut self, _: &mut Staged) -> Turn {
        Turn::Stays
    }
    fn draw(&self) -> Sprite;
    fn describe(&self, state: &mut State);
}

/// What an object sees of the others.
struct Scene<'a> {
    grid: &'a Grid,
    /// For each object its handle, if it is an enemy.
    handles: &'a [Option<Handle>],
}

#[derive(Debug)]
struct Enemy {
    is: Recruit,
    velocity: Vector,
    handle: Option<Handle>,
}

impl Object for Enemy {
    fn advance(&mut self) {
        rules::advance(&mut self.is.position, self.velocity);
    }

    fn as_enemy(&self) -> Option<(Vector, u32)> {
        Some((self.is.position, self.is.number))
    }

    fn handle(&self) -> Option<Handle> {
        self.handle
    }

    fn set_handle(&mut self, handle: Handle) {
        self.handle = Some(handle);
    }

    fn take(&mut self, damage: i32) {
        self.is.health -= damage;
    }

    fn decide(&mut self, staged: &mut Staged) -> Turn {
        let Recruit { number, position, lane, speed, health, .. } = self.is;
        if health <= 0 {
            staged.score.killed += 1;
            for is in Spark::of_death(number, position) {
                staged.objects.push(Box::new(Particle(is)));
            }
            return Turn::Goes;
        }
        if !rules::march(position, &mut self.velocity, lane, speed, &mut self.is.corner) {
            staged.score.escaped += 1;
            return Turn::Goes;
        }
        Turn::Stays
    }

    fn draw(&self) -> Sprite {
        Sprite { position: self.is.position, look: self.is.look }
    }

    fn describe(&self, state: &mut State) {
        let Recruit { number, position, health, corner, .. } = self.is;
        state.add_enemy(number, [position, self.velocity], health, corner);
    }
}

#[derive(Debug)]
struct Tower {
    is: Site,
    trigger: Trigger,
}

impl Object for Tower {
    fn act(&mut self, _: Option<(u32, Vector)>, scene: &Scene<'_>, staged: &mut Staged) -> Turn {
        if self.trigger.is_ready() {
            let (from, nearest) = (self.is.position, scene.grid.nearest(self.is.position));
            if let Some(target) = nearest.and_then(|enemy| scene.handles[enemy as usize]) {
                let is = self.trigger.shoot(self.is.number, from, self.is.weapon, target);
                staged.objects.push(Box::new(Bullet { is, velocity: [0.0; 2] }));
            }
        }
        Turn::Stays
    }

    fn draw(&self) -> Sprite {
        Sprite { position: self.is.position, look: self.is.look }
    }

    fn describe(&self, state: &mut State) {
        state.add_tower(self.is.number, self.is.position, self.trigger);
    }
}

#[derive(Debug)]
struct Bullet {
    is: Shot<Handle>,
    velocity: Vector,
}

impl Object for Bullet {
    fn target(&self) -> Option<Handle> {
        Some(self.is.target)
    }

    fn steer(&mut self, target: Vector) {
        self.velocity = rules::towards(self.is.position, target, self.is.weapon.speed);
    }

    fn advance(&mut self) {
        rules::advance(&mut self.is.position, self.velocity);
    }

    fn act(
        &mut self,
        target: Option<(u32, Vector)>,
        scene: &Scene<'_>,
        staged: &mut Staged,
    ) -> Turn {
        let Shot { number, position, weapon, .. } = self.is;
        let hit = target.filter(|target| rules::hits(position, target.1));
        if let Some((target, _)) = hit {
            staged.score.hits += 1;
            staged.objects.push(Box::new(Particle(Spark::of_hit(number, position))));
            if weapon.blast > 0.0 {
                for e in scene.grid.around(position).into_iter().flatten() {
                    if rules::harms(position, weapon.blast, e.position) {
                        staged.damage.push((e.index, weapon.damage));
                    }
                }
            } else {
                staged.damage.push((target, weapon.damage));
            }
        }
        let vanishes = rules::vanishes(&mut self.is.life, position);
        if vanishes || hit.is_some() { Turn::Goes } else { Turn::Stays }
    }

    fn draw(&self) -> Sprite {
        Sprite { position: self.is.position, look: BULLET }
    }

    fn describe(&self, state: &mut State) {
        state.add_bullet(self.is.number, [self.is.position, self.velocity], self.is.life);
    }
}

#[derive(Debug)]
struct Particle(Spark);

impl Object for Particle {
    fn advance(&mut self) {
        rules::slow(&mut self.0.velocity);
        rules::advance(&mut self.0.position, self.0.velocity);
    }

    fn decide(&mut self, _: &mut Staged) -> Turn {
        if rules::vanishes(&mut self.0.life, self.0.position) { Turn::Goes } else { Turn::Stays }
    }

    fn draw(&self) -> Sprite {
        Sprite { position: self.0.position, look: PARTICLE }
    }

    fn describe(&self, state: &mut State) {
        let Spark { number, position, velocity, life } = self.0;
        state.add_particle(number, [position, velocity], life);
    }
}

/// The game.
#[derive(Debug, Default)]
pub struct Game {
    objects: Vec<Box<dyn Object>>,
    handles: Handles,
    /// For each object its handle, if it is an enemy.
    handle_of: Vec<Option<Handle>>,
    grid: Grid,
    seen: Vec<Seen>,
    waves: Waves,
    staged: Staged,
    gone: Vec<usize>,
    sprites: Vec<Sprite>,
}

impl Game {
    /// The game before its first frame.
    #[must_use]
    pub fn new(size: Size) -> Self {
        let mut game = Self { waves: Waves::new(size), ..Self::default() };
        for is in Site::all(size) {
            game.staged.objects.push(Box::new(Tower { is, trigger: Trigger::default() }));
        }
        Recruit::first(size).for_each(|is| game.recruit(is));
        game.synchronize();
        game
    }

    fn recruit(&mut self, is: Recruit) {
        self.staged.objects.push(Box::new(Enemy { is, velocity: [0.0; 2], handle: None }));
    }

    /// Where the target of an object is.
    fn target_of(&self, object: usize) -> Option<(u32, Vector)> {
        let index = self.handles.find(self.objects[object].target()?)?;
        let (position, _) = self.objects[index].as_enemy()?;
        Some((index as u32, position))
    }

    /// Lets objects go and come.
    fn synchronize(&mut self) {
        self.gone.sort_unstable();
        for index in self.gone.drain(..).rev() {
            if let Some(handle) = self.objects.swap_remove(index).handle() {
                self.handles.remove(handle);
            }
            self.handle_of.swap_remove(index);
            if let Some(handle) = self.handle_of.get(index).copied().flatten() {
                self.handles.set(handle, index);
            }
        }
        for mut object in self.staged.objects.drain(..) {
            let is_enemy = object.as_enemy().is_some();
            let handle = is_enemy.then(|| self.handles.add(self.objects.len()));
            if let Some(handle) = handle {
                object.set_handle(handle);
            }
            self.handle_of.push(handle);
            self.objects.push(object);
        }
    }
}

impl Design for Game {
    fn frame(&mut self) {
        self.waves.next(self.staged.score).for_each(|is| self.recruit(is));
        for object in 0..self.objects.len() {
            if let Some((_, target)) = self.target_of(object) {
                self.objects[object].steer(target);
            }
        }
        self.objects.iter_mut().for_each(|object| object.advance());

        self.seen.clear();
        self.seen.extend((0..).zip(&self.objects).filter_map(|(index, object)| {
            let (position, number) = object.as_enemy()?;
            Some(Seen { position, number, index })
        }));
        self.grid.sort(self.seen.iter().copied());
        for index in 0..self.objects.len() {
            let target = self.target_of(index);
            let scene = Scene { grid: &self.grid, handles: &self.handle_of };
            if let Turn::Goes = self.objects[index].act(target, &scene, &mut self.staged) {
                self.gone.push(index);
            }
        }
        for (index, damage) in self.staged.damage.drain(..) {
            self.objects[index as usize].take(damage);
        }
        for (index, object) in self.objects.iter_mut().enumerate() {
            if let Turn::Goes = object.decide(&mut self.staged) {
                self.gone.push(index);
            }
        }
        self.synchronize();
        self.sprites.clear();
        self.sprites.extend(self.objects.iter().map(|object| object.draw()));
    }

    fn state(&self) -> State {
        let mut state = State::new(self.staged.score, self.sprites.iter());
        self.objects.iter().for_each(|object| object.describe(&mut state));
        state.sorted()
    }
}
