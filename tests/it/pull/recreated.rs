//! Empties and refills buckets, and starts nodes that have no generation or a generation that they do not trust.

use std::fs;

use super::{Node, Publisher, own_file};
use crate::process::wait_until;

/// Empties the bucket, and publishes another generation in it as publication 1.
fn recreate(publisher: &Publisher) -> Publisher {
    let mut other = Publisher::share(publisher.folder.clone());
    let manifest = other.make("2026-02-01-1", "Anders");
    fs::remove_dir_all(publisher.folder.join("manifests")).expect("it is there");
    other.put(&manifest);
    other
}

#[test]
fn a_publication_with_new_content_under_its_number_is_pulled_again() {
    let mut publisher = Publisher::new();
    publisher.publish("2026-01-01-1", "Eerst");
    let node = Node::start(&publisher.url());
    node.wait_until_it_serves("Eerst");
    let mut publisher = recreate(&publisher);
    node.wait_until_it_serves("Anders");
    publisher.publish("2026-02-02-1", "Daarna");
    node.poll_and_serve("Daarna");
    wait_until("it is over", || node.metric("postduif_pull_failing") == 0.0);
}

#[test]
fn sighup_makes_a_node_accept_a_recreated_bucket() {
    let mut publisher = Publisher::new();
    publisher.publish("2026-01-01-1", "Eerst");
    publisher.publish("2026-01-02-1", "Daarna");
    let node = Node::start(&publisher.url());
    node.wait_until_it_serves("Daarna");
    recreate(&publisher);
    node.wait_until_it_fails("empty");
    node.assert_serves("Daarna");
    let ready = node.service.get("admin", "/health/ready", None).body;
    assert!(ready.contains("send this node SIGHUP"), "{ready}");
    node.service.hang_up();
    node.wait_until_it_serves("Anders");
    wait_until("it is over", || node.metric("postduif_pull_failing") == 0.0);
}

#[test]
fn an_empty_node_serves_an_earlier_publication_until_the_newest_is_complete() {
    let mut publisher = Publisher::new();
    let first = publisher.publish("2026-01-01-1", "Eerst");
    let second = publisher.publish("2026-01-02-1", "Daarna");
    let object = publisher.object(own_file(&second, &[&first]));
    fs::rename(&object, publisher.moved_bucket()).expect("renames");
    let node = Node::start(&publisher.url());
    node.wait_until_it_serves("Eerst");
    node.wait_until_it_fails("missing");
    assert_eq!(node.metric("postduif_pull_failing"), 1.0);
    let log = node.service.log();
    assert!(log.contains("trying an earlier publication"), "{log}");
    fs::rename(publisher.moved_bucket(), &object).expect("renames");
    node.poll_and_serve("Daarna");
    wait_until("it is over", || node.metric("postduif_pull_failing") == 0.0);
}

#[test]
fn a_node_never_goes_back_to_an_earlier_publication() {
    let mut publisher = Publisher::new();
    publisher.publish("2026-01-01-1", "Eerst");
    let second = publisher.publish("2026-01-02-1", "Daarna");
    let node = Node::start(&publisher.url());
    node.wait_until_it_serves("Daarna");
    let folder = node.kill();
    let text = publisher.text(&second).replace("2026-01-02", "2026-01-03");
    let manifest = format!("manifests/{:020}.json", 2);
    fs::write(publisher.folder.join(manifest), text).expect("writes");
    let often = ["--generations-poll-s", "1"];
    let node = Node::start_with(folder, &publisher.url(), &often);
    node.wait_until_it_fails("corrupt");
    node.service.hang_up();
    wait_until("the node tries twice", || node.failures("corrupt") > 1.0);
    node.assert_serves("Daarna");
    assert_eq!(
        node.data().current_generation().ok().flatten(),
        Some(second.generation)
    );
}

#[test]
fn running_downloads_finish_when_another_file_fails() {
    let mut publisher = Publisher::new();
    let first = publisher.publish("2026-01-01-1", "Eerst");
    let node = Node::start(&publisher.url());
    node.wait_until_it_serves("Eerst");
    let second = publisher.make("2026-01-02-1", "Daarna");
    let small = own_file(&second, &[&first]).clone();
    let second = publisher.enlarge(second, 48 << 20);
    publisher.upload(&second);
    fs::remove_file(publisher.object(&small)).expect("it is there");
    publisher.put_text(&publisher.text(&second));
    node.service.hang_up();
    let large = node.data().generations_path().join(".pulling/zzz-large");
    wait_until("the large file is downloaded", || large.is_file());
    node.wait_until_it_fails("missing");
    node.assert_serves("Eerst");
}
