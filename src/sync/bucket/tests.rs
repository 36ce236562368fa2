//! Tests buckets with a bucket in a folder.

use std::fs;
use std::path::Path;

use sha2::{Digest as _, Sha256};
use tempfile::TempDir;

use super::{Bucket, BucketError, PublicationNumber, UploadFile, download, is_intact, upload};
use crate::expect_ok::expect_ok;
use postduif_schema::{Area, FileEntry, GenerationCounts, LAYOUT_VERSION, Manifest};

struct BucketFixture {
    folder: TempDir,
    bucket: Bucket,
}

impl BucketFixture {
    fn new() -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        for name in ["bucket", "generation"] {
            fs::create_dir(folder.path().join(name)).expect("a new folder");
        }
        let url = format!("file://{}", folder.path().join("bucket").display());
        let bucket = Bucket::open(&url.parse().expect("a bucket URL"))
            .expect("the folder of the bucket exists");
        Self { folder, bucket }
    }

    async fn upload(&self, entry: &FileEntry) -> Result<(), BucketError> {
        let open = UploadFile::open(entry, self.generation())?;
        upload(&self.bucket, &open, &|_| {}).await
    }

    fn generation(&self) -> &Path {
        self.folder.path()
    }

    /// Writes a local file of a generation, and returns its entry.
    fn file(&self, content: &[u8]) -> FileEntry {
        let path = "generation/a.fast".to_owned();
        fs::write(self.generation().join(&path), content).expect("writes");
        FileEntry {
            path,
            bytes: content.len() as u64,
            sha256: hex::encode(Sha256::digest(content)),
        }
    }

    /// The paths of all files in the bucket.
    fn names(&self) -> Vec<String> {
        let mut folders = vec![self.folder.path().join("bucket")];
        let mut names = Vec::new();
        while let Some(folder) = folders.pop() {
            for entry in fs::read_dir(folder).expect("a folder") {
                let path = entry.expect("an entry").path();
                match path.is_dir() {
                    true => folders.push(path),
                    false => names.push(path.display().to_string()),
                }
            }
        }
        names
    }
}

fn manifest() -> Manifest {
    Manifest {
        layout_version: LAYOUT_VERSION,
        generation: "2026-01-08-1".parse().expect("a name"),
        stand: jiff::civil::date(2026, 1, 8),
        sequence: 3,
        area: Area::Country,
        created_at: "2026-01-08T04:00:00Z".parse().expect("a moment"),
        counts: GenerationCounts::default(),
        files: Vec::new(),
        checksum: String::new(),
    }
    .with_checksum()
}

#[tokio::test]
async fn a_downloaded_file_has_the_uploaded_content() {
    let fixture = BucketFixture::new();
    let bucket = &fixture.bucket;
    for content in [&b""[..], b"columns", &vec![7; 20 << 20]] {
        let file = fixture.file(content);
        fixture.upload(&file).await.expect("the file is uploaded");
        let path = fixture.folder.path().join("back");
        expect_ok(download(bucket, &file, &path)).await;
        assert!(fs::read(&path).expect("reads") == content);
        fs::remove_file(path).expect("the file exists");
        let kept = bucket.list_files().await.expect("a list");
        assert_eq!(kept[&file.sha256].bytes, file.bytes);
    }
}

#[tokio::test]
async fn a_file_that_differs_from_its_manifest_is_not_uploaded() {
    let fixture = BucketFixture::new();
    for size in [7, 20 << 20] {
        for change in [&[][..], b"and more"] {
            let file = fixture.file(&vec![7; size]);
            let mut other = vec![7; size];
            other[0] ^= 1;
            other.extend_from_slice(change);
            fs::write(fixture.generation().join(&file.path), other).expect("writes");
            let refused = fixture.upload(&file).await;
            let error = refused
                .expect_err("the content differs from the manifest")
                .to_string();
            assert!(error.contains("generation/a.fast: damaged"), "{error}");
            assert_eq!(fixture.names(), [""; 0]);
        }
    }
}

#[tokio::test]
async fn a_file_that_was_changed_in_the_bucket_is_refused() {
    let fixture = BucketFixture::new();
    let bucket = &fixture.bucket;
    let file = fixture.file(b"columns");
    fixture.upload(&file).await.expect("the file is uploaded");
    let path = fixture.folder.path().join("back");
    for other in ["colamns", "column", "columns and more"] {
        fs::write(&fixture.names()[0], other).expect("writes");
        let refused = download(bucket, &file, &path).await;
        let error = refused
            .expect_err("the content differs from the manifest")
            .to_string();
        assert!(
            error.contains(&file.sha256),
            "the error names the object: {error}"
        );
        assert!(error.contains("index publish --check"), "{error}");
        assert!(!path.exists(), "nothing is left behind");
    }
    expect_ok(bucket.delete_file(&file.sha256)).await;
    expect_ok(bucket.delete_file(&file.sha256)).await;
    let missing = download(bucket, &file, &path).await;
    assert!(missing.expect_err("the file was deleted").is_not_found());
}

