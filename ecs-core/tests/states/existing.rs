//! States that are enums of the program's: of another module, with numbers of their own, and of several worlds.

use ecs_core::{States, World, world};

mod game {
    use ecs_core::States;

    /// With numbers that are not the positions.
    #[derive(Clone, Copy, Debug, Eq, PartialEq, States)]
    pub(crate) enum Mode {
        Menu = 7,
        Playing = 3,
        Paused = 5,
    }
}

/// By hand.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
enum Day {
    Noon,
    Night,
}

impl States for Day {
    const VARIANTS: &'static [Self] = &[Self::Noon, Self::Night];
}

#[derive(Default)]
struct Log(Vec<&'static str>);

world! {
    world Client;
    resource Log;
    state Mode = game::Mode { Menu, Playing, Paused };
    state Time = Day { Noon, Night };
    system Play {
        in: Mode::Playing,
        set_state: [Time],
        run: |effects, log: &mut Log| {
            log.0.push("play");
            effects.set_state(Day::Night);
        },
    }
    system Wait { in: [Menu, Paused], run: |_, log: &mut Log| log.0.push("wait") }
    system Stop { on_exit: Mode::Playing, run: |_, log: &mut Log| log.0.push("stop") }
    system Sleep { on_enter: Time::Night, run: |_, log: &mut Log| log.0.push("sleep") }
}

// The same enum, by the name that is in scope.
use game::Mode;

world! {
    world Server;
    state Mode = Mode { Menu, Playing, Paused };
    system Count { in: Mode::Playing, output: Vec<Mode>, run: |data| {
        let mode = data.effects.state::<Mode>();
        data.effects.output().push(mode);
    } }
}

#[test]
fn an_enum_of_the_program_is_a_state() {
    let mut world = World::<Client>::new();
    assert_eq!((world.state::<Mode>(), world.state::<Day>()), (Mode::Menu, Day::Noon));
    world.tick().expect("no error");
    world.set_state(Mode::Playing);
    world.tick().expect("no error");
    assert_eq!((world.state::<Mode>(), world.state::<Day>()), (Mode::Playing, Day::Night));
    world.set_state(Mode::Paused);
    world.tick().expect("no error");
    assert_eq!(world.resource::<Log>().0, ["wait", "play", "sleep", "stop", "wait"]);
    assert_eq!(Mode::VARIANTS.iter().map(|mode| mode.position()).collect::<Vec<_>>(), [0, 1, 2]);
}

#[test]
fn several_worlds_have_the_same_enum() {
    let (mut client, mut server) = (World::<Client>::new(), World::<Server>::new());
    client.set_state(Mode::Playing);
    server.set_state(Mode::Playing);
    client.tick().expect("no error");
    server.tick().expect("no error");
    assert_eq!(client.state::<Mode>(), server.state::<Mode>());
    assert!(server.outputs_of::<Count>().flatten().eq(&[Mode::Playing]));
    let mut copy = server.clone();
    copy.set_state(Mode::Paused);
    copy.tick().expect("no error");
    assert_eq!((copy.state::<Mode>(), server.state::<Mode>()), (Mode::Paused, Mode::Playing));
    assert_ne!(copy.state_hash(), server.state_hash());
}
