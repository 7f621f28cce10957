//! The peak memory of this process, as reported by the operating system.

use std::fs;

/// The peak of physical memory of this process in bytes, since it started or since
/// [`forget_peak`]; `None` if the system does not report it.
pub fn peak() -> Option<u64> {
    peak_in(&fs::read_to_string("/proc/self/status").ok()?)
}

/// Resets [`peak`] to the current memory of the process, if the system supports that. Otherwise the peak
/// is that since the start of the process.
pub fn forget_peak() {
    // If this fails, the peaks of several runs in one process cannot be separated.
    fs::write("/proc/self/clear_refs", "5").ok();
}

fn peak_in(status: &str) -> Option<u64> {
    let value = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    let kibibytes: u64 = value.trim().strip_suffix("kB")?.trim_end().parse().ok()?;
    Some(kibibytes * 1024)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finds_the_peak_in_a_status() {
        let status = "Name:\tparticles\nVmPeak:\t  9000 kB\nVmHWM:\t    1234 kB\nVmRSS:\t 99 kB\n";
        assert_eq!(peak_in(status), Some(1234 * 1024));
        assert_eq!(peak_in("Name:\tparticles\n"), None);
        assert_eq!(peak_in("VmHWM:\t many kB\n"), None);
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn grows_with_what_is_held() {
        let before = peak().expect("this system tells");
        let held = std::hint::black_box(vec![1_u8; 64 << 20]);
        assert!(peak().expect("this system tells") >= before.max(held.len() as u64));
    }
}
