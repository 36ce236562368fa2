//! Connects hundreds of clients of several kinds that keep a connection without using it. The service must close each client at its
//! deadline and not earlier, and answer a normal client meanwhile. Afterwards the process must use no more resources than before.
//!
//! `POSTDUIF_TEST_TRIES` is the number of clients. With a thousand clients or more, the test uses the service's default limits.
#![expect(clippy::print_stdout, reason = "the test prints its measurements")]

mod client;
mod healthy;

use std::process::Command;
use std::time::Duration;

use self::client::{ClosedConnection, SlowKind};
use self::healthy::NormalClient;
use super::resources::Resources;
use super::village_folder;
use crate::chance::tries;
use crate::process::{Service, wait_until};
use crate::tools::program;

/// How much earlier than its deadline a connection may be closed. The service rounds times to milliseconds.
const EARLY_TOLERANCE: Duration = Duration::from_millis(100);

/// By how many MiB the memory of the process may grow.
const KEPT_MIB: usize = 24;

/// The number of descriptors that may come and go: connections to the accounts database and of metrics readers.
const SPARE_DESCRIPTORS: usize = 4;

/// With this many clients or more, the test uses the service's default limits.
const MANY_CLIENTS: usize = 1_000;

/// The time limits after which the service closes slow clients.
#[derive(Clone, Copy)]
struct Limits {
    header: Duration,
    request: Duration,
}

#[test]
fn slow_clients_are_closed_at_their_deadlines_and_delay_no_other_client() {
    let count = tries(280);
    let (header_s, request_s) = if count < MANY_CLIENTS {
        (2, 1)
    } else {
        (20, 10)
    };
    let limits = Limits {
        header: Duration::from_secs(header_s),
        request: Duration::from_secs(request_s),
    };
    let (folder, _, [live, _]) = village_folder();
    let [header, request] = [header_s, request_s].map(|seconds| seconds.to_string());
    let settings = [
        "--header-timeout-s",
        &header,
        "--request-timeout-s",
        &request,
    ];
    let service = Service::start(folder.path(), &settings);
    if count > 400 && !may_open(count, &service) {
        return;
    }
    service.wait_until_key_works(&live);
    let healthy = NormalClient::new(&service, &live, limits);
    healthy.while_doing(|| std::thread::sleep(Duration::from_millis(300)));
    let mut held = vec![Resources::measure(&service)];
    for round in 1..=2 {
        let mut closed = Vec::new();
        let (mut durations, most) = healthy.while_doing(|| {
            closed = client::flood(&service, &live, count, limits);
        });
        check_closed(&closed, count);
        durations.sort_unstable();
        let [median, p99] = [50, 99].map(|percent| durations[durations.len() * percent / 100]);
        println!(
            "round {round}: {} healthy requests, median {median:?}, p99 {p99:?}, most {most:?}",
            durations.len()
        );
        wait_until("the service has closed its descriptors", || {
            Resources::measure(&service).descriptors <= held[0].descriptors + SPARE_DESCRIPTORS
        });
        held.push(Resources::measure(&service));
        println!("round {round}: {}, before {}", held[round], held[0]);
    }
    assert!(
        held[2].memory_mib <= held[1].memory_mib + KEPT_MIB,
        "the process keeps {} after the second flood, {} after the first",
        held[2],
        held[1]
    );
}

/// Checks how many clients of each kind were closed, and when.
#[track_caller]
fn check_closed(closed: &[ClosedConnection], count: usize) {
    assert_eq!(closed.len(), count);
    for way in SlowKind::ALL {
        let closed: Vec<&ClosedConnection> =
            closed.iter().filter(|closed| closed.way == way).collect();
        assert!(!closed.is_empty(), "{way:?}");
        let most = |seconds: fn(&ClosedConnection) -> f64| {
            let seconds = closed.iter().map(|closed| seconds(closed));
            seconds.fold(f64::NEG_INFINITY, f64::max)
        };
        let (late, early) = (most(|closed| closed.late_s), most(|closed| closed.early_s));
        println!(
            "{way:?}: {} closed, at most {late:+.3} s after the deadline and {early:+.3} s before it",
            closed.len()
        );
        assert!(early < EARLY_TOLERANCE.as_secs_f64(), "{way:?}: {early}");
    }
}

/// Raises the limit of open descriptors for the test and the service; returns false if `prlimit` is not installed.
fn may_open(count: usize, service: &Service) -> bool {
    let Some(prlimit) = program("prlimit") else {
        return false;
    };
    let most = count + 1_000;
    for process in [service.id(), std::process::id()] {
        let limit = format!("--nofile={most}:{most}");
        let process = process.to_string();
        let message = Command::new(&prlimit)
            .args(["--pid", &process, &limit])
            .status();
        assert!(message.expect("it runs").success(), "{limit}");
    }
    true
}
