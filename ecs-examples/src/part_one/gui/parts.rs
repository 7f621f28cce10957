//! What the widgets are made of, and what each part does: the same for every encoding.

/// What the user does in a frame: points at one widget after the other, and types and clicks meanwhile.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Input {
    frame: usize,
    widgets: usize,
}

impl Input {
    /// A user who has not done anything yet, in front of so many widgets.
    pub fn new(widgets: usize) -> Self {
        Self { frame: 0, widgets }
    }

    /// Goes on to what the user does next.
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
    /// Where it is.
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

    /// Lets the caret blink.
    pub fn animate(animation: &mut Animation) {
        animation.phase = (animation.phase + 1) % 32;
    }

    /// Shows what was typed.
    pub fn draw(&self, look: &mut Look) {
        (look.typed, look.last) = (self.typed, self.last);
    }
}

/// A button.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Button {
    /// Where it is.
    pub place: usize,
    clicks: u32,
}

impl Button {
    /// A button that was never clicked.
    pub fn new(place: usize) -> Self {
        Self { place, clicks: 0 }
    }

    /// Takes a click, if the user points here.
    pub fn handle(&mut self, input: &Input) {
        if input.points_at(self.place) && input.clicked() {
            self.clicks += 1;
        }
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

/// What an animated widget has beside.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Animation {
    phase: u8,
}

impl Animation {
    /// Shows how far it is.
    pub fn draw(&self, look: &mut Look) {
        look.phase = self.phase;
    }
}

/// What is seen of a widget.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Look {
    /// Keys typed into it.
    pub typed: u32,
    /// The last one.
    pub last: u8,
    /// Clicks on it.
    pub clicks: u32,
    /// How far its animation is.
    pub phase: u8,
}
