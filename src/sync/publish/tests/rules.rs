//! Tests which generations are published, refused or repaired.

use postduif_schema::{Area, LAYOUT_VERSION};

use super::*;
use crate::expect_ok::expect_ok;
use crate::sync::publish::source::PublishSource;

#[tokio::test]
async fn a_generation_is_published_once_with_all_its_files() {
    let fixture = PublishFixture::new();
    let outcome = fixture.publish().await.expect("the number is free");
    let served = fixture.served_manifest();
    assert_eq!(
        (outcome.is_new, outcome.publication, outcome.generation),
        (true, PublicationNumber::FIRST, served.generation)
    );
    assert_eq!(outcome.uploaded_files, names_of(&served).len() as u64);
    assert_eq!(outcome.shared_files, 0);
    assert_eq!(outcome.warnings.len(), 1, "{outcome:?}");
    assert!(outcome.warnings[0].contains("mounted"), "{outcome:?}");
    fixture.assert_has_files_of(&served).await;
    assert_eq!(
        expect_ok(fixture.bucket.read_manifest(PublicationNumber::FIRST)).await,
        served
    );

    let again = expect_ok(fixture.publish()).await;
    assert_eq!(again.warnings, [""; 0]);
    assert_eq!(
        (again.is_new, again.publication),
        (false, PublicationNumber::FIRST)
    );
    assert_eq!((again.uploaded_files, again.repaired_files), (0, 0));
    assert_eq!(again.shared_files, names_of(&served).len() as u64);

    fixture.build_and_serve("2021-09-16");
    let next = expect_ok(fixture.publish()).await;
    assert_eq!(
        (next.is_new, next.publication),
        (true, PublicationNumber::FIRST.next())
    );
    assert_eq!(fixture.publications().await, [1, 2]);
}

#[tokio::test]
async fn missing_and_truncated_files_are_uploaded_again() {
    let fixture = PublishFixture::new();
    fixture.publish().await.expect("the number is free");
    let served = fixture.served_manifest();
    let file = |at: usize| fixture.files().join(&served.files[at].sha256);
    std::fs::remove_file(file(0)).expect("the file exists");
    std::fs::write(file(1), "").expect("writes");
    let outcome = expect_ok(fixture.publish()).await;
    assert_eq!((outcome.is_new, outcome.repaired_files), (false, 2));
    assert!(
        outcome.warnings[0].contains("2 files"),
        "{:?}",
        outcome.warnings
    );
    fixture.assert_has_files_of(&served).await;
    assert_eq!(fixture.publications().await, [1]);
}

#[tokio::test]
async fn verify_existing_repairs_files_of_the_right_size_and_wrong_content() {
    let fixture = PublishFixture::new();
    fixture.publish().await.expect("the number is free");
    let spoil = |file: &postduif_schema::FileEntry| {
        let path = fixture.files().join(&file.sha256);
        let mut content = std::fs::read(&path).expect("reads");
        content[0] ^= 1;
        std::fs::write(path, content).expect("writes");
    };
    let check = BucketPublisher {
        verify_existing: true,
        ..fixture.publisher()
    };
    let served = fixture.served_manifest();
    spoil(&served.files[0]);
    let outcome = expect_ok(fixture.publish()).await;
    assert_eq!(outcome.repaired_files, 0, "the file is trusted by its size");
    let outcome = expect_ok(check.run(&fixture.data, &NoProgress)).await;
    assert_eq!((outcome.is_new, outcome.repaired_files), (false, 1));
    fixture.assert_has_files_of(&served).await;

    // A file is repaired even if no publication refers to it any more.
    spoil(&served.files[0]);
    expect_ok(fixture.bucket.delete_manifest(PublicationNumber::FIRST)).await;
    let outcome = expect_ok(check.run(&fixture.data, &NoProgress)).await;
    assert_eq!((outcome.is_new, outcome.uploaded_files), (true, 1));
    assert_eq!(outcome.repaired_files, 0);
    fixture.assert_has_files_of(&served).await;
}

