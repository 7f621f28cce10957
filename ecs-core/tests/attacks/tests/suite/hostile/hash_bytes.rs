//! Types that hand out other bytes than those of their values, where many of them are hashed at once.

use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

use ecs_core::{StateHash, StateHasher, World, world};

/// What `Liar` does; one test sets it.
static WAY: AtomicUsize = AtomicUsize::new(0);
static CALLS: AtomicUsize = AtomicUsize::new(0);
static OTHERS: [u8; 100_000] = [7; 100_000];

/// With padding, which must not be read.
#[derive(Clone)]
struct Liar(u8, u32);

impl StateHash for Liar {
    fn state_hash(&self, hasher: &mut StateHasher) {
        (self.0, self.1).state_hash(hasher);
    }

    fn state_hash_bytes(values: &[Self]) -> Option<&[u8]> {
        let size = size_of_val(values);
        match WAY.load(Relaxed) {
            1 => Some(&[]),
            2 => OTHERS.get(..size),
            3 => OTHERS.get(..size + 1),
            4 => Some(&OTHERS),
            5 if CALLS.fetch_add(1, Relaxed).is_multiple_of(3) => OTHERS.get(..size),
            6 => u8::state_hash_bytes(std::slice::from_ref(&values.first()?.0)),
            7 => (values.len() > 1).then(|| &OTHERS[..size]),
            _ => None,
        }
    }
}

/// Nothing but a liar.
#[derive(Clone, StateHash)]
struct Around(Liar);

/// Two of them, with what lies between.
#[derive(Clone, StateHash)]
struct Beside {
    one: Liar,
    number: u64,
    other: [Liar; 2],
}

world! {
    world Hashed {}
    component Liar: contiguous_buffer;
    component (Around, Beside): contiguous_buffer;
}

#[test]
fn bytes_that_lie() {
    let mut world = World::<Hashed>::new();
    let liar = |n: u32| Liar(n as u8, n);
    let beside = |n| Beside { one: liar(n), number: 1, other: [liar(2), liar(n)] };
    let all = world.spawn_batch((0..5000).map(|n| (liar(n), Around(liar(n)), beside(n))));
    for gone in all.iter().skip(4096).step_by(3) {
        world.remove::<Liar>(*gone).unwrap();
    }
    let truth = world.state_hashes();
    for way in 1..8 {
        WAY.store(way, Relaxed);
        // Hashes are of other bytes, and nothing worse.
        let hashes = world.state_hashes();
        assert_eq!(hashes.parts().count(), 4);
        assert!(hashes != truth || way > 4, "{way}");
        drop(world.differences(&world.clone()));
    }
    WAY.store(0, Relaxed);
    assert_eq!(world.state_hashes(), truth);
}
