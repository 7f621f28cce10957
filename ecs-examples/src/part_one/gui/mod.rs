//! A GUI (thesis, 3.2.2): textboxes take keys, buttons take clicks, and either may be animated.

pub mod composition;
pub mod ecs;
pub mod inheritance;
mod parts;

pub use parts::{Animation, Button, Input, Look, Textbox};

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
}

impl Kind {
    /// Every kind.
    pub const ALL: [Self; 4] =
        [Self::Textbox, Self::AnimatedTextbox, Self::Button, Self::AnimatedButton];
}
