//! Compares the naive particle model with the states of the thesis's own program, bit for bit.

use crate::support::fixture;
use crate::support::naive_particles::NaiveParticles;
use ecs_examples::particles::{Disc, csv};
use ecs_examples::simulation::{ParticleWorld, Simulation};
use std::fs::File;
use std::io::BufReader;

fn reference(frame: u32) -> Vec<(u32, Disc)> {
    let file = File::open(fixture(frame)).expect("the fixture exists");
    csv::read(BufReader::new(file)).expect("it is well formed")
}

fn state(world: &dyn ParticleWorld) -> Vec<(u32, Disc)> {
    let mut discs = Vec::new();
    world.for_each_disc(&mut |id, disc| discs.push((id, *disc)));
    discs
}

/// Panics where two states differ in anything but alpha.
fn assert_same(frame: u32, mut ours: Vec<(u32, Disc)>, mut theirs: Vec<(u32, Disc)>) {
    assert_eq!(ours.len(), theirs.len(), "frame {frame}");
    for ((id, ours), (their_id, theirs)) in ours.iter_mut().zip(&mut theirs) {
        assert_eq!(id, their_id, "frame {frame}");
        ours.color[3] = 0;
        theirs.color[3] = 0;
        let bits = |disc: &Disc| {
            let mut text = Vec::new();
            csv::write_disc(&mut text, *id, disc).expect("memory can be written");
            String::from_utf8(text).expect("numbers are text")
        };
        assert_eq!(bits(ours), bits(theirs), "frame {frame}");
    }
}

#[test]
fn the_naive_model_reproduces_the_thesis() {
    let mut world = NaiveParticles::new(reference(0).into_iter().map(|(_, disc)| disc));
    let mut contacts = Vec::new();
    for frame in 1..=124 {
        contacts.push(world.frame().expect("nothing is created").contacts);
        if matches!(frame, 1 | 2 | 30) {
            assert_same(frame, state(&world), reference(frame));
        }
    }
    assert_eq!((contacts[0], contacts[1], contacts[29]), (110, 18, 4));
    assert_eq!(contacts.iter().sum::<u64>(), 505);
    assert_eq!(world.alive(), 3000, "no disc is despawned before frame 125");
}
