//! Tests `postduif index publish` and `index publications`.

use super::*;

#[test]
fn a_generation_is_published_and_listed() {
    let Some(store) = Store::start() else {
        return;
    };
    let node = Node::new();
    assert_eq!(publications(&store), [Value::Null; 0]);
    let report = node.publish(&store, &[]);
    assert_eq!(
        (&report["publication"], &report["isNew"]),
        (&1.into(), &true.into())
    );
    assert_eq!(report["generation"], "2026-01-01-1");
    assert_eq!(report["uploadedFiles"], node.files());
    assert_eq!(
        report["warnings"],
        serde_json::json!([]),
        "this store has conditional puts"
    );
    let again = node.publish(&store, &[]);
    assert_eq!(
        (&again["isNew"], &again["uploadedFiles"]),
        (&false.into(), &0.into())
    );

    node.serve_generation("2026-01-02-1");
    assert_eq!(node.publish(&store, &[])["publication"], 2);
    let listed = publications(&store);
    let report = |at: usize| {
        (
            listed[at]["publication"].clone(),
            listed[at]["newest"].clone(),
        )
    };
    assert_eq!(report(0), (1.into(), false.into()));
    assert_eq!(report(1), (2.into(), true.into()));
    assert_eq!(listed[1]["generation"], "2026-01-02-1");
    assert_eq!(listed[1]["stand"], "2026-01-02");
    assert_eq!(listed[1]["error"], Value::Null);
    for number in ["layout", "addresses", "bytes"] {
        assert!(listed[1][number].as_u64() > Some(0), "{number}: {listed:?}");
    }

    node.serve_generation("2026-01-03-1");
    let report = node.publish(&store, &["--keep", "2"]);
    assert_eq!(report["removedPublications"], serde_json::json!([1]));
    assert_eq!(publications(&store).len(), 2);
}

#[test]
fn publishing_prints_a_readable_summary() {
    let node = Node::new();
    let bucket = node.folder.path().join("bucket");
    std::fs::create_dir(&bucket).expect("a new folder");
    let url = format!("file://{}", bucket.display());
    let listed = |part: &str| {
        let mut command = postduif();
        command.args(["index", "publications", "--from", &url]);
        let output = command.output().expect("the binary runs");
        let report = String::from_utf8_lossy(&output.stdout).into_owned();
        assert!(
            output.status.success() && report.contains(part),
            "{part:?}: {report}"
        );
    };
    listed("nothing is published yet");
    let output = node
        .publish_command(&url, &[])
        .output()
        .expect("the binary runs");
    let report = String::from_utf8_lossy(&output.stdout);
    assert!(
        report.contains("2026-01-01-1 is now publication 1: "),
        "{report}"
    );
    assert!(String::from_utf8_lossy(&output.stderr).contains("uploading"));
    listed("*      1  2026-01-01-1");

    node.serve_generation("2025-12-31-1");
    let refused = node.publish_command(&url, &[]).output();
    let report = failure(&refused.expect("the binary runs"), 2);
    assert!(report.contains("--accept-older"), "{report}");
    let output = node.publish_command(&url, &["--accept-older"]).output();
    assert!(output.expect("the binary runs").status.success());
    listed("*      2  2025-12-31-1");

    let newest = bucket.join("manifests/00000000000000000002.json");
    let text = std::fs::read_to_string(&newest).expect("reads");
    let layout = format!("\"layoutVersion\": {}", postduif_schema::LAYOUT_VERSION);
    let newer = text.replace(&layout, "\"layoutVersion\": 1000");
    std::fs::write(&newest, newer).expect("writes");
    listed("layout 1000, for nodes with another version of postduif");
    std::fs::write(&newest, "{}").expect("writes");
    listed("cannot be served: ");
}

#[test]
fn an_empty_manifest_in_a_store_is_skipped() {
    let Some(store) = Store::start() else {
        return;
    };
    let node = Node::new();
    node.publish(&store, &[]);
    let second = store.folder().join("manifests/00000000000000000002.json");
    std::fs::write(second, "").expect("writes");
    let listed = publications(&store);
    assert_eq!(listed[0]["error"], Value::Null, "{listed:?}");
    let error = listed[1]["error"].to_string();
    assert!(error.contains("damaged"), "{listed:?}");
    assert_eq!(node.publish(&store, &[])["publication"], 3);
}
