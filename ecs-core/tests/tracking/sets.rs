//! Sets whose components are tracked: by a system of the set, and by one of the world.

use ecs_core::{Data, Entity, Mut, World, set, world};

struct Heat(u64);
struct Wind(u64);
struct Rain(u64);

set! {
    set Weather;
    component Heat, Wind;
    system Warm {
        write: [Heat],
        read_optional: [Wind],
        run: |data| data.own.for_entities(|mut e| {
            if e.wind.is_none() {
                e.heat.0 += 1;
            }
        }),
    }
    system Gust { dependencies: [Warm], each: |wind: &mut Wind| wind.0 += 1 }
    system Melt {
        read: [Heat],
        changed: [Heat],
        dependencies: [Warm],
        output: Vec<Entity>,
        run: |data| data.effects.output().extend(data.own.changed::<Heat, Entity>()),
    }
}

world! {
    world Valley;
    include Weather;
    component Rain;
    system Fall { write: [Rain], dependencies: [Melt], run: fall }
    system Flood {
        read: [Rain, Heat],
        changed: [Rain, Heat],
        dependencies: [Fall],
        output: Vec<(char, Entity)>,
        run: flood,
    }
}

fn fall(data: &mut Data<'_, Valley, Fall>) {
    for mut rain in data.own.query::<Mut<'_, Rain>>() {
        rain.0 += 1;
    }
}

fn flood(data: &mut Data<'_, Valley, Flood>) {
    let seen = data.effects.output();
    seen.extend(data.own.changed::<Rain, Entity>().map(|entity| ('r', entity)));
    seen.extend(data.own.changed::<Heat, Entity>().map(|entity| ('h', entity)));
}

#[test]
fn a_world_and_its_set_ask_about_the_same_component() {
    let mut world = World::<Valley>::new();
    let calm = world.spawn((Heat(0), Rain(0)));
    let windy = world.spawn((Heat(0), Wind(0), Rain(0)));
    world.tick().unwrap();
    assert!(world.outputs_of::<Melt>().flatten().eq(&[calm, windy]));
    world.tick().unwrap();
    assert!(world.outputs_of::<Melt>().flatten().eq(&[calm]));
    let seen: Vec<_> = world.outputs_of::<Flood>().flatten().copied().collect();
    assert_eq!(seen, [('r', calm), ('r', windy), ('h', calm)]);
    assert_eq!(world.get::<Wind>(windy).unwrap().0, 2, "which is not tracked");
}
