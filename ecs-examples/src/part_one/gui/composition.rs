//! By object composition (thesis, 3.4.1.2): a widget is a list of behaviors.
//!
//! The animation of a widget depends on its kind, so there is a behavior for each kind. The animation of a button
//! depends on the button's place, which is passed when the widget is created. The buttons of windows have a behavior that sends
//! messages to the behaviors of their window (3.4.2.2).

use super::{Animation, Button, Input, Kind, Look, Message, Textbox, Window, window_of};
use crate::part_one::Encoding;

/// A part of a widget, with data and logic.
pub trait Behavior {
    /// Advances by one frame.
    fn update(&mut self, input: &Input, queue: &mut Queue);
    /// Takes a message, and returns whether the widget goes on.
    fn handle(&mut self, _: Message) -> bool {
        true
    }
    /// Adds its visible state.
    fn draw(&self, _: &mut Look) {}
}

/// Messages, each with the place of its receiver.
type Queue = Vec<(usize, Message)>;

impl Behavior for Textbox {
    fn update(&mut self, input: &Input, _: &mut Queue) {
        self.handle(input);
    }

    fn draw(&self, look: &mut Look) {
        self.draw(look);
    }
}

impl Behavior for Button {
    fn update(&mut self, input: &Input, _: &mut Queue) {
        self.handle(input);
    }

    fn draw(&self, look: &mut Look) {
        self.draw(look);
    }
}

struct Blink(Animation);

impl Behavior for Blink {
    fn update(&mut self, _: &Input, _: &mut Queue) {
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
    fn update(&mut self, input: &Input, _: &mut Queue) {
        self.button.animate(&mut self.animation, input);
    }

    fn draw(&self, look: &mut Look) {
        self.animation.draw(look);
    }
}

impl Behavior for Window {
    fn update(&mut self, _: &Input, _: &mut Queue) {}

    fn handle(&mut self, message: Message) -> bool {
        match message {
            Message::Maximize => self.maximize(),
            Message::Close => return false,
        }
        true
    }

    fn draw(&self, look: &mut Look) {
        self.draw(look);
    }
}

struct Send {
    button: Button,
    window: Option<usize>,
    message: Message,
}

impl Behavior for Send {
    fn update(&mut self, input: &Input, queue: &mut Queue) {
        if self.button.is_clicked(input) {
            queue.extend(self.window.map(|window| (window, self.message)));
        }
    }
}

type Widget = Vec<Box<dyn Behavior>>;

fn make(kinds: &[Kind], place: usize) -> Widget {
    let (textbox, button) = (Textbox::new(place), Button::new(place));
    let animation = Animation::default();
    let of_window = |message| -> Widget {
        let window = window_of(kinds, place);
        vec![Box::new(button), Box::new(Send { button, window, message })]
    };
    match kinds[place] {
        Kind::Textbox => vec![Box::new(textbox)],
        Kind::AnimatedTextbox => vec![Box::new(textbox), Box::new(Blink(animation))],
        Kind::Button => vec![Box::new(button)],
        Kind::AnimatedButton => vec![Box::new(button), Box::new(Glow { button, animation })],
        Kind::Window => vec![Box::new(Window::default())],
        Kind::MaximizeButton => of_window(Message::Maximize),
        Kind::CloseButton => of_window(Message::Close),
    }
}

/// The GUI: its widgets, of which the closed ones have no behaviors, the user's input, and the messages of the frame.
pub struct Gui {
    widgets: Vec<Widget>,
    input: Input,
    queue: Queue,
}

impl Encoding for Gui {
    type Kind = Kind;
    type Seen = Look;

    fn new(kinds: &[Kind]) -> Self {
        let widgets = (0..kinds.len()).map(|place| make(kinds, place)).collect();
        Self { widgets, input: Input::new(kinds.len()), queue: Vec::new() }
    }

    fn update(&mut self) {
        for behavior in self.widgets.iter_mut().flatten() {
            behavior.update(&self.input, &mut self.queue);
        }
        for (to, message) in self.queue.drain(..) {
            let mut goes_on = true;
            for behavior in &mut self.widgets[to] {
                goes_on &= behavior.handle(message);
            }
            if !goes_on {
                self.widgets[to].clear();
            }
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
