//! Messages of errors that `const` evaluation finds.

/// A message that is composed in `const` evaluation.
pub(crate) struct Message {
    bytes: [u8; 512],
    len: usize,
}

impl Message {
    pub(crate) const fn new() -> Self {
        Self { bytes: [0; 512], len: 0 }
    }

    /// Appends as much of `text` as fits.
    pub(crate) const fn text(mut self, text: &str) -> Self {
        let text = text.as_bytes();
        let mut i = 0;
        while i < text.len() && self.len < self.bytes.len() {
            self.bytes[self.len] = text[i];
            self.len += 1;
            i += 1;
        }
        self
    }

    /// Fails to evaluate, with the message.
    #[track_caller]
    pub(crate) const fn raise(&self) -> ! {
        match core::str::from_utf8(self.bytes.split_at(self.len).0) {
            Ok(message) => panic!("{}", message),
            Err(_) => panic!("the declaration is not sound"),
        }
    }
}
