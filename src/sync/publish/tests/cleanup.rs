//! Tests what a cleanup of a bucket deletes and keeps.

use crate::expect_ok::expect_ok;
use crate::sync::BucketFile;

use super::*;

impl PublishFixture {
    async fn publish_keeping(&self, keep: usize) -> PublishOutcome {
        let to = BucketPublisher {
            keep: NonZeroUsize::new(keep).expect("not 0"),
            ..self.publisher()
        };
        to.run(&self.data, &NoProgress).await.expect("published")
    }

    fn names(&self) -> BTreeSet<String> {
        let entries = fs::read_dir(self.files()).expect("a folder");
        let names = entries.map(|entry| entry.expect("an entry").file_name());
        names.map(|name| name.into_string().expect("hex")).collect()
    }
}

#[tokio::test]
async fn old_publications_and_old_unreferenced_files_are_deleted() {
    let fixture = PublishFixture::new();
    fixture.publish_keeping(2).await;
    let mut last = [fixture.served_manifest(), fixture.served_manifest()];
    for stand in ["2021-09-16", "2021-09-17"] {
        last = [last[1].clone(), fixture.build_and_serve(stand)];
        fixture.publish_keeping(2).await;
    }
    assert_eq!(fixture.publications().await, [2, 3]);
    let kept: BTreeSet<String> = last.iter().flat_map(names_of).collect();
    assert!(
        fixture.names().len() > kept.len(),
        "no file is old enough yet"
    );

    set_age(&fixture.files(), DAY + HOUR);
    let outcome = fixture.publish_keeping(2).await;
    assert!(!outcome.is_new, "the cleanup runs in any case");
    assert!(outcome.removed_files > 0);
    assert_eq!(fixture.names(), kept);
    assert_eq!(fixture.publish_keeping(2).await.removed_files, 0);
}

#[tokio::test]
async fn files_of_a_publication_of_another_layout_are_kept() {
    let fixture = PublishFixture::new();
    fixture.publish().await.expect("the number is free");
    let before = fixture.served_manifest();
    fixture.build_and_serve("2021-09-16");
    expect_ok(fixture.publish()).await;
    let version = |number: u32| format!("\"layoutVersion\": {number}");
    let layout = postduif_schema::LAYOUT_VERSION;
    fixture.edit(1, |text| text.replace(&version(layout), &version(1000)));
    set_age(&fixture.files(), 2 * DAY);
    let outcome = expect_ok(fixture.publish()).await;
    assert_eq!((outcome.removed_files, outcome.warnings.len()), (0, 0));
    fixture.assert_has_files_of(&before).await;

    // Nothing is deleted while it is unknown to which files a publication refers.
    fixture.edit(1, |text| text.replace("\"files\"", "\"fields\""));
    let outcome = expect_ok(fixture.publish()).await;
    assert_eq!((outcome.removed_files, outcome.warnings.len()), (0, 1));
    fixture.assert_has_files_of(&before).await;
    let outcome = fixture.publish_keeping(1).await;
    assert_eq!(outcome.removed_publications, [PublicationNumber::FIRST]);
    fixture.assert_has_files_of(&before).await;
    fixture.publish_keeping(1).await;
    assert_eq!(fixture.names(), names_of(&fixture.served_manifest()));
}

/// Until the next run, nodes can still read the publication, and a publisher can still refer to its files.
#[tokio::test]
async fn files_of_a_deleted_publication_are_kept_until_the_next_run() {
    let fixture = PublishFixture::new();
    fixture.publish().await.expect("the number is free");
    let before = fixture.served_manifest();
    fixture.build_and_serve("2021-09-16");
    expect_ok(fixture.publish()).await;
    set_age(&fixture.files(), 2 * DAY);
    let outcome = fixture.publish_keeping(1).await;
    assert_eq!(outcome.removed_publications, [PublicationNumber::FIRST]);
    assert_eq!(outcome.removed_files, 0);
    fixture.assert_has_files_of(&before).await;
    assert!(fixture.publish_keeping(1).await.removed_files > 0);
    assert_eq!(fixture.names(), names_of(&fixture.served_manifest()));
}

#[tokio::test]
async fn old_unfinished_uploads_are_deleted() {
    let fixture = PublishFixture::new();
    fixture.publish().await.expect("the number is free");
    let name = &fixture.served_manifest().files[0].sha256;
    let left = |number: u32| fixture.files().join(format!("{name}#{number}"));
    for number in [1, 12] {
        fs::write(left(number), "half").expect("writes");
    }
    fs::write(fixture.files().join("README#"), "not ours").expect("writes");
    expect_ok(fixture.publish()).await;
    assert!(left(1).exists(), "an upload may be in progress");
    set_age(&fixture.files(), 2 * DAY);
    fs::write(left(12), "half").expect("writes");
    expect_ok(fixture.publish()).await;
    assert!(!left(1).exists());
    assert!(left(12).exists());
    assert!(fixture.files().join("README#").exists());
}

/// By the local clock the files are two days old, but not by the bucket's clock.
#[tokio::test]
async fn if_the_local_clock_is_ahead_no_recent_file_is_deleted() {
    let fixture = PublishFixture::new();
    fixture.publish().await.expect("the number is free");
    let on_its_way =
        ["0".repeat(64), format!("{}#1", "1".repeat(64))].map(|name| fixture.files().join(name));
    for path in &on_its_way {
        fs::write(path, "half").expect("writes");
    }
    let manifests = fixture.files().with_file_name("manifests");
    for folder in [fixture.files(), manifests] {
        set_age(&folder, 2 * DAY);
    }
    let outcome = expect_ok(fixture.publish()).await;
    assert_eq!(outcome.removed_files, 0);
    assert!(on_its_way.iter().all(|path| path.exists()));

    // The next publication is written with the current time of the bucket's clock.
    fixture.build_and_serve("2021-09-16");
    let outcome = expect_ok(fixture.publish()).await;
    assert_eq!(outcome.removed_files, 1);
    assert!(!on_its_way.iter().any(|path| path.exists()));
}

/// The cleanup of another publisher could delete the file before the new publication refers to it.
#[tokio::test]
async fn an_old_unreferenced_file_is_uploaded_again() {
    let fixture = PublishFixture::new();
    fixture.publish().await.expect("the number is free");
    let bucket = &fixture.bucket;
    expect_ok(bucket.delete_manifest(PublicationNumber::FIRST)).await;
    // The ages are an hour below and above the limit, so that the duration of the test does not matter.
    set_age(&fixture.files(), DAY / 2 - HOUR);
    let outcome = fixture.publish().await.expect("the number is free");
    assert_eq!(outcome.uploaded_files, 0, "the files are too young");

    expect_ok(bucket.delete_manifest(PublicationNumber::FIRST)).await;
    set_age(&fixture.files(), DAY / 2 + HOUR);
    let aged = bucket.list_files().await.expect("a list");
    let outcome = fixture.publish().await.expect("the number is free");
    assert_eq!(
        outcome.uploaded_files,
        names_of(&fixture.served_manifest()).len() as u64
    );
    let there = bucket.list_files().await.expect("a list");
    let is_younger =
        |(name, old): (&String, &BucketFile)| there[name].last_modified > old.last_modified + HOUR;
    assert!(aged.iter().all(is_younger));
}