#[tokio::test]
async fn an_exhausted_number_range_is_an_error() {
    let fixture = PublishFixture::new();
    let last = serde_json::from_str("18446744073709551615").expect("a number");
    let mut manifest = fixture.served_manifest();
    manifest.generation = "2021-09-14-1".parse().expect("a name");
    fixture.put(last, manifest).await;
    let error = fixture
        .publish()
        .await
        .expect_err("no number comes after the highest");
    assert!(error.is_refusal(), "{error}");
    assert!(error.to_string().contains(&last.to_string()), "{error}");
}

#[tokio::test]
async fn a_missing_or_damaged_generation_is_not_published() {
    let fixture = PublishFixture::new();
    let empty = DataFolder::new(fixture.folder.path().join("empty"));
    let refused = fixture.publisher().run(&empty, &NoProgress).await;
    let error = refused.expect_err("nothing is served");
    assert!(error.is_refusal(), "{error}");
    assert!(
        error.to_string().contains("postduif index build"),
        "{error}"
    );

    let served = fixture.served_manifest();
    let folder = fixture.data.generation_path(served.generation);
    let path = folder.join(&served.files[0].path);
    let mut content = std::fs::read(&path).expect("reads");
    content[0] ^= 1;
    std::fs::write(&path, content).expect("writes");
    let failed = fixture.publish().await;
    let error = failed.expect_err("the generation is damaged");
    assert!(error.is_refusal(), "{error}");
    assert!(error.to_string().contains(&served.files[0].path), "{error}");
    assert_eq!(fixture.publications().await, [0; 0]);
    assert!(!fixture.files().exists());
}

#[tokio::test]
async fn an_earlier_state_is_published_only_with_accept_older() {
    for later in ["stand", "sequence", "time"] {
        let fixture = PublishFixture::new();
        let mut manifest = fixture.served_manifest();
        manifest.generation = "2021-09-15-9".parse().expect("a name");
        match later {
            "stand" => manifest.stand = jiff::civil::date(2021, 9, 16),
            "sequence" => manifest.sequence += 1,
            _ => manifest.created_at += jiff::SignedDuration::from_secs(1),
        }
        fixture.put(PublicationNumber::FIRST, manifest).await;
        let refused = fixture.publish().await;
        let error = refused.expect_err("the state is older");
        assert!(error.is_refusal(), "{later}: {error}");
        assert!(error.to_string().contains("--accept-older"), "{error}");
        assert!(!fixture.files().exists(), "no file was uploaded");
        let outcome = fixture.accept_older().await.expect("accepted");
        assert_eq!(outcome.publication, PublicationNumber::FIRST.next());
        // Now the earlier state is the newest publication.
        let again = expect_ok(fixture.publish()).await;
        assert!(!again.is_new);
    }
}

#[tokio::test]
async fn a_generation_of_another_area_is_refused() {
    let fixture = PublishFixture::new();
    let mut manifest = fixture.served_manifest();
    manifest.generation = "2021-09-15-9".parse().expect("a name");
    manifest.area = Area::Municipalities(vec!["0457".parse().expect("a code")]);
    fixture.put(PublicationNumber::FIRST, manifest).await;
    for refused in [fixture.publish().await, fixture.accept_older().await] {
        let error = refused.expect_err("the generation has another area");
        assert!(error.is_refusal(), "{error}");
        assert!(error.to_string().contains("prefix"), "{error}");
    }
}

#[tokio::test]
async fn another_generation_of_the_same_name_is_refused() {
    let fixture = PublishFixture::new();
    let mut manifest = fixture.served_manifest();
    manifest.counts.addresses += 1;
    fixture.put(PublicationNumber::FIRST, manifest).await;
    for refused in [fixture.publish().await, fixture.accept_older().await] {
        let error = refused.expect_err("the name is taken");
        assert!(error.is_refusal(), "{error}");
        assert!(error.to_string().contains("Build again"), "{error}");
    }
    fixture.build_and_serve("2021-09-15");
    let outcome = expect_ok(fixture.publish()).await;
    assert_eq!(outcome.generation.number(), 2);
}

