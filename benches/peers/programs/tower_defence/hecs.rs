//! A tower defence: `hecs`.

use hecs::{CommandBuffer, Entity, World};

struct Position(f32);
struct Speed(f32);
struct Health(i32);
struct Tower {
    range: f32,
    damage: i32,
}

fn walk(world: &mut World) {
    for (position, speed) in world.query_mut::<(&mut Position, &Speed)>() {
        position.0 += speed.0;
    }
}

fn shoot(world: &mut World) {
    for (place, tower) in &mut world.query::<(&Position, &Tower)>() {
        let mut enemies = world.query::<(&Position, &mut Health)>();
        let in_range = enemies
            .iter()
            .filter(|(position, _)| (position.0 - place.0).abs() <= tower.range);
        if let Some((_, health)) = in_range.max_by(|(a, _), (b, _)| a.0.total_cmp(&b.0)) {
            health.0 -= tower.damage;
        }
    }
}

fn die(world: &mut World, deaths: &mut u32, escapes: &mut u32) {
    let mut commands = CommandBuffer::new();
    for (enemy, position, health) in world.query_mut::<(Entity, &Position, &Health)>() {
        if health.0 <= 0 {
            *deaths += 1;
            commands.despawn(enemy);
        } else if position.0 > 100.0 {
            *escapes += 1;
            commands.despawn(enemy);
        }
    }
    commands.run_on(world);
}

pub fn main() {
    let mut world = World::new();
    let (mut deaths, mut escapes) = (0, 0);
    for place in [20.0, 50.0, 80.0] {
        world.spawn((
            Position(place),
            Tower {
                range: 15.0,
                damage: 3,
            },
        ));
    }
    for n in 0_u8..20 {
        world.spawn((Position(0.0), Speed(1.0 + f32::from(n) / 8.0), Health(30)));
    }
    for tick in 0..100 {
        walk(&mut world);
        shoot(&mut world);
        die(&mut world, &mut deaths, &mut escapes);
        if tick % 20 == 0 {
            println!("{deaths} died, {escapes} escaped");
        }
    }
}
