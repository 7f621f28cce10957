//! A tower defence: `ecs_core`.

use ecs_core::{Entity, World, world};

struct Position(f32);
struct Speed(f32);
struct Health(i32);
struct Tower {
    range: f32,
    damage: i32,
}

#[derive(Default)]
struct Deaths(u32);
#[derive(Default)]
struct Escapes(u32);

world! {
    world Defence;
    component Position, Speed, Health, Tower;
    resource Deaths, Escapes;
    query Towers { read: [Position, Tower] }
    order Walk -> Shoot -> Die;
    system Walk { each: |position: &mut Position, speed: &Speed| position.0 += speed.0 }
    system Shoot {
        queries: [Towers],
        read: [Position],
        write: [Health],
        run: |data| {
            for (place, tower) in data.effects.members::<Towers, (&Position, &Tower)>() {
                let near = data.own.iter().filter(|e| (e.position.0 - place.0).abs() <= tower.range);
                if let Some(enemy) = near.max_by(|a, b| a.position.0.total_cmp(&b.position.0)) {
                    enemy.health.0 -= tower.damage;
                }
            }
        },
    }
    system Die {
        despawn,
        each: |enemy: Entity, at: &Position, health: &Health, deaths: &mut Deaths, escapes: &mut Escapes, effects| {
            if health.0 <= 0 {
                deaths.0 += 1;
                effects.despawn(enemy);
            } else if at.0 > 100.0 {
                escapes.0 += 1;
                effects.despawn(enemy);
            }
        },
    }
}

pub fn main() {
    let mut world = World::<Defence>::new();
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
        world.tick().unwrap();
        if tick % 20 == 0 {
            let (deaths, escapes) = (world.resource::<Deaths>().0, world.resource::<Escapes>().0);
            println!("{deaths} died, {escapes} escaped");
        }
    }
}
