//! The parts of widgets, with their behavior: the same for every encoding.

use super::Kind;

/// The user's input in a frame: the user points at one widget after the other, and types and clicks.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Input {
    frame: usize,
    widgets: usize,
}

impl Input {
    /// The first input, for this many widgets.
    pub fn new(widgets: usize) -> Self {
        Self { frame: 0, widgets }
    }

    /// Advances to the next frame's input.
    pub fn advance(&mut self) {
        self.frame += 1;
    }

    /// Whether the user points at that widget.
    pub fn points_at(&self, place: usize) -> bool {
        self.frame % self.widgets == place
    }

    /// The key that is typed.
    pub fn key(&self) -> u8 {
        b'a' + (self.frame % 26) as u8
    }

    /// Whether the mouse is clicked.
    pub fn clicked(&self) -> bool {
        !self.frame.is_multiple_of(3)
    }
}

/// A box for text.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Textbox {
    /// Its index among the widgets.
    pub place: usize,
    typed: u32,
    last: u8,
}

impl Textbox {
    /// An empty box.
    pub fn new(place: usize) -> Self {
        Self { place, ..Self::default() }
    }

    /// Takes a key, if the user points here.
    pub fn handle(&mut self, input: &Input) {
        if input.points_at(self.place) {
            self.typed += 1;
            self.last = input.key();
        }
    }

    /// Advances the blinking of the caret.
    pub fn animate(animation: &mut Animation) {
        animation.phase = (animation.phase + 1) % 32;
    }

    /// Shows the typed text.
    pub fn draw(&self, look: &mut Look) {
        (look.typed, look.last) = (self.typed, self.last);
    }
}

/// A button.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Button {
    /// Its index among the widgets.
    pub place: usize,
    clicks: u32,
}

impl Button {
    /// A button without clicks.
    pub fn new(place: usize) -> Self {
        Self { place, clicks: 0 }
    }

    /// Takes a click, if the user points here.
    pub fn handle(&mut self, input: &Input) {
        if self.is_clicked(input) {
            self.clicks += 1;
        }
    }

    /// Whether the user clicks here.
    pub fn is_clicked(&self, input: &Input) -> bool {
        input.points_at(self.place) && input.clicked()
    }

    /// Glows more while the user points here, and less otherwise.
    pub fn animate(&self, animation: &mut Animation, input: &Input) {
        animation.phase =
            if input.points_at(self.place) { 255 } else { animation.phase.saturating_sub(1) };
    }

    /// Shows the clicks.
    pub fn draw(&self, look: &mut Look) {
        look.clicks = self.clicks;
    }
}

/// A message to a window.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Message {
    /// Enlarge yourself.
    Maximize,
    /// Close yourself.
    Close,
}

/// The place of the window of the widget at `place`: the last one before it.
pub fn window_of(kinds: &[Kind], place: usize) -> Option<usize> {
    kinds[..place].iter().rposition(|kind| *kind == Kind::Window)
}

/// A window.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Window {
    size: u32,
}

impl Default for Window {
    fn default() -> Self {
        Self { size: 1 }
    }
}

impl Window {
    /// Becomes larger.
    pub fn maximize(&mut self) {
        self.size += 1;
    }

    /// Shows the size.
    pub fn draw(&self, look: &mut Look) {
        look.size = self.size;
    }
}

/// The additional state of an animated widget.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Animation {
    phase: u8,
}

impl Animation {
    /// Shows the phase.
    pub fn draw(&self, look: &mut Look) {
        look.phase = self.phase;
    }
}

/// The visible state of a widget.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Look {
    /// Number of keys typed into it.
    pub typed: u32,
    /// The last key.
    pub last: u8,
    /// Number of clicks on it.
    pub clicks: u32,
    /// The phase of its animation.
    pub phase: u8,
    /// Its size: that of a closed window is 0.
    pub size: u32,
}
