//! Pulls from a real S3-compatible store over a faulty network.

use std::time::Duration;

use super::{Node, Publisher, empty, metric_value, own_file, serving};
use crate::process::{Service, wait_until};
use crate::relay::{LinkState, Relay};
use crate::store::Store;

/// A node that pulls from the store, through the relay if `endpoint` is given.
fn node_by(store: &Store, endpoint: Option<&Relay>, secret: Option<&str>) -> Node {
    let (folder, key) = empty();
    let often = ["--generations-poll-s", "1"];
    let mut command = serving(folder.path(), &store.url(), &often);
    command.envs(store.environment());
    if let Some(relay) = endpoint {
        command.env("AWS_ENDPOINT_URL", format!("http://{}", relay.address()));
    }
    if let Some(secret) = secret {
        command.env("AWS_SECRET_ACCESS_KEY", secret);
    }
    Node {
        service: Service::start_by(command),
        folder,
        key,
    }
}

fn relay(store: &Store) -> Relay {
    let address = store.endpoint();
    let address = address.strip_prefix("http://").expect("without TLS");
    Relay::start(address.parse().expect("an address"))
}

#[test]
fn a_node_pulls_from_an_s3_store() {
    let Some(store) = Store::start() else { return };
    let mut publisher = Publisher::share(store.folder());
    let first = publisher.publish("2026-01-01-1", "Eerst");
    let node = node_by(&store, None, None);
    node.wait_until_it_serves("Eerst");
    assert_eq!(node.downloaded(), metric_value(first.files.len()));
    publisher.publish("2026-01-02-1", "Daarna");
    node.wait_until_it_serves("Daarna");
    publisher.put(&first);
    node.poll_and_serve("Eerst");
    let log = node.service.log();
    assert!(!log.contains(store.secret()), "{log}");
}

#[test]
fn a_store_that_refuses_the_credentials_is_reported_without_the_secret() {
    let Some(store) = Store::start() else { return };
    let mut publisher = Publisher::share(store.folder());
    publisher.publish("2026-01-01-1", "Eerst");
    let wrong = "a-secret-that-is-not-the-right-one";
    let node = node_by(&store, None, Some(wrong));
    node.wait_until_it_fails("unreachable");
    let ready = node.service.get("admin", "/health/ready", None);
    assert_eq!(ready.status, 503);
    assert!(
        ready.body.contains("s3://generations/nl/manifests"),
        "{}",
        ready.body
    );
    let message = [ready.body, node.service.log()].concat();
    assert!(!message.contains(wrong), "{message}");
    assert!(message.contains("SignatureDoesNotMatch"), "{message}");
    let nothing_served = "no generation is served, so look-ups answer 503";
    assert!(message.contains(nothing_served), "{message}");
    assert!(!message.contains("still serving"), "{message}");
    assert!(
        message.contains("With `generations_from` the first one is pulled"),
        "{message}"
    );
}

#[test]
fn a_store_that_dies_during_a_download_is_reported_and_downloaded_files_stay() {
    let Some(mut store) = Store::start() else {
        return;
    };
    let mut publisher = Publisher::share(store.folder());
    publisher.publish("2026-01-01-1", "Eerst");
    let relay = relay(&store);
    let node = node_by(&store, Some(&relay), None);
    node.wait_until_it_serves("Eerst");
    let second = publisher.make("2026-01-02-1", "Daarna");
    let second = publisher.enlarge(second, 8 << 20);
    relay.set(LinkState::Slow(Duration::from_millis(20)));
    publisher.put(&second);
    node.service.hang_up();
    let large = second.files.len() - 1;
    let pulling = node.data().generations_path().join(".pulling");
    let part = pulling.join(format!(".part-{large}"));
    wait_until("the large file is under way", || {
        part.metadata().is_ok_and(|part| part.len() > 1 << 16)
    });
    store.kill();
    relay.set(LinkState::Cut);
    node.assert_serves("Eerst");
    store.restart();
    relay.set(LinkState::Open);
    node.poll_and_serve("Daarna");
    assert_eq!(node.generations(), ["2026-01-01-1", "2026-01-02-1"]);
    let file = own_file(&second, &[]);
    assert_eq!(file.path, "zzz-large");
}

#[test]
fn a_store_that_hangs_or_disconnects_at_any_step_does_not_stop_the_service() {
    let Some(store) = Store::start() else { return };
    let mut publisher = Publisher::share(store.folder());
    publisher.publish("2026-01-01-1", "Eerst");
    let relay = relay(&store);
    let node = node_by(&store, Some(&relay), None);
    node.wait_until_it_serves("Eerst");
    relay.set(LinkState::Silent);
    publisher.publish("2026-01-02-1", "Daarna");
    node.service.hang_up();
    wait_until("it asks the store", || relay.has_undelivered_bytes());
    node.assert_serves("Eerst");
    relay.set(LinkState::Open);
    node.wait_until_it_serves("Daarna");
    // Cut the network at a later moment each time: before the list is read, after it, between files.
    for (step, delay) in [0, 5, 20, 60, 150].into_iter().enumerate() {
        let name = format!("Straat {step}");
        publisher.publish(&format!("2026-02-0{}-1", step + 1), &name);
        relay.set(LinkState::Slow(Duration::from_millis(1)));
        node.service.hang_up();
        std::thread::sleep(Duration::from_millis(delay));
        relay.set(LinkState::Cut);
        let found = node.service.get("live", super::PATH, Some(&node.key));
        assert_eq!(found.status, 200, "{}", found.body);
        relay.set(LinkState::Open);
        node.poll_and_serve(&name);
    }
    assert_eq!(
        node.metric("postduif_generation_reload_failures_total"),
        0.0
    );
}
