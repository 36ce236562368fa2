//! What a node takes when all goes well.

use std::time::Instant;

use postduif_schema::Manifest;

use super::{Node, PATH, Publisher, count, street};
use crate::generation::publish_next;
use crate::process::until;

#[test]
#[expect(clippy::print_stdout, reason = "a figure for people")]
fn an_empty_node_is_ready_with_the_newest_and_takes_the_next_with_what_it_lacks() {
    let mut publisher = Publisher::new();
    publisher.publish("2026-01-01-1", "Eerst");
    let second = publisher.publish("2026-01-02-1", "Daarna");
    let node = Node::start(&publisher.url());
    let ready = || node.service.get("admin", "/health/ready", None);
    until("it is ready", || ready().status == 200);
    node.serves("Daarna");
    assert_eq!(node.downloaded(), count(second.files.len()));
    let bytes: u64 = second.files.iter().map(|file| file.bytes).sum();
    let told = node.figure("postduif_pull_bytes_total{transfer=\"downloaded\"}");
    assert_eq!(told, f64::from(u32::try_from(bytes).expect("small")));

    publish_next(
        &publisher.data,
        "2026-01-03-1",
        &[],
        &street("Ten slotte")[..1],
    );
    let third = publisher.manifest("2026-01-03-1");
    let began = Instant::now();
    publisher.put(&third);
    until("it is served", || {
        node.figure("postduif_pull_served_publication") == 3.0
    });
    println!("served {:?} after its publication began", began.elapsed());
    assert_eq!(node.figure("postduif_pull_newest_publication"), 3.0);
    let lacked = third.files.len() - shared(&third, &second);
    assert!(lacked < third.files.len(), "they share files");
    assert_eq!(node.downloaded(), count(second.files.len() + lacked));
    let linked = node.figure("postduif_pull_files_total{transfer=\"linked\"}");
    assert_eq!(linked, count(shared(&third, &second)));
    for page in ["/version", "/health/ready"] {
        let page = node.service.get("admin", page, None).body;
        let told = r#""pull":{"newest":3,"served":3,"refusedLayout":null,"failed":null}"#;
        assert!(page.contains(told), "{page}");
    }
    assert!(node.figure("postduif_pull_last_check_timestamp_seconds") > 0.0);
    assert_eq!(node.shelf(), ["2026-01-02-1", "2026-01-03-1"]);
}

/// How many files of a generation another one has too.
fn shared(of: &Manifest, with: &Manifest) -> usize {
    let theirs = |sha256: &str| with.files.iter().any(|file| file.sha256 == sha256);
    of.files.iter().filter(|file| theirs(&file.sha256)).count()
}

#[test]
fn a_later_publication_of_an_earlier_generation_is_obeyed_without_a_download() {
    let mut publisher = Publisher::new();
    let first = publisher.publish("2026-01-01-1", "Eerst");
    let node = Node::start(&publisher.url());
    node.serves("Eerst");
    let second = publisher.publish("2026-01-02-1", "Daarna");
    node.looks_and_serves("Daarna");
    let before = node.downloaded();
    publisher.put(&first);
    node.looks_and_serves("Eerst");
    publisher.put(&second);
    node.looks_and_serves("Daarna");
    assert_eq!(node.downloaded(), before);
}

#[test]
fn a_restart_downloads_nothing_and_serves_at_once_what_is_there() {
    let mut publisher = Publisher::new();
    publisher.publish("2026-01-01-1", "Eerst");
    publisher.publish("2026-01-02-1", "Daarna");
    let node = Node::start(&publisher.url());
    node.serves("Daarna");
    let node = Node::start_with(node.kill(), &publisher.url(), &[]);
    let first = node.service.get("live", PATH, Some(&node.key));
    assert_eq!(first.status, 200, "{}", first.body);
    until("it has looked", || {
        node.figure("postduif_pull_served_publication") == 2.0
    });
    assert_eq!(node.downloaded(), 0.0);

    // While the bucket is away, too.
    std::fs::rename(&publisher.folder, publisher.away()).expect("renames");
    let node = Node::start_with(
        node.kill(),
        &publisher.url(),
        &["--generations-poll-s", "1"],
    );
    let first = node.service.get("live", PATH, Some(&node.key));
    assert_eq!(first.status, 200, "{}", first.body);
    node.fails("unreachable");
    std::fs::rename(publisher.away(), &publisher.folder).expect("renames");
    publisher.publish("2026-01-03-1", "Ten slotte");
    node.serves("Ten slotte");
    node.logs_once("cannot pull the newest generation");
    node.logs_once("pulling generations works again");
}

#[test]
fn the_generations_taken_last_stay_and_earlier_ones_go() {
    let mut publisher = Publisher::new();
    let (folder, url) = (super::empty(), publisher.url());
    let keep = ["--generations-poll-s", "1", "--generations-keep", "2"];
    let first = publisher.publish("2026-01-01-1", "Straat 1");
    let node = Node::start_with(folder, &url, &keep);
    node.serves("Straat 1");
    for day in 2..=4 {
        publisher.publish(&format!("2026-01-0{day}-1"), &format!("Straat {day}"));
        node.looks_and_serves(&format!("Straat {day}"));
    }
    until("two are left", || {
        node.shelf() == ["2026-01-03-1", "2026-01-04-1"]
    });
    // An earlier one that is taken again is the newest to a node.
    publisher.put(&first);
    node.looks_and_serves("Straat 1");
    until("two are left", || {
        node.shelf() == ["2026-01-01-1", "2026-01-04-1"]
    });
}

#[test]
fn every_node_comes_to_the_same_publication_and_a_hangup_has_it_looked_for() {
    let mut publisher = Publisher::new();
    publisher.publish("2026-01-01-1", "Eerst");
    let seldom = ["--generations-poll-s", "3600"];
    let nodes = [(); 2].map(|()| Node::start_with(super::empty(), &publisher.url(), &seldom));
    for node in &nodes {
        node.serves("Eerst");
    }
    publisher.publish("2026-01-02-1", "Daarna");
    for node in &nodes {
        node.service.hang_up();
        node.serves("Daarna");
    }
}
