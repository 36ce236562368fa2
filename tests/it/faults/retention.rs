//! Kills the service while it deletes old request logs. Recent logs stay, and the next start deletes the other old logs.
#![expect(clippy::print_stdout, reason = "the seed repeats a failure")]

use std::fs;
use std::path::Path;
use std::time::Duration;

use jiff::Timestamp;
use jiff::civil::date;
use jiff::tz::TimeZone;

use super::{PATH, counted_calls, publish_village};
use crate::chance::{Chance, tries};
use crate::process::{Service, open_account, wait_until};
use crate::scratch;

/// The number of old request logs, which take some time to delete.
const OLD: i64 = 3_000;

fn names(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).expect("a folder");
    let names = entries.map(|entry| entry.expect("an entry").file_name());
    let mut names: Vec<String> = names
        .map(|name| name.into_string().expect("ASCII"))
        .collect();
    names.sort();
    names
}

#[test]
fn old_request_logs_are_deleted_even_if_the_first_runs_are_killed() {
    let folder = scratch::folder();
    publish_village(folder.path());
    let [live, _] = open_account(folder.path());
    let mut service = Service::start(folder.path(), &[]);
    assert_eq!(service.get("live", PATH, Some(&live)).status, 200);
    service.terminate();
    assert_eq!(service.wait().code(), Some(0));

    let requests = folder.path().join("requests");
    let today = Timestamp::now().to_zoned(TimeZone::UTC).date();
    let day = |ago: i64| {
        today
            .checked_sub(jiff::Span::new().days(ago))
            .expect("in range")
    };
    let young = [format!("{}.jsonl", day(88)), "2020-01-01.txt".to_owned()];
    for name in &young {
        fs::write(requests.join(name), "{}\n").expect("writes");
    }
    let first = date(2010, 1, 1);
    for number in 0..OLD {
        let day = first
            .checked_add(jiff::Span::new().days(number))
            .expect("in range");
        fs::write(requests.join(format!("{day}.jsonl")), "{}\n").expect("writes");
    }
    let (before, mut chance, mut cut) = (counted_calls(folder.path()), Chance::new(), 0);
    println!("seed {}", chance.seed);
    for _ in 0..tries(4) {
        let there = names(&requests).len();
        let service = Service::start(folder.path(), &[]);
        wait_until("the service has begun to delete, or is done", || {
            names(&requests).len() < there || there < 10
        });
        std::thread::sleep(Duration::from_millis(chance.below(10) as u64));
        service.kill();
        let left = names(&requests);
        cut += usize::from(left.iter().any(|name| name.starts_with("201")));
        assert!(young.iter().all(|name| left.contains(name)), "{left:?}");
    }
    println!("killed half-way {cut} times");
    let _service = Service::start(folder.path(), &[]);
    wait_until("the old request logs are deleted", || {
        !names(&requests).iter().any(|name| name.starts_with("201"))
    });
    let left = names(&requests);
    assert!(young.iter().all(|name| left.contains(name)), "{left:?}");
    assert_eq!(counted_calls(folder.path()), before, "counts stay");
}
