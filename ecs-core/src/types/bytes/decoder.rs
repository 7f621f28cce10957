//! Bytes that came from a file, and may be anything.

use super::Fault;

/// Bytes that are still unread.
#[derive(Clone, Debug)]
pub(crate) struct Decoder<'a> {
    bytes: &'a [u8],
}

impl<'a> Decoder<'a> {
    pub(crate) fn new(bytes: &'a [u8]) -> Self {
        Self { bytes }
    }

    /// The bytes that are left.
    pub(super) fn bytes(&mut self) -> &mut &'a [u8] {
        &mut self.bytes
    }

    /// All bytes that are left.
    pub(crate) fn rest(&mut self) -> &'a [u8] {
        core::mem::take(&mut self.bytes)
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.bytes.is_empty()
    }

    /// The next bytes.
    #[inline]
    pub(crate) fn take(&mut self, len: usize) -> Result<&'a [u8], Fault> {
        match self.bytes.split_at_checked(len) {
            Some((first, rest)) => {
                self.bytes = rest;
                Ok(first)
            }
            None => Err(too_short()),
        }
    }

    #[inline]
    fn array<const N: usize>(&mut self) -> Result<[u8; N], Fault> {
        match self.bytes.split_first_chunk() {
            Some((first, rest)) => {
                self.bytes = rest;
                Ok(*first)
            }
            None => Err(too_short()),
        }
    }

    #[inline]
    pub(crate) fn u8(&mut self) -> Result<u8, Fault> {
        self.array().map(u8::from_le_bytes)
    }

    #[inline]
    pub(crate) fn u32(&mut self) -> Result<u32, Fault> {
        self.array().map(u32::from_le_bytes)
    }

    #[inline]
    pub(crate) fn u64(&mut self) -> Result<u64, Fault> {
        self.array().map(u64::from_le_bytes)
    }

    /// A number of as few bytes as it needs.
    pub(crate) fn varint(&mut self) -> Result<u64, Fault> {
        let mut value = 0;
        for shift in (0..u64::BITS).step_by(7) {
            let byte = self.u8()?;
            let bits = u64::from(byte & 0x7f);
            if bits << shift >> shift != bits {
                break;
            }
            value |= bits << shift;
            if byte < 0x80 {
                return Ok(value);
            }
        }
        Err(Fault::new("a length is too large"))
    }

    /// A number of things of which each takes at least one of the bytes that follow.
    pub(crate) fn len(&mut self) -> Result<usize, Fault> {
        let len = self.u64()?;
        if len > self.bytes.len() as u64 {
            return Err(too_short());
        }
        Ok(len as usize)
    }

    /// A text with its length.
    pub(crate) fn text(&mut self) -> Result<&'a str, Fault> {
        let len = self.len()?;
        let bytes = self.take(len)?;
        core::str::from_utf8(bytes).map_err(|_| Fault::new("a name is not UTF-8"))
    }

    /// A frame.
    pub(crate) fn frame(&mut self) -> Result<Self, Fault> {
        let len = self.len()?;
        self.take(len).map(Self::new)
    }

    /// Checks that nothing is left.
    pub(crate) fn end(&self) -> Result<(), Fault> {
        if self.is_empty() { Ok(()) } else { Err(Fault::new("there are more bytes than expected")) }
    }
}

#[cold]
fn too_short() -> Fault {
    Fault::new("there are fewer bytes than expected")
}

/// Several frames, up to one without bytes.
#[derive(Clone, Debug)]
pub(crate) struct Frames<'a> {
    bytes: Decoder<'a>,
}

impl<'a> Frames<'a> {
    /// The frames at the beginning of `bytes`, which goes on behind them.
    pub(crate) fn split(bytes: &mut Decoder<'a>) -> Result<Self, Fault> {
        let all = bytes.clone();
        while !bytes.frame()?.is_empty() {}
        let len = all.bytes.len() - bytes.bytes.len();
        Ok(Self { bytes: Decoder::new(&all.bytes[..len]) })
    }

    /// The number of bytes that are left, with the lengths of the frames.
    pub(crate) fn len(&self) -> usize {
        self.bytes.bytes.len()
    }

    /// The next one, if there is one.
    pub(crate) fn next(&mut self) -> Result<Option<Decoder<'a>>, Fault> {
        if self.bytes.is_empty() {
            return Ok(None);
        }
        let frame = self.bytes.frame()?;
        Ok((!frame.is_empty()).then_some(frame))
    }

    /// The next one.
    pub(crate) fn expect(&mut self) -> Result<Decoder<'a>, Fault> {
        self.next()?.ok_or_else(too_short)
    }

    /// Checks that none is left.
    pub(crate) fn end(&mut self) -> Result<(), Fault> {
        match self.next()? {
            None => Ok(()),
            Some(_) => Err(Fault::new("there are more frames than expected")),
        }
    }
}
