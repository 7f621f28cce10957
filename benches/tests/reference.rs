//! Compares the particle simulation by hand with the states that the thesis's own program printed.

use benches::by_hand::particles::Particles;
use ecs_examples::particles::Disc;
use std::{fs, path::Path};

/// A state of 3 000 discs after `frame` frames, in ascending order of id.
fn reference(frame: usize) -> Vec<(u32, Disc)> {
    let name = format!("../ecs-examples/tests/fixtures/particles-3000-frame-{frame}.csv");
    let text = fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join(name))
        .expect("the fixture can be read");
    text.lines().skip(1).map(disc).collect()
}

fn disc(line: &str) -> (u32, Disc) {
    let fields: Vec<&str> = line.split(',').collect();
    let float = |at: usize| fields[at].parse::<f32>().expect("a float");
    let byte = |at: usize| fields[at].parse::<u8>().expect("a byte");
    let disc = Disc {
        position: [float(1), float(2)],
        velocity: [float(3), float(4)],
        acceleration: [float(5), float(6)],
        color: [byte(7), byte(8), byte(9), byte(10)],
        radius: float(11),
        life: float(12),
    };
    (fields[0].parse().expect("an id"), disc)
}

/// All values but alpha, on which the reference program has a race.
fn bits((id, disc): &(u32, Disc)) -> [u32; 12] {
    let [red, green, blue, _] = disc.color;
    [
        *id,
        disc.position[0].to_bits(),
        disc.position[1].to_bits(),
        disc.velocity[0].to_bits(),
        disc.velocity[1].to_bits(),
        disc.acceleration[0].to_bits(),
        disc.acceleration[1].to_bits(),
        u32::from(red),
        u32::from(green),
        u32::from(blue),
        disc.radius.to_bits(),
        disc.life.to_bits(),
    ]
}

#[test]
fn equals_the_reference_bit_for_bit() {
    let start: Vec<Disc> = reference(0).into_iter().map(|(_, disc)| disc).collect();
    for threads in 1..=3 {
        let mut world = Particles::new(&start, threads);
        let mut total = 0;
        for frame in 1..=124 {
            let contacts = world.frame();
            total += contacts;
            let expected = match frame {
                1 => 110,
                2 => 18,
                30 => 4,
                _ => continue,
            };
            assert_eq!(contacts, expected, "contacts in frame {frame}");
            let (discs, reference) = (world.discs(), reference(frame));
            assert_eq!(discs.len(), reference.len());
            for (disc, expected) in discs.iter().zip(&reference) {
                assert_eq!(bits(disc), bits(expected), "frame {frame}, {threads} threads");
            }
        }
        assert_eq!(total, 505, "contacts in frames 1 to 124");
    }
}
