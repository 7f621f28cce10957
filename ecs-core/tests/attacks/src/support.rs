//! Shared by the attacks: threads, panics without messages, and a watchdog.

use std::cell::Cell;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind, set_hook, take_hook};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::sync::{Arc, Once, OnceLock};
use std::thread;
use std::time::Duration;

use ecs_core::Threads;
use rayon::ThreadPoolBuilder;

/// The time after which a test counts as hanging.
const PATIENCE: Duration = Duration::from_mins(2);

/// A new pool, on which all work runs.
///
/// # Panics
/// If the threads cannot be started.
#[must_use]
pub fn fresh(threads: usize) -> Threads {
    let pool = ThreadPoolBuilder::new().num_threads(threads).build();
    Threads::Eager(Arc::new(pool.expect("threads to make a pool of")))
}

/// A pool of four threads, started once.
pub fn four() -> Threads {
    static POOL: OnceLock<Threads> = OnceLock::new();
    POOL.get_or_init(|| fresh(4)).clone()
}

/// Panics with `payload`, without a message on the terminal.
pub fn fail(payload: &'static str) -> ! {
    resume_unwind(Box::new(payload))
}

/// The panic of `f`: a payload of [`fail`], or a message; `None` if it returns.
pub fn caught<R>(f: impl FnOnce() -> R) -> Option<String> {
    let payload = catch_unwind(AssertUnwindSafe(f)).err()?;
    let text = payload.downcast_ref::<&str>().map(|text| (*text).to_owned());
    Some(text.or_else(|| payload.downcast_ref::<String>().cloned()).unwrap_or_default())
}

/// Runs `f` on a thread of its own, and returns what it returns.
///
/// # Panics
/// With the panic of `f`, or if it takes longer than two minutes, which counts as hanging.
pub fn watched<R: Send + 'static>(f: impl FnOnce() -> R + Send + 'static) -> R {
    let (done, is_done) = channel();
    let thread = thread::spawn(move || {
        let result = f();
        // After a timeout the receiver is gone.
        let _ = done.send(());
        result
    });
    match is_done.recv_timeout(PATIENCE) {
        Err(RecvTimeoutError::Timeout) => panic!("it hangs"),
        Ok(()) | Err(RecvTimeoutError::Disconnected) => {
            thread.join().unwrap_or_else(|payload| resume_unwind(payload))
        }
    }
}

/// Like [`caught`], but the panic prints no message.
pub fn quietly<R>(f: impl FnOnce() -> R) -> Option<String> {
    thread_local! {
        static QUIET: Cell<bool> = const { Cell::new(false) };
    }
    static HOOK: Once = Once::new();
    HOOK.call_once(|| {
        let usual = take_hook();
        set_hook(Box::new(move |info| {
            if !QUIET.get() {
                usual(info);
            }
        }));
    });
    let was = QUIET.replace(true);
    let text = caught(f);
    QUIET.set(was);
    text
}

/// Runs `f` on a thread with a stack of `bytes` bytes.
///
/// # Panics
/// With the panic of `f`, or if the thread cannot be started.
pub fn with_stack<R: Send>(bytes: usize, f: impl FnOnce() -> R + Send) -> R {
    thread::scope(|scope| {
        let thread = thread::Builder::new().stack_size(bytes).spawn_scoped(scope, f);
        let result = thread.expect("a thread").join();
        result.unwrap_or_else(|payload| resume_unwind(payload))
    })
}
