//! Tests of the bytes of values.

use super::{Decoder, Encoder, Lengths};

/// The bytes that `f` writes, without the checksum.
fn written(f: impl FnOnce(&mut Encoder<'_>)) -> Vec<u8> {
    let mut bytes = Vec::new();
    let progress: &mut dyn FnMut(u64) = &mut |_| {};
    let mut to = Encoder::new(&mut bytes, progress);
    f(&mut to);
    to.finish().expect("memory takes it");
    bytes.truncate(bytes.len() - size_of::<u64>());
    bytes
}

#[test]
fn numbers_take_as_few_bytes_as_they_need() {
    for (value, len) in [(0, 1), (0x7f, 1), (0x80, 2), (0x3fff, 2), (0x4000, 3), (u64::MAX, 10)] {
        let mut lengths = Lengths::default();
        lengths.extend(&[value as usize]);
        let bytes = written(|to| to.lengths(4, 3, &lengths))[13..].to_vec();
        assert_eq!(bytes.len(), len);
        let mut from = Decoder::new(&bytes);
        assert_eq!(from.varint(), Ok(value));
        assert!(from.is_empty());
        Decoder::new(&bytes[..len - 1]).varint().unwrap_err();
    }
    // One bit more than there is room for, and no end.
    for last in [2, 0x7f, 0x80, 0x81] {
        let mut bytes = [0xff; 11];
        bytes[9] = last;
        Decoder::new(&bytes).varint().unwrap_err();
    }
}

#[test]
fn lengths_that_are_the_same_are_there_once() {
    let mut lengths = Lengths::default();
    let mut written = |all: &[usize]| {
        lengths.clear();
        all.chunks(2).for_each(|some| lengths.extend(some));
        written(|to| to.lengths(4, 3, &lengths))[13..].to_vec()
    };
    assert_eq!(written(&[5, 5, 5]), [5]);
    assert_eq!(written(&[200, 200]), [0xc8, 1]);
    assert_eq!(written(&[5, 7, 0]), [5, 7, 0]);
    assert_eq!(written(&[5, 200, 5]), [5, 0xc8, 1, 5]);
}
