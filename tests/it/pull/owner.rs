//! Checks that only one process changes a data folder: a node that pulls into it, or a command that builds in it.

use std::fs;

use postduif_indexer::DataDirWriter;
use postduif_schema::DataFolder;

use super::{Node, Publisher, empty, serving};
use crate::apply::permissions::files_are_read_only;
use crate::process::run;
use crate::tools::root;

#[test]
fn commands_that_change_a_pulling_nodes_folder_are_refused() {
    let mut publisher = Publisher::new();
    publisher.publish("2026-01-01-1", "Eerst");
    let node = Node::start(&publisher.url());
    node.wait_until_it_serves("Eerst");
    let data = node.folder.path().to_str().expect("UTF-8");
    let town = root().join("testdata/town.zip");
    let town = town.to_str().expect("UTF-8");
    for words in [
        &["index", "build", "--extract", town][..],
        &["index", "rollback", "--to", "2026-01-01-1"],
        &["index", "prune", "--keep", "1"],
    ] {
        let output = run(&[words, &["--data", data]].concat());
        let stderr = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(1), "{words:?}: {stderr}");
        assert!(
            stderr.contains("a postduif serve pulls its generations"),
            "{stderr}"
        );
    }
    let second = serving(node.folder.path(), &publisher.url(), &[]).output();
    let second = second.expect("it runs");
    let stderr = String::from_utf8_lossy(&second.stderr);
    assert_eq!(second.status.code(), Some(1), "{stderr}");
    assert!(
        stderr.contains("a postduif serve pulls its generations"),
        "{stderr}"
    );
    node.assert_serves("Eerst");
}

#[test]
fn a_node_does_not_pull_into_a_busy_or_unlockable_folder() {
    let publisher = Publisher::new();
    let (folder, _) = empty();
    let refused = |expected: &str| {
        let output = serving(folder.path(), &publisher.url(), &[]).output();
        let output = output.expect("it runs");
        let stderr = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(1), "{stderr}");
        assert!(stderr.contains(expected), "{stderr}");
    };
    let building = DataDirWriter::lock(&DataFolder::new(folder.path())).expect("free");
    refused("another postduif index command is at work on this folder");
    drop(building);
    // Replace the lock file by a folder, which cannot be opened as a file even by root. This simulates a read-only data folder.
    let lock = folder.path().join("lock");
    fs::remove_file(&lock).expect("it is there");
    fs::create_dir(&lock).expect("writes");
    refused(lock.to_str().expect("UTF-8"));
}

#[test]
fn pulled_files_are_read_only() {
    let mut publisher = Publisher::new();
    let node = Node::start(&publisher.url());
    // The second generation hard-links files of the first generation.
    for (name, street) in [("2026-01-01-1", "Eerst"), ("2026-01-02-1", "Daarna")] {
        publisher.publish(name, street);
        node.wait_until_it_serves(street);
        let name = name.parse().expect("a name");
        files_are_read_only(&node.data().generation_path(name));
    }
}
