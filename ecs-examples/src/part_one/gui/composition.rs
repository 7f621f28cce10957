//! By object composition (thesis, 3.4.1.2): a widget is a list of behaviors.
//!
//! The animation of a widget depends on its kind, so there is a behavior for each kind. The animation of a button
//! depends on the button's place, which is passed when the widget is created.

use super::{Animation, Button, Input, Kind, Look, Textbox};
use crate::part_one::Encoding;

/// A part of a widget, with data and logic.
pub trait Behavior {
    /// Advances by one frame.
    fn update(&mut self, input: &Input);
    /// Adds its visible state.
    fn draw(&self, look: &mut Look);
}

impl Behavior for Textbox {
    fn update(&mut self, input: &Input) {
        self.handle(input);
    }

    fn draw(&self, look: &mut Look) {
        self.draw(look);
    }
}

impl Behavior for Button {
    fn update(&mut self, input: &Input) {
        self.handle(input);
    }

    fn draw(&self, look: &mut Look) {
        self.draw(look);
    }
}

struct Blink(Animation);

impl Behavior for Blink {
    fn update(&mut self, _: &Input) {
        Textbox::animate(&mut self.0);
    }

    fn draw(&self, look: &mut Look) {
        self.0.draw(look);
    }
}

struct Glow {
    button: Button,
    animation: Animation,
}

impl Behavior for Glow {
    fn update(&mut self, input: &Input) {
        self.button.animate(&mut self.animation, input);
    }

    fn draw(&self, look: &mut Look) {
        self.animation.draw(look);
    }
}

type Widget = Vec<Box<dyn Behavior>>;

fn make((place, kind): (usize, &Kind)) -> Widget {
    let (textbox, button) = (Textbox::new(place), Button::new(place));
    let animation = Animation::default();
    match kind {
        Kind::Textbox => vec![Box::new(textbox)],
        Kind::AnimatedTextbox => vec![Box::new(textbox), Box::new(Blink(animation))],
        Kind::Button => vec![Box::new(button)],
        Kind::AnimatedButton => vec![Box::new(button), Box::new(Glow { button, animation })],
    }
}

/// The GUI: its widgets, and the user's input.
pub struct Gui {
    widgets: Vec<Widget>,
    input: Input,
}

impl Encoding for Gui {
    type Kind = Kind;
    type Seen = Look;

    fn new(kinds: &[Kind]) -> Self {
        let widgets = kinds.iter().enumerate().map(make).collect();
        Self { widgets, input: Input::new(kinds.len()) }
    }

    fn update(&mut self) {
        for behavior in self.widgets.iter_mut().flatten() {
            behavior.update(&self.input);
        }
        self.input.advance();
    }

    fn draw(&mut self) -> Vec<Look> {
        let draw = |widget: &Widget| {
            let mut look = Look::default();
            for behavior in widget {
                behavior.draw(&mut look);
            }
            look
        };
        self.widgets.iter().map(draw).collect()
    }
}
