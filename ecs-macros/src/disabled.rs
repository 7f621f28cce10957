//! Checks and codes that a test leaves out.

use std::cell::Cell;

thread_local! {
    /// The check or the code that this thread leaves out. `errors::mutations` sets it, to see which cases
    /// fail then.
    pub(crate) static DISABLED: Cell<&'static str> = const { Cell::new("") };
}

/// Whether this thread leaves out the check or the code with this name.
pub(crate) fn is_disabled(name: &str) -> bool {
    DISABLED.get() == name
}
