//! Pulls generations to a disk that is full or becomes full.

use super::{Node, Publisher, empty};
use crate::process::wait_until;
use crate::small_disk::SmallDisk;

/// A node that serves a first generation. Its folder of generations is on a disk of this size.
fn node_on_small_disk(publisher: &mut Publisher, size: &str) -> Option<(Node, SmallDisk)> {
    let (folder, key) = empty();
    let generations = folder.path().join("generations");
    std::fs::create_dir(&generations).expect("writes");
    let small = SmallDisk::mount(&generations, size)?;
    publisher.publish("2026-01-01-1", "Eerst");
    let often = ["--generations-poll-s", "1"];
    let node = Node::start_with((folder, key), &publisher.url(), &often);
    node.wait_until_it_serves("Eerst");
    Some((node, small))
}

#[test]
fn too_little_disk_space_is_reported_with_the_bytes_needed() {
    let mut publisher = Publisher::new();
    let Some((node, small)) = node_on_small_disk(&mut publisher, "size=2m") else {
        return;
    };
    let second = publisher.make("2026-01-02-1", "Daarna");
    let second = publisher.enlarge(second, 3 << 20);
    publisher.put(&second);
    node.service.hang_up();
    node.wait_until_it_fails("disk");
    node.assert_serves("Eerst");
    let ready = node.service.get("admin", "/health/ready", None).body;
    let expected = "generation 2026-01-02-1 needs";
    assert!(
        ready.contains(expected) && ready.contains("are free"),
        "{ready}"
    );
    small.resize("size=20m");
    node.poll_and_serve("Daarna");
    wait_until("it is over", || node.metric("postduif_pull_failing") == 0.0);
}

#[test]
fn a_disk_that_fills_up_during_a_pull_gets_its_space_back() {
    let mut publisher = Publisher::new();
    let first = Publisher::new().make("2026-01-01-1", "Eerst");
    // The disk has room for the file names of the first generation and 12 more.
    let names = first.files.len() + 12;
    let Some((node, small)) =
        node_on_small_disk(&mut publisher, &format!("size=20m,nr_inodes={names}"))
    else {
        return;
    };
    publisher.publish("2026-01-02-1", "Daarna");
    node.service.hang_up();
    node.wait_until_it_fails("disk");
    node.assert_serves("Eerst");
    wait_until("the partial download is deleted", || {
        node.generations() == ["2026-01-01-1"]
    });
    let ready = node.service.get("admin", "/health/ready", None).body;
    assert!(ready.contains("No space left"), "{ready}");
    small.resize("size=20m,nr_inodes=10000");
    node.poll_and_serve("Daarna");
}

#[test]
fn a_pull_to_a_small_disk_removes_earlier_generations_first() {
    let mut publisher = Publisher::new();
    // The node is set to keep three generations, but only two fit on the disk.
    let Some((node, _small)) = node_on_small_disk(&mut publisher, "size=9m") else {
        return;
    };
    for day in 2..=4 {
        let street = format!("Straat {day}");
        let next = publisher.make(&format!("2026-01-0{day}-1"), &street);
        let next = publisher.enlarge(next, (3 << 20) + day);
        publisher.put(&next);
        node.poll_and_serve(&street);
    }
    assert_eq!(node.generations(), ["2026-01-03-1", "2026-01-04-1"]);
    assert_eq!(node.failures("disk"), 0.0);
}
