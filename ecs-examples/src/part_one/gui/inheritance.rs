//! By inheritance (thesis, 3.3.1.2): four types of widgets.
//!
//! The repetition is that of the thesis's figure 3.6: each of the animated types repeats the animation.
//! Otherwise every widget would have one, even if it needs none. Buttons of windows put messages into a queue of the GUI, which
//! all widgets have a method to handle.

use super::{Animation, Button, Input, Kind, Look, Message, Textbox, Window, window_of};
use crate::part_one::Encoding;

/// The operations of every widget.
pub trait Widget {
    /// Advances by one frame.
    fn update(&mut self, input: &Input, queue: &mut Queue);
    /// Takes a message, and returns whether the widget goes on.
    fn handle(&mut self, _: Message) -> bool {
        true
    }
    /// Adds its visible state.
    fn draw(&self, look: &mut Look);
}

/// Messages, each with the place of its receiver.
type Queue = Vec<(usize, Message)>;

impl Widget for Textbox {
    fn update(&mut self, input: &Input, _: &mut Queue) {
        self.handle(input);
    }

    fn draw(&self, look: &mut Look) {
        self.draw(look);
    }
}

impl Widget for Button {
    fn update(&mut self, input: &Input, _: &mut Queue) {
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
    fn update(&mut self, input: &Input, queue: &mut Queue) {
        self.textbox.update(input, queue);
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
    fn update(&mut self, input: &Input, queue: &mut Queue) {
        self.button.update(input, queue);
        self.button.animate(&mut self.animation, input);
    }

    fn draw(&self, look: &mut Look) {
        self.button.draw(look);
        self.animation.draw(look);
    }
}

impl Widget for Window {
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

struct WindowButton {
    button: Button,
    window: Option<usize>,
    message: Message,
}

impl Widget for WindowButton {
    fn update(&mut self, input: &Input, queue: &mut Queue) {
        self.button.update(input, queue);
        if self.button.is_clicked(input) {
            queue.extend(self.window.map(|window| (window, self.message)));
        }
    }

    fn draw(&self, look: &mut Look) {
        self.button.draw(look);
    }
}

fn make(kinds: &[Kind], place: usize) -> Box<dyn Widget> {
    let (textbox, button) = (Textbox::new(place), Button::new(place));
    let animation = Animation::default();
    let of_window =
        |message| Box::new(WindowButton { button, window: window_of(kinds, place), message });
    match kinds[place] {
        Kind::Textbox => Box::new(textbox),
        Kind::AnimatedTextbox => Box::new(AnimatedTextbox { textbox, animation }),
        Kind::Button => Box::new(button),
        Kind::AnimatedButton => Box::new(AnimatedButton { button, animation }),
        Kind::Window => Box::new(Window::default()),
        Kind::MaximizeButton => of_window(Message::Maximize),
        Kind::CloseButton => of_window(Message::Close),
    }
}

/// The GUI: its widgets, but for those that are closed, the user's input, and the messages of the frame.
pub struct Gui {
    widgets: Vec<Option<Box<dyn Widget>>>,
    input: Input,
    queue: Queue,
}

impl Encoding for Gui {
    type Kind = Kind;
    type Seen = Look;

    fn new(kinds: &[Kind]) -> Self {
        let widgets = (0..kinds.len()).map(|place| Some(make(kinds, place))).collect();
        Self { widgets, input: Input::new(kinds.len()), queue: Vec::new() }
    }

    fn update(&mut self) {
        for widget in self.widgets.iter_mut().flatten() {
            widget.update(&self.input, &mut self.queue);
        }
        for (to, message) in self.queue.drain(..) {
            self.widgets[to].take_if(|widget| !widget.handle(message));
        }
        self.input.advance();
    }

    fn draw(&mut self) -> Vec<Look> {
        let draw = |widget: &Option<Box<dyn Widget>>| {
            let mut look = Look::default();
            if let Some(widget) = widget {
                widget.draw(&mut look);
            }
            look
        };
        self.widgets.iter().map(draw).collect()
    }
}
