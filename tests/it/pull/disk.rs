//! Pulls to a full disk.

use super::{Node, Publisher, empty};
use crate::process::until;
use crate::small_disk::Small;

/// A node that serves a first generation and has this much space for generations.
fn cramped(publisher: &mut Publisher, size: &str) -> Option<(Node, Small)> {
    let (folder, key) = empty();
    let generations = folder.path().join("generations");
    std::fs::create_dir(&generations).expect("writes");
    let small = Small::mount(&generations, size)?;
    publisher.publish("2026-01-01-1", "Eerst");
    let often = ["--generations-poll-s", "1"];
    let node = Node::start_with((folder, key), &publisher.url(), &often);
    node.serves("Eerst");
    Some((node, small))
}

#[test]
fn too_little_disk_space_is_reported_with_the_bytes_needed() {
    let mut publisher = Publisher::new();
    let Some((node, small)) = cramped(&mut publisher, "size=2m") else {
        return;
    };
    let second = publisher.make("2026-01-02-1", "Daarna");
    let second = publisher.enlarge(second, 3 << 20);
    publisher.put(&second);
    node.service.hang_up();
    node.fails("disk");
    node.goes_on_with("Eerst");
    let ready = node.service.get("admin", "/health/ready", None).body;
    let expected = "generation 2026-01-02-1 wants";
    assert!(
        ready.contains(expected) && ready.contains("are free"),
        "{ready}"
    );
    small.becomes("size=20m");
    node.looks_and_serves("Daarna");
    until("it is over", || node.figure("postduif_pull_failing") == 0.0);
}

#[test]
fn a_disk_that_fills_up_during_a_pull_gets_its_space_back() {
    let mut publisher = Publisher::new();
    let first = Publisher::new().make("2026-01-01-1", "Eerst");
    // As many file names as the first generation needs, and a few more.
    let names = first.files.len() + 12;
    let Some((node, small)) = cramped(&mut publisher, &format!("size=20m,nr_inodes={names}"))
    else {
        return;
    };
    publisher.publish("2026-01-02-1", "Daarna");
    node.service.hang_up();
    node.fails("disk");
    node.goes_on_with("Eerst");
    until("what came is gone", || node.shelf() == ["2026-01-01-1"]);
    let ready = node.service.get("admin", "/health/ready", None).body;
    assert!(ready.contains("No space left"), "{ready}");
    small.becomes("size=20m,nr_inodes=10000");
    node.looks_and_serves("Daarna");
}

#[test]
fn a_pull_to_a_small_disk_removes_earlier_generations_first() {
    let mut publisher = Publisher::new();
    // Three of them should be kept, and two fit.
    let Some((node, _small)) = cramped(&mut publisher, "size=9m") else {
        return;
    };
    for day in 2..=4 {
        let street = format!("Straat {day}");
        let next = publisher.make(&format!("2026-01-0{day}-1"), &street);
        let next = publisher.enlarge(next, (3 << 20) + day);
        publisher.put(&next);
        node.looks_and_serves(&street);
    }
    assert_eq!(node.shelf(), ["2026-01-03-1", "2026-01-04-1"]);
    assert_eq!(node.failures("disk"), 0.0);
}
