//! A tower defence: `bevy_ecs`.

use bevy_ecs::prelude::*;

#[derive(Component)]
struct Position(f32);
#[derive(Component)]
struct Speed(f32);
#[derive(Component)]
struct Health(i32);
#[derive(Component)]
struct Tower {
    range: f32,
    damage: i32,
}

#[derive(Resource, Default)]
struct Deaths(u32);
#[derive(Resource, Default)]
struct Escapes(u32);

fn walk(mut enemies: Query<(&mut Position, &Speed)>) {
    for (mut position, speed) in &mut enemies {
        position.0 += speed.0;
    }
}

fn shoot(towers: Query<(&Position, &Tower)>, mut enemies: Query<(&Position, &mut Health)>) {
    for (place, tower) in &towers {
        let in_range = enemies
            .iter_mut()
            .filter(|(position, _)| (position.0 - place.0).abs() <= tower.range);
        if let Some((_, mut health)) = in_range.max_by(|(a, _), (b, _)| a.0.total_cmp(&b.0)) {
            health.0 -= tower.damage;
        }
    }
}

fn die(
    mut commands: Commands,
    mut deaths: ResMut<Deaths>,
    mut escapes: ResMut<Escapes>,
    enemies: Query<(Entity, &Position, &Health)>,
) {
    for (enemy, position, health) in &enemies {
        if health.0 <= 0 {
            deaths.0 += 1;
            commands.entity(enemy).despawn();
        } else if position.0 > 100.0 {
            escapes.0 += 1;
            commands.entity(enemy).despawn();
        }
    }
}

pub fn main() {
    let mut world = World::new();
    world.init_resource::<Deaths>();
    world.init_resource::<Escapes>();
    let mut schedule = Schedule::default();
    schedule.add_systems((walk, shoot, die).chain());
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
        schedule.run(&mut world);
        if tick % 20 == 0 {
            let (deaths, escapes) = (world.resource::<Deaths>().0, world.resource::<Escapes>().0);
            println!("{deaths} died, {escapes} escaped");
        }
    }
}
