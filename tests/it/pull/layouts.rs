//! Publishes generations with a layout that a node cannot read.

use postduif_schema::LAYOUT_VERSION;

use super::{Node, Publisher};
use crate::process::wait_until;

/// Publishes a generation with the layout of a later postduif version.
fn put_other_layout(publisher: &mut Publisher, name: &str) {
    let manifest = publisher.make(name, "Nooit");
    let [own, other] = [0, 1].map(|more| format!("\"layoutVersion\": {}", LAYOUT_VERSION + more));
    let text = publisher.text(&manifest);
    assert!(text.contains(&own), "{text}");
    let text = text.replace(&own, &other).replace("\"stand\"", "\"day\"");
    publisher.put_text(&text);
}

#[test]
fn a_node_serves_the_newest_generation_whose_layout_it_reads() {
    let mut publisher = Publisher::new();
    publisher.publish("2026-01-01-1", "Eerst");
    let node = Node::start(&publisher.url());
    node.wait_until_it_serves("Eerst");
    put_other_layout(&mut publisher, "2026-01-03-1");
    let refused = || node.metric("postduif_pull_layout_unsupported") == 1.0;
    wait_until("it is refused", refused);
    let newest = || node.metric("postduif_pull_newest_publication");
    assert_eq!(newest(), 2.0);
    node.assert_serves("Eerst");
    let ready = node.service.get("admin", "/health/ready", None);
    let message = format!("\"refusedLayout\":{}", LAYOUT_VERSION + 1);
    assert!(
        ready.status == 200 && ready.body.contains(&message),
        "{}",
        ready.body
    );

    // An empty node starts with the newest publication whose layout it can read, even if a newer publication exists.
    let other = Node::start(&publisher.url());
    other.wait_until_it_serves("Eerst");
    put_other_layout(&mut publisher, "2026-01-04-1");
    wait_until("it is seen", || newest() == 3.0);
    publisher.publish("2026-01-05-1", "Daarna");
    for node in [&node, &other] {
        node.wait_until_it_serves("Daarna");
        let still_refused = || node.metric("postduif_pull_layout_unsupported");
        wait_until("the newest manifest is read", || still_refused() == 0.0);
    }
    let log = node.service.log();
    let message = log
        .matches("cannot read the layout of a publication")
        .count();
    assert!(log.contains("upgrade this node") && message == 2, "{log}");
    assert!(
        !log.contains("cannot pull"),
        "another layout must not be logged as a failure: {log}"
    );
}
