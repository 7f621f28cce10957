//! Bytes on their way to a file.

use std::io::{self, Write};

use crate::types::xxh3::Xxh3;

/// The number of bytes that are collected before they are written.
const ROOM: usize = 1 << 16;

/// From this number of bytes on, they are written without a copy.
const LARGE: usize = 1 << 12;

/// Collects bytes in frames, hashes them, and hands them on.
///
/// The first error of the writer ends all writing. [`finish`](Self::finish) returns it.
pub(crate) struct Encoder<'w> {
    bytes: Vec<u8>,
    /// Where the open frame begins, behind its length; `None` if the length is known.
    frame: Option<usize>,
    written: u64,
    hash: Xxh3,
    to: &'w mut dyn Write,
    progress: &'w mut dyn FnMut(u64),
    error: Option<io::Error>,
    has_lengths: bool,
}

/// The bytes of a frame's length.
const LENGTH: usize = size_of::<u64>();

impl<'w> Encoder<'w> {
    /// Hands bytes to `to`, and then their number so far to `progress`.
    pub(crate) fn new(to: &'w mut dyn Write, progress: &'w mut dyn FnMut(u64)) -> Self {
        let (bytes, hash) = (Vec::new(), Xxh3::new());
        let (frame, written, error, has_lengths) = (None, 0, None, false);
        Self { bytes, frame, written, hash, to, progress, error, has_lengths }
    }

    /// Whether lengths of values that differ in them are added.
    pub(crate) fn has_lengths(&self) -> bool {
        self.has_lengths
    }

    pub(crate) fn set_lengths(&mut self, has_lengths: bool) {
        self.has_lengths = has_lengths;
    }

    /// Adds bytes as they are.
    #[inline]
    pub(crate) fn put(&mut self, bytes: &[u8]) {
        if bytes.len() >= LARGE && self.frame.is_none() {
            self.flush();
            self.hash.update(bytes);
            self.write(bytes);
        } else {
            self.bytes.extend_from_slice(bytes);
        }
    }

    #[inline]
    pub(crate) fn u8(&mut self, value: u8) {
        self.bytes.push(value);
    }

    #[inline]
    pub(crate) fn u32(&mut self, value: u32) {
        self.put(&value.to_le_bytes());
    }

    #[inline]
    pub(crate) fn u64(&mut self, value: u64) {
        self.put(&value.to_le_bytes());
    }

    /// Adds a number of things.
    #[inline]
    pub(crate) fn len(&mut self, len: usize) {
        self.u64(len as u64);
    }

    /// Adds a text, with its length.
    pub(crate) fn text(&mut self, text: &str) {
        self.len(text.len());
        self.put(text.as_bytes());
    }

    /// Where bytes are added.
    pub(super) fn bytes(&mut self) -> &mut Vec<u8> {
        &mut self.bytes
    }

    /// Begins a frame, which [`end_frame`](Self::end_frame) ends.
    pub(crate) fn begin_frame(&mut self) {
        self.u64(0);
        self.frame = Some(self.bytes.len());
    }

    /// Begins a frame that will have as many bytes. They need not be collected before they are written.
    pub(crate) fn begin_frame_of(&mut self, len: usize) {
        self.len(len);
        self.frame = None;
    }

    /// Ends the frame. A frame without bytes marks the end of several.
    pub(crate) fn end_frame(&mut self) {
        if let Some(frame) = self.frame.take() {
            let len = (self.bytes.len() - frame) as u64;
            self.bytes[frame - LENGTH..frame].copy_from_slice(&len.to_le_bytes());
        }
        if self.bytes.len() >= ROOM {
            self.flush();
        }
    }

    /// The bytes that are collected. In a frame whose length is not known, their number grows only.
    pub(crate) fn collected(&self) -> usize {
        self.bytes.len()
    }

    /// Adds a frame of this kind with the lengths of values of a page. If all are the same, it is there once.
    pub(crate) fn lengths(&mut self, kind: u8, page: usize, lengths: &Lengths) {
        self.begin_frame();
        self.u8(kind);
        self.u32(page as u32);
        let all = if lengths.is_same { lengths.first_bytes } else { lengths.bytes.len() };
        self.put(&lengths.bytes[..all]);
        self.end_frame();
    }

    fn flush(&mut self) {
        let bytes = core::mem::take(&mut self.bytes);
        self.hash.update(&bytes);
        self.write(&bytes);
        self.bytes = bytes;
        self.bytes.clear();
    }

    fn write(&mut self, bytes: &[u8]) {
        if self.error.is_none() {
            self.error = self.to.write_all(bytes).err();
        }
        self.written += bytes.len() as u64;
        (self.progress)(self.written);
    }

    /// Adds the hash of all bytes so far, and writes what is left.
    pub(crate) fn finish(mut self) -> io::Result<()> {
        self.flush();
        let hash = self.hash.digest().to_le_bytes();
        self.write(&hash);
        match self.error {
            Some(error) => Err(error),
            None => self.to.flush(),
        }
    }
}

/// The lengths of values, each in as few bytes as it needs: seven bits in a byte, the lowest first.
#[derive(Default)]
pub(crate) struct Lengths {
    bytes: Vec<u8>,
    first: usize,
    /// The number of bytes of the first one.
    first_bytes: usize,
    is_same: bool,
}

impl Lengths {
    pub(crate) fn clear(&mut self) {
        self.bytes.clear();
        self.first_bytes = 0;
        self.is_same = true;
    }

    /// Adds the lengths of the next values.
    pub(crate) fn extend(&mut self, lengths: &[usize]) {
        let Some(&first) = lengths.first() else { return };
        if self.bytes.is_empty() {
            self.first = first;
            self.push(first);
            self.first_bytes = self.bytes.len();
            self.bytes.clear();
        }
        let (mut differ, mut all) = (0, 0);
        for length in lengths {
            differ |= length ^ self.first;
            all |= length;
        }
        self.is_same &= differ == 0;
        if all < 0x80 {
            self.bytes.extend(lengths.iter().map(|&length| length as u8));
        } else {
            for &length in lengths {
                self.push(length);
            }
        }
    }

    fn push(&mut self, mut length: usize) {
        while length >= 0x80 {
            self.bytes.push(length as u8 | 0x80);
            length >>= 7;
        }
        self.bytes.push(length as u8);
    }
}