#[tokio::test]
async fn publications_are_listed_in_order_and_never_replaced() {
    let fixture = BucketFixture::new();
    let bucket = &fixture.bucket;
    let (first, second) = (PublicationNumber::FIRST, PublicationNumber::FIRST.next());
    assert_eq!(expect_ok(bucket.list_publications(None)).await, []);
    for number in [second, first] {
        expect_ok(bucket.create_manifest(number, &manifest())).await;
    }
    let other = Manifest {
        sequence: 4,
        ..manifest()
    }
    .with_checksum();
    let refused = bucket.create_manifest(first, &other).await;
    assert!(
        refused
            .expect_err("the number is taken")
            .is_already_exists()
    );
    assert_eq!(expect_ok(bucket.read_manifest(first)).await, manifest());
    let listed = async |after| -> Vec<PublicationNumber> {
        let listed = expect_ok(bucket.list_publications(after)).await;
        listed.iter().map(|listed| listed.publication).collect()
    };
    assert_eq!(listed(None).await, [first, second]);
    assert_eq!(listed(Some(first)).await, [second]);
    expect_ok(bucket.delete_manifest(first)).await;
    assert_eq!(listed(None).await, [second]);
    assert!(
        bucket
            .read_manifest(first)
            .await
            .expect_err("the manifest was deleted")
            .is_not_found()
    );
}

#[tokio::test]
async fn damaged_manifests_and_other_layouts_are_different_errors() {
    let fixture = BucketFixture::new();
    let bucket = &fixture.bucket;
    expect_ok(bucket.create_manifest(PublicationNumber::FIRST, &manifest())).await;
    let path = fixture.names().pop().expect("the bucket has a file");
    let text = fs::read_to_string(&path).expect("reads");
    let version = format!("\"layoutVersion\": {LAYOUT_VERSION}");
    assert!(text.contains(&version));
    fs::write(&path, text.replace(&version, "\"layoutVersion\": 1000")).expect("writes");
    let newer = bucket.read_manifest(PublicationNumber::FIRST).await;
    assert!(
        matches!(newer, Err(BucketError::LayoutMismatch { found: 1000, .. })),
        "{newer:?}"
    );
    fs::write(&path, text.replace("2026-01-08-1", "2026-01-08-2")).expect("writes");
    let damaged = bucket.read_manifest(PublicationNumber::FIRST).await;
    let error = damaged.expect_err("the manifest was changed").to_string();
    assert!(
        error.contains("manifests/00000000000000000001.json"),
        "{error}"
    );
}

/// A full disk or an interrupted copy leaves an empty manifest.
#[tokio::test]
async fn an_empty_manifest_is_reported_as_damaged() {
    let fixture = BucketFixture::new();
    let bucket = &fixture.bucket;
    let manifest = manifest();
    expect_ok(bucket.create_manifest(PublicationNumber::FIRST, &manifest)).await;
    fs::write(&fixture.names()[0], "").expect("writes");
    let published = expect_ok(bucket.read_published_manifest(PublicationNumber::FIRST)).await;
    assert!(
        matches!(published.manifest, Err(BucketError::Manifest(_))),
        "{published:?}"
    );
    assert_eq!(published.outline.files, None);
}

#[tokio::test]
async fn files_in_subfolders_are_ignored() {
    let fixture = BucketFixture::new();
    let bucket = &fixture.bucket;
    let file = fixture.file(b"columns");
    expect_ok(fixture.upload(&file)).await;
    let manifest = manifest();
    expect_ok(bucket.create_manifest(PublicationNumber::FIRST, &manifest)).await;
    for name in fixture.names() {
        let path = Path::new(&name);
        let deeper = path.parent().expect("a folder").join("before");
        fs::create_dir(&deeper).expect("a new folder");
        let name = path.file_name().expect("a name");
        fs::rename(path, deeper.join(name)).expect("the file can be renamed");
    }
    assert_eq!(expect_ok(bucket.list_publications(None)).await, []);
    assert!(expect_ok(bucket.list_files()).await.is_empty());
}

#[tokio::test]
async fn is_intact_compares_the_content() {
    let fixture = BucketFixture::new();
    let file = fixture.file(b"columns");
    let is_intact_now = async || expect_ok(is_intact(&fixture.bucket, &file)).await;
    assert!(!is_intact_now().await, "a missing file is not intact");
    expect_ok(fixture.upload(&file)).await;
    assert!(is_intact_now().await);
    fs::write(&fixture.names()[0], "colamns").expect("writes");
    assert!(!is_intact_now().await);
}

#[test]
fn the_error_names_a_missing_folder() {
    let url = "file:///nowhere/generations".parse().expect("a bucket URL");
    let error = Bucket::open(&url)
        .expect_err("the folder of the bucket is missing")
        .to_string();
    assert!(error.contains("file:///nowhere/generations"), "{error}");
}
