//! By inheritance (thesis, 3.3.1.2): four types of widgets.
//!
//! The repetition is that of the thesis's figure 3.6: each of the animated types repeats the animation.
//! Otherwise every widget would have one, even if it needs none.

use super::{Animation, Button, Input, Kind, Look, Textbox};
use crate::part_one::Encoding;

/// The operations of every widget.
pub trait Widget {
    /// Advances by one frame.
    fn update(&mut self, input: &Input);
    /// Adds its visible state.
    fn draw(&self, look: &mut Look);
}

impl Widget for Textbox {
    fn update(&mut self, input: &Input) {
        self.handle(input);
    }

    fn draw(&self, look: &mut Look) {
        self.draw(look);
    }
}

impl Widget for Button {
    fn update(&mut self, input: &Input) {
        self.handle(input);
    }

    fn draw(&self, look: &mut Look) {
        self.draw(look);
    }
}

struct AnimatedTextbox {
    textbox: Textbox,
    animation: Animation,
}

impl Widget for AnimatedTextbox {
    fn update(&mut self, input: &Input) {
        self.textbox.update(input);
        Textbox::animate(&mut self.animation);
    }

    fn draw(&self, look: &mut Look) {
        self.textbox.draw(look);
        self.animation.draw(look);
    }
}

struct AnimatedButton {
    button: Button,
    animation: Animation,
}

impl Widget for AnimatedButton {
    fn update(&mut self, input: &Input) {
        self.button.update(input);
        self.button.animate(&mut self.animation, input);
    }

    fn draw(&self, look: &mut Look) {
        self.button.draw(look);
        self.animation.draw(look);
    }
}

fn make((place, kind): (usize, &Kind)) -> Box<dyn Widget> {
    let (textbox, button) = (Textbox::new(place), Button::new(place));
    let animation = Animation::default();
    match kind {
        Kind::Textbox => Box::new(textbox),
        Kind::AnimatedTextbox => Box::new(AnimatedTextbox { textbox, animation }),
        Kind::Button => Box::new(button),
        Kind::AnimatedButton => Box::new(AnimatedButton { button, animation }),
    }
}

/// The GUI: its widgets, and the user's input.
pub struct Gui {
    widgets: Vec<Box<dyn Widget>>,
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
        self.widgets.iter_mut().for_each(|widget| widget.update(&self.input));
        self.input.advance();
    }

    fn draw(&mut self) -> Vec<Look> {
        let draw = |widget: &dyn Widget| {
            let mut look = Look::default();
            widget.draw(&mut look);
            look
        };
        self.widgets.iter().map(|widget| draw(&**widget)).collect()
    }
}
