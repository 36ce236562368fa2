//! Checks the 401 answer on a real connection: it has the same bytes for every cause, and takes the same time.
#![expect(clippy::print_stdout, reason = "the test prints its measurements")]

use std::io::{Read as _, Write as _};
use std::net::TcpStream;
use std::time::{Duration, Instant};

use super::village_folder;
use crate::chance::tries;
use crate::process::{Service, open_account_with, run, run_json, wait_until};

const PATHS: [&str; 2] = ["/v3/lookup/1234AB/29", "/v1/autocomplete?q=dijk"];

/// The network to which one of the keys is restricted. The test calls from another network.
const OTHER_NETWORK: &str = "192.0.2.0/24";

const ORIGIN: &str = "https://shop.example.org";

/// The cause of a refusal, and header lines of a request that is refused for this cause.
type Cause = (&'static str, String);

fn causes(service: &Service, folder: &std::path::Path, test: &str) -> Vec<Cause> {
    let [in_network, _] = open_account_with(folder, &["--plan", "pro", "--ip", OTHER_NETWORK]);
    let [in_pages, _] = open_account_with(folder, &["--plan", "pro", "--origin", ORIGIN]);
    let [server, _] = open_account_with(folder, &["--plan", "pro"]);
    let [revoked, _] = open_account_with(folder, &["--plan", "pro"]);
    let status = |key: &str| service.get("live", PATHS[0], Some(key)).status;
    wait_until("the keys are known", || {
        [&server, &revoked].map(|key| status(key)) == [200, 200]
    });
    revoke(folder, &revoked);
    wait_until("a key is revoked", || status(&revoked) == 401);
    let unknown = postduif::accounts::ApiKey::generate(
        postduif::accounts::Environment::Live,
        postduif::accounts::AccountTag::random().expect("randomness"),
    );
    let unknown = unknown.expect("randomness");
    let last = if server.ends_with('0') { "1" } else { "0" };
    let mistyped = format!("{}{last}", &server[..server.len() - 1]);
    let key = |key: &str| format!("X-Api-Key: {key}\r\n");
    let other = "Origin: https://other.example.org\r\n";
    vec![
        ("missing", String::new()),
        ("malformed", key("geheim")),
        ("a wrong checksum", key(&mistyped)),
        ("unknown", key(unknown.reveal())),
        ("revoked", key(&revoked)),
        ("a key of the sandbox", key(test)),
        ("a key of another network", key(&in_network)),
        ("a key of another page", key(&in_pages) + other),
        ("a key of a page, without an origin", key(&server) + other),
        ("sent twice", key(&server).repeat(2)),
        ("a second key in the request", key(&server) + &key("geheim")),
    ]
}

fn revoke(folder: &std::path::Path, key: &str) {
    let tag = &key[8..16];
    let accounts = run_json(folder, &["accounts", "list", "--json"]);
    let accounts = accounts.as_array().expect("a list").iter();
    let account = accounts.clone().find(|account| account["tag"] == tag);
    let account = account.expect("the account of the key")["id"].clone();
    let keys = run_json(folder, &["keys", "list", "--json"]);
    let keys = keys.as_array().expect("a list").iter();
    for key in keys.filter(|key| key["account"] == account) {
        let data = folder.to_str().expect("UTF-8");
        let id = key["id"].as_str().expect("an id");
        let output = run(&["keys", "revoke", "--data", data, id]);
        assert!(output.status.success(), "{output:?}");
    }
}

/// Sends a request on a kept connection. Returns the answer without the parts that differ each time, and its duration.
fn timed_answer(stream: &mut TcpStream, request: &str) -> (String, Duration) {
    let (mut part, began) = ([0; 4096], Instant::now());
    stream.write_all(request.as_bytes()).expect("writes");
    let length = stream.read(&mut part).expect("an answer");
    let duration = began.elapsed();
    let text = String::from_utf8_lossy(&part[..length]);
    assert!(text.contains("\r\n\r\n{"), "an answer comes whole: {text}");
    let same = |line: &&str| !line.starts_with("x-request-id: ") && !line.starts_with("date: ");
    (
        text.split("\r\n")
            .filter(same)
            .collect::<Vec<_>>()
            .join("\r\n"),
        duration,
    )
}

#[test]
fn refusals_have_the_same_bytes_and_time_for_every_cause() {
    let (folder, _, [_, test]) = village_folder();
    let service = Service::start(folder.path(), &[]);
    let causes = causes(&service, folder.path(), &test);
    let samples = tries(200).max(100);
    for path in PATHS {
        let requests: Vec<String> = causes
            .iter()
            .map(|(_, lines)| format!("GET {path} HTTP/1.1\r\nHost: a\r\n{lines}\r\n"))
            .collect();
        let mut stream = service.connect();
        stream.set_nodelay(true).expect("a socket");
        let (first, _) = timed_answer(&mut stream, &requests[0]);
        assert!(first.starts_with("HTTP/1.1 401"), "{first}");
        let mut durations = vec![Vec::new(); causes.len()];
        // Request the causes in turn, so that other load on the machine affects all causes equally.
        for _ in 0..samples {
            for (cause, request) in requests.iter().enumerate() {
                let (reply, time) = timed_answer(&mut stream, request);
                assert_eq!(reply, first, "{path}: {}", causes[cause].0);
                durations[cause].push(time);
            }
        }
        assert_same_times(path, &causes, &durations);
        print_medians(path, &causes, &mut durations);
    }
}

/// Checks for each pair of causes that neither takes longer than the other in 99% of the samples.
#[track_caller]
fn assert_same_times(path: &str, causes: &[Cause], durations: &[Vec<Duration>]) {
    for (one, (first, _)) in durations.iter().zip(causes) {
        for (other, (second, _)) in durations.iter().zip(causes) {
            let longer = one.iter().zip(other).filter(|(one, other)| one > other);
            let (longer, all) = (longer.count(), one.len());
            assert!(
                longer < all - all / 100,
                "{path}: {first} takes longer than {second} in {longer} of {all}"
            );
        }
    }
}

fn print_medians(path: &str, causes: &[Cause], durations: &mut [Vec<Duration>]) {
    durations
        .iter_mut()
        .for_each(|samples| samples.sort_unstable());
    let at = |samples: &[Duration], tenths: usize| samples[samples.len() * tenths / 10];
    for ((cause, _), samples) in causes.iter().zip(durations.iter()) {
        let [low, median, high] = [1, 5, 9].map(|tenths| at(samples, tenths));
        println!(
            "{path}: {cause}: median {median:?}; 80% of the responses took {low:?} to {high:?}"
        );
    }
    let medians = durations.iter().map(|samples| at(samples, 5));
    let (least, most) = (medians.clone().min(), medians.max());
    let apart = most.zip(least).map(|(most, least)| most - least);
    let noise = durations
        .iter()
        .map(|samples| at(samples, 9) - at(samples, 1))
        .max();
    println!(
        "{path}: medians are {apart:?} apart; 80% of one cause's responses are within {noise:?}"
    );
}
