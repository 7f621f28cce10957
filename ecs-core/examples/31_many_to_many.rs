//! Relations of many to many, with values: a village in which links say who likes whom, and gossip adds links.
//!
//! Run it: `cargo run -p ecs-core --example 31_many_to_many`

use std::error::Error;

use ecs_core::{Entity, Refused, StepError, World, world};

struct Name(&'static str);
/// How well one is liked by all who know them.
struct Fame(i32);
/// A link of one to another: how much the one likes the other.
struct Likes(i32);

world! {
    world Village;
    component Name, Fame;
    relation Likes: many_to_many, on_despawn: detach;

    system Rate {
        parallelism: split_evenly(cores),
        relations: [Likes],
        write: [Fame],
        run: |data| for (entity, fame) in data.own.query::<(Entity, &mut Fame)>() {
            fame.0 = data.effects.sources::<Likes>(entity).map(|(_, likes)| likes.0).sum();
        },
    }
    /// Links an entity to the friends of its friends. Links change at the end of the step.
    system Gossip {
        parallelism: split_evenly(cores),
        relations: [Likes],
        link: [Likes],
        with: [Name],
        run: |data| for (me,) in data.own.query::<(Entity,)>() {
            for (friend, likes) in data.effects.targets::<Likes>(me) {
                for (other, theirs) in data.effects.targets::<Likes>(friend) {
                    let knows = data.effects.get_link::<Likes>(me, other).is_some();
                    if other != me && !knows && likes.0 > 0 {
                        data.effects.insert_link(me, other, Likes(theirs.0 / 2));
                    }
                }
            }
        },
    }
}

/// Ada likes Bea, who dislikes Cleo.
pub fn main() -> Result<(), Box<dyn Error>> {
    let mut world = World::<Village>::new();
    let [ada, bea, cleo] = ["Ada", "Bea", "Cleo"].map(|name| world.spawn((Name(name), Fame(0))));
    world.insert_link(ada, bea, Likes(5))?;
    world.insert_link(bea, cleo, Likes(-4))?;
    world.tick()?; // Ada hears of Cleo.
    assert_eq!(world.get_link::<Likes>(ada, cleo).map(|likes| likes.0), Some(-2));
    world.tick()?;
    assert_eq!(world.get::<Fame>(cleo).map(|fame| fame.0), Some(-6));

    // In the order of iteration, from either end.
    let critics = world.sources::<Likes>(cleo).filter_map(|(who, _)| world.get::<Name>(who));
    let critics: Vec<&str> = critics.map(|name| name.0).collect();
    assert_eq!(critics, ["Ada", "Bea"]);

    world.insert_link(bea, cleo, Likes(1))?; // They have talked.
    world.despawn(bea); // Her links end.
    assert!(world.targets::<Likes>(ada).map(|(whom, _)| whom).eq([cleo]));
    let refused = Refused::DeadTarget { source: cleo, target: bea };
    let error = StepError::Refused { relation: "Likes", refused, count: 1 };
    assert_eq!(world.insert_link(cleo, bea, Likes(9)), Err(error));
    println!("Bea has left; {critics:?} talked about Cleo");
    Ok(())
}
