//! Tests of the bytes of values.

use super::{Codec, Decoder, Encoder, Fault, Lengths, SERDE, SaveForm, postcard_bytes};
use proptest::collection::vec;
use proptest::prelude::*;
use serde::de::DeserializeOwned;
use serde::ser::{Error as _, SerializeTuple};
use serde::{Deserialize, Serialize, Serializer};

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

/// The bytes that `serde` gives, all together.
fn together<T: Serialize + DeserializeOwned>(values: &[T]) -> Result<Vec<u8>, Fault> {
    let mut result = Ok(());
    let bytes = written(|to| result = <SaveForm<SERDE> as Codec<T>>::write_all(values, to));
    result.map(|()| bytes)
}

proptest! {
    #[test]
    fn values_have_the_same_bytes_together_and_one_by_one(
        numbers in vec(any::<(u8, u16, i32, u64, u128, f32, f64, Option<char>)>(), 0..600),
        texts in vec("[a-ü]{0,300}", 0..60),
        large in vec((0usize..40, 1_000usize..9_000), 0..4),
    ) {
        let one_by_one: Vec<u8> = numbers.iter().flat_map(|one| postcard_bytes(one).unwrap()).collect();
        prop_assert_eq!(together(&numbers), Ok(one_by_one));
        let mut texts = texts;
        for (at, len) in large {
            texts.insert(at.min(texts.len()), "x".repeat(len));
        }
        let one_by_one: Vec<u8> = texts.iter().flat_map(|one| postcard_bytes(one).unwrap()).collect();
        prop_assert_eq!(together(&texts), Ok(one_by_one));
    }
}

/// A value whose `Serialize` fails, or writes `bytes` bytes and ignores errors.
#[derive(Deserialize)]
struct Odd {
    bytes: usize,
    fails: bool,
}

impl Serialize for Odd {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        if self.fails {
            return Err(S::Error::custom("it fails"));
        }
        let mut parts = to.serialize_tuple(self.bytes)?;
        for _ in 0..self.bytes {
            let _ = parts.serialize_element(&7u8);
        }
        parts.end()
    }
}

#[test]
fn a_value_that_fails_ends_the_others_and_one_that_ignores_errors_is_whole() {
    let odd = |bytes, fails| Odd { bytes, fails };
    let mut values: Vec<Odd> = (0..100).map(|n| odd(n * 100, false)).collect();
    let all = (0..100).map(|n| n * 100).sum();
    assert_eq!(together(&values), Ok(vec![7; all]));
    values.insert(70, odd(1, true));
    together(&values).unwrap_err();
}

/// Its text is written by `collect_str`, of which `postcard` replaces the error of a full buffer.
#[derive(Deserialize)]
struct Shown(String);

impl Serialize for Shown {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.collect_str(&self.0)
    }
}

#[test]
fn values_that_are_shown_as_text_are_whole() {
    let values: Vec<Shown> = (0..100).map(|n| Shown("x".repeat(100 + n))).collect();
    let one_by_one: Vec<u8> = values.iter().flat_map(|one| postcard_bytes(one).unwrap()).collect();
    assert_eq!(together(&values), Ok(one_by_one));
}
