//! What keeps hostile packets, and the panics of `ggrs`, from the program.

use core::any::Any;
use core::panic::AssertUnwindSafe;
use std::panic::catch_unwind;

use serde::Deserialize;

use crate::error::RollbackError;

/// The most bytes of inputs in a packet: 128 inputs for each of some players, of some hundred bytes.
const INPUT_BYTES: u64 = 1 << 18;

/// A message of `ggrs`, as it is encoded. Its fields are not public there.
#[derive(Deserialize)]
struct Message {
    _magic: u16,
    body: Body,
}

#[derive(Deserialize)]
enum Body {
    SyncRequest(#[expect(dead_code, reason = "only its length counts")] u32),
    SyncReply(#[expect(dead_code, reason = "only its length counts")] u32),
    Input(InputBody),
}

#[derive(Deserialize)]
struct InputBody {
    _statuses: Vec<(bool, i32)>,
    _disconnect_requested: bool,
    _start_frame: i32,
    _ack_frame: i32,
    bytes: Vec<u8>,
}

/// Whether an encoded message has inputs whose compression is faulty, or which are a bomb: some bytes that stand for more
/// memory than there is. `ggrs` would panic, or the program would abort.
pub(crate) fn is_hostile(message: &[u8]) -> bool {
    // Messages of other kinds have nothing of that, and neither have those that `ggrs` encodes otherwise one day.
    match postcard::from_bytes(message) {
        Ok(Message { body: Body::Input(InputBody { bytes, .. }), .. }) => {
            decompressed_length(&bytes).is_none_or(|length| length > INPUT_BYTES)
        }
        _ => false,
    }
}

/// The length of what runs of bytes stand for: for each run a number, whose last bit tells whether all its bytes are the same
/// (all zeros or all ones, as the bit before it says), or follow.
fn decompressed_length(mut bytes: &[u8]) -> Option<u64> {
    let mut length = 0_u64;
    while !bytes.is_empty() {
        let run;
        (run, bytes) = number(bytes)?;
        let is_same = run & 1 == 1;
        let count = if is_same { run >> 2 } else { run >> 1 };
        if !is_same {
            bytes = bytes.get(usize::try_from(count).ok()?..)?;
        }
        length = length.checked_add(count)?;
    }
    Some(length)
}

/// A number in groups of seven bits, the lowest first, and what follows it.
fn number(bytes: &[u8]) -> Option<(u64, &[u8])> {
    let mut value = 0_u64;
    // More than eight groups are a number that no run has.
    for (at, &byte) in bytes.iter().enumerate().take(8) {
        value |= u64::from(byte & 127) << (7 * at);
        if byte & 128 == 0 {
            return Some((value, &bytes[at + 1..]));
        }
    }
    None
}

/// Whether `ggrs` can still be used, and if not, why.
#[derive(Default)]
pub(crate) struct Guard(Option<RollbackError>);

impl Guard {
    /// Calls `ggrs`. Where peers cannot be brought together, it panics. It is not used again then.
    pub(crate) fn call<R>(&mut self, ggrs: impl FnOnce() -> R) -> Result<R, RollbackError> {
        if let Some(error) = &self.0 {
            return Err(error.clone());
        }
        catch_unwind(AssertUnwindSafe(ggrs)).map_err(|payload| {
            let error = RollbackError::Unrecoverable { message: text(&*payload).to_owned() };
            self.0 = Some(error.clone());
            error
        })
    }
}

/// The message of a panic.
fn text(payload: &(dyn Any + Send)) -> &str {
    let text = payload.downcast_ref::<String>().map(String::as_str);
    text.or_else(|| payload.downcast_ref::<&str>().copied()).unwrap_or("ggrs has panicked")
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A message with inputs.
    fn message(bytes: &[u8]) -> Vec<u8> {
        let body = (2_u32, (vec![(false, 3), (true, 4)], false, 7, 6, bytes));
        postcard::to_stdvec(&(513_u16, body)).expect("it can be encoded")
    }

    #[test]
    fn sound_inputs_pass() {
        for bytes in [&[][..], &[4, 7, 9], &[(10 << 2) + 1], &[(10 << 2) + 3, 2, 77]] {
            assert!(!is_hostile(&message(bytes)), "{bytes:?}");
        }
        assert_eq!(decompressed_length(&[(10 << 2) + 3, 2, 77]), Some(11));
        assert!(!is_hostile(&[1, 2, 3]) && !is_hostile(&[]));
    }

    #[test]
    fn messages_of_ggrs_are_encoded_so() {
        let bytes = message(&[4, 7, 9]);
        let real: ggrs::Message = postcard::from_bytes(&bytes).expect("it is one of ggrs");
        assert_eq!(postcard::to_stdvec(&real).expect("it can be encoded"), bytes);
        let text = format!("{real:?}");
        assert!(text.contains("Input(Input") && text.contains("bytes: 0x040709"), "{text}");
    }

    #[test]
    fn bombs_and_cut_inputs_do_not() {
        let bomb = [253, 255, 255, 255, 255, 255, 127];
        for bytes in [&bomb[..], &[4, 7], &[128], &[255; 20]] {
            assert!(is_hostile(&message(bytes)), "{bytes:?}");
        }
    }
}
