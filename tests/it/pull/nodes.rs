//! Checks which generations and files a node downloads when nothing fails.

use std::time::Instant;

use postduif_schema::Manifest;

use super::{Node, PATH, Publisher, metric_value, street};
use crate::generation::publish_next;
use crate::process::wait_until;

#[test]
#[expect(clippy::print_stdout, reason = "the test prints its measurements")]
fn an_empty_node_pulls_the_newest_generation_and_then_only_new_files() {
    let mut publisher = Publisher::new();
    publisher.publish("2026-01-01-1", "Eerst");
    let second = publisher.publish("2026-01-02-1", "Daarna");
    let node = Node::start(&publisher.url());
    let ready = || node.service.get("admin", "/health/ready", None);
    wait_until("it is ready", || ready().status == 200);
    node.wait_until_it_serves("Daarna");
    assert_eq!(node.downloaded(), metric_value(second.files.len()));
    let bytes: u64 = second.files.iter().map(|file| file.bytes).sum();
    let expected = node.metric("postduif_pull_bytes_total{transfer=\"downloaded\"}");
    assert_eq!(expected, f64::from(u32::try_from(bytes).expect("small")));

    publish_next(
        &publisher.data,
        "2026-01-03-1",
        &[],
        &street("Ten slotte")[..1],
    );
    let third = publisher.manifest("2026-01-03-1");
    let began = Instant::now();
    publisher.put(&third);
    wait_until("it is served", || {
        node.metric("postduif_pull_served_publication") == 3.0
    });
    println!("served {:?} after its publication began", began.elapsed());
    assert_eq!(node.metric("postduif_pull_newest_publication"), 3.0);
    let lacked = third.files.len() - count_shared_files(&third, &second);
    assert!(lacked < third.files.len(), "they share files");
    assert_eq!(node.downloaded(), metric_value(second.files.len() + lacked));
    let linked = node.metric("postduif_pull_files_total{transfer=\"linked\"}");
    assert_eq!(linked, metric_value(count_shared_files(&third, &second)));
    for page in ["/version", "/health/ready"] {
        let page = node.service.get("admin", page, None).body;
        let expected = r#""pull":{"newest":3,"served":3,"refusedLayout":null,"failed":null}"#;
        assert!(page.contains(expected), "{page}");
    }
    assert!(node.metric("postduif_pull_last_check_timestamp_seconds") > 0.0);
    assert_eq!(node.generations(), ["2026-01-02-1", "2026-01-03-1"]);
}

/// The number of files that two generations share.
fn count_shared_files(of: &Manifest, with: &Manifest) -> usize {
    let theirs = |sha256: &str| with.files.iter().any(|file| file.sha256 == sha256);
    of.files.iter().filter(|file| theirs(&file.sha256)).count()
}

#[test]
fn publishing_an_earlier_generation_again_switches_nodes_without_a_download() {
    let mut publisher = Publisher::new();
    let first = publisher.publish("2026-01-01-1", "Eerst");
    let node = Node::start(&publisher.url());
    node.wait_until_it_serves("Eerst");
    let second = publisher.publish("2026-01-02-1", "Daarna");
    node.poll_and_serve("Daarna");
    let before = node.downloaded();
    publisher.put(&first);
    node.poll_and_serve("Eerst");
    publisher.put(&second);
    node.poll_and_serve("Daarna");
    assert_eq!(node.downloaded(), before);
}

#[test]
fn a_restarted_node_serves_at_once_without_a_download() {
    let mut publisher = Publisher::new();
    publisher.publish("2026-01-01-1", "Eerst");
    publisher.publish("2026-01-02-1", "Daarna");
    let node = Node::start(&publisher.url());
    node.wait_until_it_serves("Daarna");
    let node = Node::start_with(node.kill(), &publisher.url(), &[]);
    let first = node.service.get("live", PATH, Some(&node.key));
    assert_eq!(first.status, 200, "{}", first.body);
    wait_until("the node has polled the bucket", || {
        node.metric("postduif_pull_served_publication") == 2.0
    });
    assert_eq!(node.downloaded(), 0.0);

    // A restarted node serves even while the bucket is missing.
    std::fs::rename(&publisher.folder, publisher.moved_bucket()).expect("renames");
    let node = Node::start_with(
        node.kill(),
        &publisher.url(),
        &["--generations-poll-s", "1"],
    );
    let first = node.service.get("live", PATH, Some(&node.key));
    assert_eq!(first.status, 200, "{}", first.body);
    node.wait_until_it_fails("unreachable");
    std::fs::rename(publisher.moved_bucket(), &publisher.folder).expect("renames");
    publisher.publish("2026-01-03-1", "Ten slotte");
    node.wait_until_it_serves("Ten slotte");
    node.wait_for_log("cannot pull the newest generation");
    node.wait_for_log("pulling generations works again");
}

#[test]
fn a_node_keeps_its_last_generations_and_removes_earlier_ones() {
    let mut publisher = Publisher::new();
    let (folder, url) = (super::empty(), publisher.url());
    let keep = ["--generations-poll-s", "1", "--generations-keep", "2"];
    let first = publisher.publish("2026-01-01-1", "Straat 1");
    let node = Node::start_with(folder, &url, &keep);
    node.wait_until_it_serves("Straat 1");
    for day in 2..=4 {
        publisher.publish(&format!("2026-01-0{day}-1"), &format!("Straat {day}"));
        node.poll_and_serve(&format!("Straat {day}"));
    }
    wait_until("two are left", || {
        node.generations() == ["2026-01-03-1", "2026-01-04-1"]
    });
    // A node treats an earlier generation that is published again as the newest one.
    publisher.put(&first);
    node.poll_and_serve("Straat 1");
    wait_until("two are left", || {
        node.generations() == ["2026-01-01-1", "2026-01-04-1"]
    });
}

#[test]
fn all_nodes_reach_the_same_publication_and_sighup_checks_at_once() {
    let mut publisher = Publisher::new();
    publisher.publish("2026-01-01-1", "Eerst");
    let seldom = ["--generations-poll-s", "3600"];
    let nodes = [(); 2].map(|()| Node::start_with(super::empty(), &publisher.url(), &seldom));
    for node in &nodes {
        node.wait_until_it_serves("Eerst");
    }
    publisher.publish("2026-01-02-1", "Daarna");
    for node in &nodes {
        node.service.hang_up();
        node.wait_until_it_serves("Daarna");
    }
}
