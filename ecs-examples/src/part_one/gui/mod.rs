//! A GUI (thesis, 3.2.2): textboxes take keys, buttons take clicks, and either may be animated. Some buttons send a message to
//! their window, which enlarges it or closes it (3.3.2.3). A closed window is gone, and gets no further messages.

pub mod composition;
pub mod ecs;
pub mod inheritance;
mod parts;

pub use parts::{Animation, Button, Input, Look, Message, Textbox, Window, window_of};

/// A kind of widget.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Takes keys.
    Textbox,
    /// Takes keys, and its caret blinks.
    AnimatedTextbox,
    /// Takes clicks.
    Button,
    /// Takes clicks, and glows while it is pointed at.
    AnimatedButton,
    /// Is enlarged and closed by the buttons that follow it.
    Window,
    /// Takes clicks, and enlarges the window before it.
    MaximizeButton,
    /// Takes clicks, and closes the window before it.
    CloseButton,
}

impl Kind {
    /// Every kind.
    pub const ALL: [Self; 7] = [
        Self::Textbox,
        Self::AnimatedTextbox,
        Self::Button,
        Self::AnimatedButton,
        Self::Window,
        Self::MaximizeButton,
        Self::CloseButton,
    ];
}
