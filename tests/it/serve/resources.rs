//! Measures the memory and the descriptors of a process. Source: proc(5).

use std::fmt;
use std::fs;

use crate::process::Service;

/// The memory and descriptors of a process at one moment.
#[derive(Clone, Copy)]
pub(super) struct Resources {
    /// Resident memory now.
    pub(super) memory_mib: usize,
    /// Maximum resident memory since the start of the process.
    pub(super) most_mib: usize,
    pub(super) descriptors: usize,
}

impl Resources {
    pub(super) fn measure(service: &Service) -> Self {
        let process = format!("/proc/{}", service.id());
        let status = fs::read_to_string(format!("{process}/status")).expect("proc is readable");
        let mib = |name: &str| {
            let line = status.lines().find_map(|line| line.strip_prefix(name));
            let kib = line.and_then(|line| line.split_whitespace().next()?.parse::<usize>().ok());
            kib.expect("a number of KiB") >> 10
        };
        let descriptors = fs::read_dir(format!("{process}/fd")).expect("proc is readable");
        Self {
            memory_mib: mib("VmRSS:"),
            most_mib: mib("VmHWM:"),
            descriptors: descriptors.count(),
        }
    }
}

impl fmt::Display for Resources {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            memory_mib,
            most_mib,
            descriptors,
        } = self;
        write!(
            f,
            "{memory_mib} MiB (at most {most_mib}), {descriptors} descriptors"
        )
    }
}
