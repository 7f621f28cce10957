//! By this library (thesis, 3.5.1.2): a widget is animated if it has an animation, and its other components
//! determine how.
//!
//! The filters of the two systems that animate exclude a common widget, so they need no order. A button sends messages to its
//! window if it has a component that says which ones; a message to a window that is closed meanwhile is not read.

use super::{Animation, Button, Input, Kind, Look, Message, Textbox, Window, window_of};
use crate::part_one::Encoding;
use ecs_core::{Entity, Threads, World, world};

/// What a button sends, and to which window.
pub struct Sends {
    window: Entity,
    message: Message,
}

world! {
    /// The GUI.
    pub world Widgets;

    component Textbox, Button, Animation, Window, Sends;

    /// What a button wants of its window.
    event Message: addressed;

    /// The user's input.
    resource Input;

    /// Enters keys into textboxes.
    system Type { each: |textbox: &mut Textbox, input: &Input| textbox.handle(input) }
    /// Clicks on buttons.
    system Click { each: |button: &mut Button, input: &Input| button.handle(input) }
    /// Animates textboxes.
    system Blink {
        with: [Textbox],
        without: [Button],
        each: |animation: &mut Animation| Textbox::animate(animation),
    }
    /// Animates buttons.
    system Glow {
        dependencies: [Click],
        without: [Textbox],
        each: |button: &Button, animation: &mut Animation, input: &Input| {
            button.animate(animation, input);
        },
    }
    /// Sends the messages of buttons.
    system Press {
        dependencies: [Click],
        emit: [Message],
        each: |button: &Button, sends: &Sends, effects, input: &Input| {
            if button.is_clicked(input) {
                effects.send(sends.window, sends.message);
            }
        },
    }
    /// Enlarges and closes windows.
    system Obey {
        on: [Message],
        write: [Window],
        despawn,
        run: |data| data.for_messages::<Message>(|one, messages, effects| {
            for message in messages {
                match message {
                    Message::Maximize => one.window.maximize(),
                    Message::Close => effects.despawn(one.entity),
                }
            }
        }),
    }
}

/// The GUI: a world, and its widgets in the order of creation.
pub struct Gui {
    world: World<Widgets>,
    widgets: Vec<Entity>,
}

impl Encoding for Gui {
    type Kind = Kind;
    type Seen = Look;

    fn new(kinds: &[Kind]) -> Self {
        let mut world = World::on(Threads::Inline);
        *world.resource_mut::<Input>() = Input::new(kinds.len());
        let widgets = world.step(|step| {
            let mut widgets = Vec::with_capacity(kinds.len());
            for (place, kind) in kinds.iter().enumerate() {
                let (textbox, button) = (Textbox::new(place), Button::new(place));
                let animation = Animation::default();
                let window = window_of(kinds, place).map(|window| widgets[window]);
                let message = match kind {
                    Kind::CloseButton => Message::Close,
                    _ => Message::Maximize,
                };
                widgets.push(match kind {
                    Kind::Textbox => step.spawn((textbox,)),
                    Kind::AnimatedTextbox => step.spawn((textbox, animation)),
                    Kind::Button => step.spawn((button,)),
                    Kind::AnimatedButton => step.spawn((button, animation)),
                    Kind::Window => step.spawn((Window::default(),)),
                    Kind::MaximizeButton | Kind::CloseButton => match window {
                        Some(window) => step.spawn((button, Sends { window, message })),
                        None => step.spawn((button,)),
                    },
                });
            }
            widgets
        });
        let widgets = widgets.expect("the limit is dynamic");
        Self { world, widgets }
    }

    fn update(&mut self) {
        self.world.tick().expect("nothing is spawned");
        self.world.resource_mut::<Input>().advance();
    }

    fn draw(&mut self) -> Vec<Look> {
        let draw = |widget: &Entity| {
            let mut look = Look::default();
            let world = &self.world;
            world.get::<Textbox>(*widget).inspect(|textbox| textbox.draw(&mut look));
            world.get::<Button>(*widget).inspect(|button| button.draw(&mut look));
            world.get::<Window>(*widget).inspect(|window| window.draw(&mut look));
            world.get::<Animation>(*widget).inspect(|animation| animation.draw(&mut look));
            look
        };
        self.widgets.iter().map(draw).collect()
    }
}
