//! By this library (thesis, 3.5.1.2): a widget is animated if it has an animation, and its other components
//! determine how.
//!
//! The filters of the two systems that animate exclude a common widget, so they need no order.

use super::{Animation, Button, Input, Kind, Look, Textbox};
use crate::part_one::Encoding;
use ecs_core::{Data, System, Threads, World, world};

world! {
    /// The GUI.
    pub world Widgets {}

    component Textbox: contiguous_buffer;
    component Button: contiguous_buffer;
    component Animation: contiguous_buffer;

    /// The user's input.
    resource Input;

    system Type { write: [Textbox], read_resources: [Input] }
    system Click { write: [Button], read_resources: [Input] }
    system Blink { with: [Textbox], without: [Button], write: [Animation] }
    system Glow {
        dependencies: [Click],
        read: [Button],
        without: [Textbox],
        write: [Animation],
        read_resources: [Input],
    }
}

/// Enters keys into textboxes.
#[derive(Debug, Default)]
pub struct Type;

impl System<Widgets> for Type {
    fn process(&self, data: &mut Data<'_, Widgets, Self>) {
        let input = *data.resource::<Input>();
        data.for_entities(|e| e.textbox.handle(&input));
    }
}

/// Clicks on buttons.
#[derive(Debug, Default)]
pub struct Click;

impl System<Widgets> for Click {
    fn process(&self, data: &mut Data<'_, Widgets, Self>) {
        let input = *data.resource::<Input>();
        data.for_entities(|e| e.button.handle(&input));
    }
}

/// Animates textboxes.
#[derive(Debug, Default)]
pub struct Blink;

impl System<Widgets> for Blink {
    fn process(&self, data: &mut Data<'_, Widgets, Self>) {
        data.for_entities(|e| Textbox::animate(e.animation));
    }
}

/// Animates buttons.
#[derive(Debug, Default)]
pub struct Glow;

impl System<Widgets> for Glow {
    fn process(&self, data: &mut Data<'_, Widgets, Self>) {
        let input = *data.resource::<Input>();
        data.for_entities(|e| e.button.animate(e.animation, &input));
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