#[tokio::test]
async fn an_older_layout_replaces_a_newer_one_only_with_accept_older() {
    let version = |number: u32| format!("\"layoutVersion\": {number}");
    let name: postduif_schema::GenerationName = "2021-09-16-1".parse().expect("a name");
    for (layout, is_refused) in [(LAYOUT_VERSION + 1, true), (LAYOUT_VERSION - 1, false)] {
        let fixture = PublishFixture::new();
        let mut manifest = fixture.served_manifest();
        (manifest.generation, manifest.stand) = (name, name.stand());
        fixture.put(PublicationNumber::FIRST, manifest).await;
        fixture.edit(1, |text| {
            text.replace(&version(LAYOUT_VERSION), &version(layout))
        });
        let published = fixture.publish().await;
        if is_refused {
            let error = published.expect_err("the published layout is newer");
            assert!(error.is_refusal(), "{error}");
            let layout = format!("layout {layout}");
            assert!(error.to_string().contains(&layout), "{error}");
            fixture.accept_older().await.expect("accepted");
        } else {
            published.expect("--accept-older accepts the older layout");
        }
        assert_eq!(fixture.publications().await, [1, 2]);
    }
}

#[tokio::test]
async fn a_damaged_publication_is_published_again() {
    for part in [0, 2] {
        let fixture = PublishFixture::new();
        fixture.publish().await.expect("the number is free");
        fixture.edit(1, |text| text[..text.len() * part / 4].to_owned());
        let outcome = expect_ok(fixture.publish()).await;
        assert_eq!(
            (outcome.is_new, outcome.publication),
            (true, PublicationNumber::FIRST.next())
        );
        assert_eq!(outcome.uploaded_files, 0, "its files are all there");
        assert!(
            outcome.warnings[0].contains("publication 1 cannot be read"),
            "{:?}",
            outcome.warnings
        );
    }
}

#[tokio::test]
async fn a_generation_deleted_during_its_upload_is_published_completely() {
    let fixture = PublishFixture::new();
    let served = fixture.served_manifest();
    let source = expect_ok(PublishSource::open(&fixture.data, served.generation)).await;
    expect_ok(source.verify(&NoProgress)).await;
    std::fs::remove_dir_all(fixture.data.generation_path(served.generation))
        .expect("the folder exists");
    let outcome = fixture
        .publisher()
        .publish_source(&source, &NoProgress)
        .await;
    assert!(
        outcome
            .expect("the files of the generation are open")
            .is_new
    );
    fixture.assert_has_files_of(&served).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn two_publishers_of_one_generation_create_one_publication() {
    for _ in 0..5 {
        let fixture = PublishFixture::new();
        let (one, other) = tokio::join!(fixture.publish(), fixture.publish());
        let outcome = [one.expect("published"), other.expect("published")];
        assert_eq!(
            outcome.map(|outcome| outcome.publication),
            [PublicationNumber::FIRST; 2]
        );
        assert_eq!(fixture.publications().await, [1]);
        fixture
            .assert_has_files_of(&fixture.served_manifest())
            .await;
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn of_two_publishers_the_later_state_is_published_last() {
    for _ in 0..5 {
        let fixture = PublishFixture::new();
        let other = DataFolder::new(fixture.folder.path().join("other"));
        let later = build(&other, "2021-09-16");
        let to = fixture.publisher();
        let (earlier, published) = tokio::join!(fixture.publish(), to.run(&other, &NoProgress));
        published.expect("the state is the later one");
        let expected: &[u64] = match earlier {
            Ok(_) => &[1, 2],
            Err(error) => {
                assert!(
                    error.to_string().contains("has an earlier state"),
                    "{error}"
                );
                &[1]
            }
        };
        let listed = expect_ok(fixture.bucket.list_publications(None)).await;
        assert_eq!(fixture.publications().await, expected);
        let newest = listed[listed.len() - 1].publication;
        let newest = fixture.bucket.read_manifest(newest).await;
        assert_eq!(newest.expect("whole"), later);
        fixture.assert_has_files_of(&later).await;
    }
}
