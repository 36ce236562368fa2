//! Tests `postduif index watch --publish-to`. The watcher publishes the served generation, and applies deliveries without waiting
//! for the publication.

use super::*;
use crate::delivery::municipal;
use crate::process::{get_at, run_json, wait_until};
use crate::watch::{RunningWatcher, watch};

#[test]
fn watch_publishes_the_served_generation_once_the_store_is_back() {
    let Some(mut store) = Store::start() else {
        return;
    };
    let folder = crate::scratch::folder();
    store.kill();
    let mut command = watch(
        folder.path(),
        &["--poll", "1", "--publish-to", &store.url()],
    );
    command.envs(store.environment());
    let watching = RunningWatcher::start_by(command);
    let page = || get_at(watching.admin, "/metrics", None).body;
    let value = |name: &str| {
        let page = page();
        let mut lines = page.lines();
        let line = lines.find_map(|line| line.strip_prefix(name)?.strip_prefix(' '));
        line.and_then(|value| value.parse::<f64>().ok())
            .unwrap_or_else(|| panic!("{name} in {page}"))
    };
    assert!(
        value("postduif_watch_unpublished_since_timestamp_seconds") < 1.0,
        "nothing is served yet"
    );
    let delivery = folder.path().join("inbox/stand.zip");
    std::fs::write(delivery, municipal().pack()).expect("writes");
    wait_until(
        "the delivery is applied although the store is unavailable",
        || page().contains("postduif_watch_deliveries_total{outcome=\"applied\"} 1"),
    );
    wait_until("the metrics show an unpublished generation", || {
        value("postduif_watch_publish_failures_total") > 0.0
    });
    assert!(value("postduif_watch_unpublished_since_timestamp_seconds") > 1.0);
    assert!(value("postduif_watch_served_publication") < 1.0);
    store.restart();
    wait_until("it is published", || {
        value("postduif_watch_served_publication") > 0.0
    });
    wait_until("nothing is left to publish", || {
        value("postduif_watch_unpublished_since_timestamp_seconds") < 1.0
    });
    assert!(value("postduif_watch_published_bytes_total") > 0.0);
    assert_eq!(publications(&store).len(), 1);

    // Build a generation with another command. The command does not notify the watcher.
    let again = folder.path().join("again.zip");
    std::fs::write(&again, municipal().pack()).expect("writes");
    let again = again.to_str().expect("UTF-8");
    let build = ["index", "build", "--json", "--extract", again];
    run_json(&folder.path().join("data"), &build);
    wait_until("the generation of the other command is published", || {
        value("postduif_watch_served_publication") > 1.0
    });
}

#[test]
fn watch_once_ends_only_after_publishing() {
    let Some(mut store) = Store::start() else {
        return;
    };
    let node = Node::new();
    let once = |store: &Store, code: i32| {
        let mut command = watch(
            node.folder.path(),
            &["--once", "--publish-to", &store.url()],
        );
        let output = command.envs(store.environment()).output();
        let output = output.expect("the binary runs");
        let message = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(code), "{message}");
        message
    };
    store.kill();
    let message = once(&store, 1);
    assert!(message.contains("not published: "), "{message}");
    assert!(!message.contains(store.secret()), "{message}");
    store.restart();
    once(&store, 0);
    assert_eq!(publications(&store).len(), 1);
    once(&store, 0);
    assert_eq!(publications(&store).len(), 1);
}
