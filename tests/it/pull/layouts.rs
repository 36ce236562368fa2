//! Publications of a layout that a node does not read.

use postduif_schema::LAYOUT_VERSION;

use super::{Node, Publisher};
use crate::process::until;

/// Publishes what a later postduif would.
fn put_other_layout(publisher: &mut Publisher, name: &str) {
    let manifest = publisher.make(name, "Nooit");
    let [own, other] = [0, 1].map(|more| format!("\"layoutVersion\": {}", LAYOUT_VERSION + more));
    let text = publisher.text(&manifest);
    assert!(text.contains(&own), "{text}");
    let text = text.replace(&own, &other).replace("\"stand\"", "\"day\"");
    publisher.put_text(&text);
}

#[test]
fn the_newest_that_is_read_is_served_until_a_newer_one_is() {
    let mut publisher = Publisher::new();
    publisher.publish("2026-01-01-1", "Eerst");
    let node = Node::start(&publisher.url());
    node.serves("Eerst");
    put_other_layout(&mut publisher, "2026-01-03-1");
    let refused = || node.figure("postduif_pull_layout_unsupported") == 1.0;
    until("it is refused", refused);
    let newest = || node.figure("postduif_pull_newest_publication");
    assert_eq!(newest(), 2.0);
    node.goes_on_with("Eerst");
    let ready = node.service.get("admin", "/health/ready", None);
    let told = format!("\"refusedLayout\":{}", LAYOUT_VERSION + 1);
    assert!(
        ready.status == 200 && ready.body.contains(&told),
        "{}",
        ready.body
    );

    // An empty node begins with the newest that it reads; behind one that it does not read, too.
    let other = Node::start(&publisher.url());
    other.serves("Eerst");
    put_other_layout(&mut publisher, "2026-01-04-1");
    until("it is seen", || newest() == 3.0);
    publisher.publish("2026-01-05-1", "Daarna");
    for node in [&node, &other] {
        node.serves("Daarna");
        let still_refused = || node.figure("postduif_pull_layout_unsupported");
        until("the newest is read", || still_refused() == 0.0);
    }
    let log = node.service.log();
    let told = log
        .matches("has a layout that this postduif does not read")
        .count();
    assert!(log.contains("upgrade this node") && told == 2, "{log}");
    assert!(!log.contains("cannot pull"), "it is no failure: {log}");
}
