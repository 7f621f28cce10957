//! By this library (thesis, 3.5.1.2): a widget is animated if it has an animation, and its other components
//! determine how.
//!
//! The filters of the two systems that animate exclude a common widget, so they need no order.

use super::{Animation, Button, Input, Kind, Look, Textbox};
use crate::part_one::Encoding;
use ecs_core::{Threads, World, world};

world! {
    /// The GUI.
    pub world Widgets;

    component Textbox, Button, Animation;

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
}

/// The GUI: a world, and its widgets in the order of creation.
pub struct Gui {
    world: World<Widgets>,
    widgets: Vec<ecs_core::Entity>,
}

impl Encoding for Gui {
    type Kind = Kind;
    type Seen = Look;

    fn new(kinds: &[Kind]) -> Self {
        let mut world = World::on(Threads::Inline);
        *world.resource_mut::<Input>() = Input::new(kinds.len());
        let widgets = world.step(|step| {
            let spawn = |(place, kind): (usize, &Kind)| {
                let (textbox, button) = (Textbox::new(place), Button::new(place));
                let animation = Animation::default();
                match kind {
                    Kind::Textbox => step.spawn((textbox,)),
                    Kind::AnimatedTextbox => step.spawn((textbox, animation)),
                    Kind::Button => step.spawn((button,)),
                    Kind::AnimatedButton => step.spawn((button, animation)),
                }
            };
            kinds.iter().enumerate().map(spawn).collect()
        });
        let widgets = widgets.expect("the limit is dynamic");
        Self { world, widgets }
    }

    fn update(&mut self) {
        self.world.tick().expect("nothing is spawned");
        self.world.resource_mut::<Input>().advance();
    }

    fn draw(&mut self) -> Vec<Look> {
        let draw = |widget: &ecs_core::Entity| {
            let mut look = Look::default();
            let world = &self.world;
            world.get::<Textbox>(*widget).inspect(|textbox| textbox.draw(&mut look));
            world.get::<Button>(*widget).inspect(|button| button.draw(&mut look));
            world.get::<Animation>(*widget).inspect(|animation| animation.draw(&mut look));
            look
        };
        self.widgets.iter().map(draw).collect()
    }
}
