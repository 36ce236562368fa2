//! Kills publishers, and runs several publishers at once.

use super::*;
use crate::process::wait_until;

/// The number of the newest publication; 0 if there is none yet.
fn newest(store: &Store) -> u64 {
    let all = publications(store);
    all.last().map_or(0, |newest| {
        newest["publication"].as_u64().expect("a number")
    })
}

#[test]
fn a_killed_publisher_leaves_nothing_visible_and_the_next_one_continues() {
    let Some(store) = Store::start() else {
        return;
    };
    let mut cut_short = 0;
    for (round, files) in [0, 1, 1, 2, 2, 3, 4, 6].into_iter().enumerate() {
        let node = Node::new();
        // Each round publishes another stand. With the same stand, the files of the previous round would already be in the store.
        node.serve_generation(&format!("2026-02-{:02}-1", round + 1));
        let before = names_in(&store.folder().join("files")).len();
        let published = newest(&store);
        let mut command = node.publish_command(&store.url(), &[]);
        let mut child = command
            .envs(store.environment())
            .spawn()
            .expect("the binary runs");
        wait_until("the store has some files", || {
            let ended = child.try_wait().expect("a child").is_some();
            ended || names_in(&store.folder().join("files")).len() >= before + files
        });
        // The publisher may have exited already.
        child.kill().ok();
        child.wait().expect("a child");
        if newest(&store) == published {
            cut_short += 1;
            let come = names_in(&store.folder().join("files")).len() - before;
            let message = node.publish(&store, &[]);
            let uploaded = message["uploadedFiles"].as_u64().expect("a number");
            assert!(
                uploaded <= node.files() - come as u64,
                "{come} came: {message}"
            );
            assert_eq!(message["repairedFiles"], 0);
        }
        let message = node.publish(&store, &[]);
        assert_eq!(
            (&message["isNew"], &message["repairedFiles"]),
            (&false.into(), &0.into())
        );
        assert_eq!(newest(&store), published + 1);
    }
    assert!(cut_short > 0, "every publisher ended before it was killed");
}

#[test]
fn several_publishers_at_once_make_one_publication() {
    let Some(store) = Store::start() else {
        return;
    };
    let node = Node::new();
    for round in 1..=3 {
        node.serve_generation(&format!("2026-02-{round:02}-1"));
        let children = [(); 3].map(|()| {
            let mut command = node.publish_command(&store.url(), &["--json"]);
            let child = command.envs(store.environment()).spawn();
            child.expect("the binary runs")
        });
        let message = children.map(|child| json(&child.wait_with_output().expect("it ends")));
        for message in &message {
            assert_eq!(message["publication"], round, "{message}");
            assert_eq!(message["warnings"], serde_json::json!([]), "{message}");
        }
        assert_eq!(publications(&store).len(), round);
    }
}
