//! The memory of the process.

use std::alloc::System;
use std::fs;

use stats_alloc::{INSTRUMENTED_SYSTEM, StatsAlloc};

/// Counts every allocation.
#[global_allocator]
static ALLOCATOR: &StatsAlloc<System> = &INSTRUMENTED_SYSTEM;

/// The bytes that are allocated now.
pub(crate) fn live() -> u64 {
    let stats = ALLOCATOR.stats();
    stats.bytes_allocated.wrapping_sub(stats.bytes_deallocated) as u64
}

/// The bytes of the process in physical memory; `None` where the system does not report them.
pub(crate) fn resident() -> Option<u64> {
    let status = fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"))?;
    let kibibytes: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    Some(kibibytes * 1_024)
}

/// Mean values over an interval.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Memory {
    live: Mean,
    resident: Mean,
}

#[derive(Clone, Copy, Debug, Default)]
struct Mean {
    sum: u64,
    count: u64,
}

impl Mean {
    fn add(&mut self, value: u64) {
        self.sum += value;
        self.count += 1;
    }

    /// The mean, in MiB.
    fn get(self) -> Option<f64> {
        (self.count > 0).then(|| self.sum as f64 / self.count as f64 / f64::from(1 << 20))
    }
}

impl Memory {
    /// Adds the current memory to the means.
    pub(crate) fn sample(&mut self) {
        self.live.add(live());
        if let Some(resident) = resident() {
            self.resident.add(resident);
        }
    }

    /// The mean of the allocated memory, in MiB.
    pub(crate) fn live(&self) -> f64 {
        self.live.get().unwrap_or_default()
    }

    /// The mean of the physical memory, in MiB.
    pub(crate) fn resident(&self) -> Option<f64> {
        self.resident.get()
    }
}
