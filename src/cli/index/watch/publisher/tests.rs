//! Tests how a publication is checked and repaired, with a bucket in a folder.

use std::fs;
use std::path::PathBuf;

use crate::sync::{Bucket, UploadFile, upload};
use postduif_schema::{Area, FileEntry, GenerationCounts, LAYOUT_VERSION};
use tempfile::TempDir;

use crate::cli::index::publish::default_publisher;
use crate::cli::index::watch::publisher::*;
use crate::expect_ok::expect_ok;

/// A generation with one file, which is served and published.
struct PublishedData {
    folder: TempDir,
    data: DataFolder,
    bucket: Bucket,
    manifest: Manifest,
}

impl PublishedData {
    async fn new() -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        fs::create_dir(folder.path().join("bucket")).expect("a new folder");
        let url = format!("file://{}", folder.path().join("bucket").display());
        let bucket = Bucket::open(&url.parse().expect("a URL")).expect("the bucket exists");
        let data = DataFolder::new(folder.path().join("data"));
        let name = "2026-01-08-1".parse().expect("a name");
        let generation = data.generation_path(name);
        fs::create_dir_all(&generation).expect("a new folder");
        fs::write(generation.join("a"), "").expect("writes");
        let file = FileEntry {
            path: "a".into(),
            bytes: 0,
            // The checksum of an empty file.
            sha256: "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855".into(),
        };
        let open = UploadFile::open(&file, &generation).expect("the file exists");
        expect_ok(upload(&bucket, &open, &|_| {})).await;
        let manifest = Manifest {
            layout_version: LAYOUT_VERSION,
            generation: name,
            stand: name.stand(),
            sequence: 3,
            area: Area::Country,
            created_at: "2026-01-08T04:00:00Z".parse().expect("a timestamp"),
            counts: GenerationCounts::default(),
            files: vec![file],
            checksum: String::new(),
        };
        let manifest = manifest.write(&generation).expect("writes");
        data.set_current(name).expect("writable");
        expect_ok(bucket.create_manifest(PublicationNumber::FIRST, &manifest)).await;
        Self {
            folder,
            data,
            bucket,
            manifest,
        }
    }

    fn publisher(&self, recheck_after: Duration) -> Publisher {
        let to = default_publisher(self.bucket.url()).expect("the bucket exists");
        Publisher {
            recheck_after,
            ..Publisher::new(to, self.data.clone())
        }
    }

    fn file(&self) -> PathBuf {
        let files = self.folder.path().join("bucket/files");
        files.join(&self.manifest.files[0].sha256)
    }
}

#[tokio::test]
async fn a_published_file_that_goes_missing_is_uploaded_again() {
    let published = PublishedData::new().await;
    for (recheck_after, is_repaired) in [(RECHECK_INTERVAL, false), (Duration::ZERO, true)] {
        let mut publisher = published.publisher(recheck_after);
        assert_eq!(publisher.publish_or_check().await, None);
        fs::remove_file(published.file()).expect("the file exists");
        assert_eq!(publisher.publish_or_check().await, None);
        assert_eq!(published.file().exists(), is_repaired, "{recheck_after:?}");
        // A publisher that has just started uploads the missing file at once.
        assert_eq!(
            published
                .publisher(RECHECK_INTERVAL)
                .publish_or_check()
                .await,
            None
        );
        assert!(published.file().exists());
    }
}

#[tokio::test]
async fn after_a_rollback_to_the_published_generation_nothing_is_pending() {
    let published = PublishedData::new().await;
    let mut publisher = published.publisher(RECHECK_INTERVAL);
    assert_eq!(publisher.publish_or_check().await, None);
    // Another generation is served, and its file is missing.
    let (first, second) = (published.manifest.generation, "2026-01-09-1");
    let second = second.parse().expect("a name");
    let mut manifest = published.manifest.clone();
    manifest.generation = second;
    manifest.files[0].path = "b".into();
    manifest.files[0].sha256 = "0".repeat(64);
    let folder = published.data.generation_path(second);
    fs::create_dir_all(&folder).expect("a new folder");
    manifest.write(&folder).expect("writes");
    published.data.set_current(second).expect("writable");
    assert!(publisher.publish_or_check().await.is_some());
    assert!(publisher.is_pending && publisher.backoff.is_some());
    published.data.set_current(first).expect("writable");
    assert_eq!(publisher.publish_or_check().await, None);
    assert!(!publisher.is_pending && publisher.backoff.is_none());
}

/// The other publisher may have published an earlier generation on purpose, so its publication is not replaced.
#[tokio::test]
async fn a_later_publication_of_another_publisher_stays() {
    let published = PublishedData::new().await;
    let mut publisher = published.publisher(Duration::ZERO);
    assert_eq!(publisher.publish_or_check().await, None);
    let earlier = Manifest {
        generation: "2026-01-07-1".parse().expect("a name"),
        sequence: 2,
        ..published.manifest.clone()
    }
    .with_checksum();
    let second = PublicationNumber::FIRST.next();
    expect_ok(published.bucket.create_manifest(second, &earlier)).await;
    assert_eq!(publisher.publish_or_check().await, None);
    let listed = expect_ok(published.bucket.list_publications(None)).await;
    let numbers = listed.iter().map(|listed| listed.publication);
    assert!(numbers.eq([PublicationNumber::FIRST, second]));
}
