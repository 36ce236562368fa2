//! Fuzzes the files that name the served generation and its contents: `CURRENT`, and manifests in a folder and in a bucket.

use std::path::Path;
use std::rc::Rc;

use postduif::sync::{Bucket, BucketUrl, PublicationNumber};
use postduif_schema::{DataFolder, LAYOUT_VERSION, Manifest};
use tempfile::TempDir;
use tokio::runtime::{Builder, Runtime};

struct Fixture {
    folder: TempDir,
    bucket: Bucket,
    runtime: Runtime,
}

/// The fixture of the current thread, dropped when the thread ends.
fn fixture() -> Rc<Fixture> {
    thread_local! {
        static FIXTURE: Rc<Fixture> = Rc::new(Fixture::new());
    }
    FIXTURE.with(Rc::clone)
}

impl Fixture {
    fn new() -> Self {
        let folder = super::folder();
        std::fs::create_dir(folder.path().join("manifests")).expect("a new folder");
        let url = format!("file://{}", folder.path().display());
        let url: BucketUrl = url.parse().expect("a folder's URL");
        Self {
            bucket: Bucket::open(&url).expect("the folder exists"),
            runtime: Builder::new_current_thread()
                .enable_time()
                .build()
                .expect("a runtime"),
            folder,
        }
    }
}

/// The first byte selects the kind of file; the other bytes are its content.
pub(super) fn manifests(bytes: &[u8]) {
    let Some((&which, content)) = bytes.split_first() else {
        fixture();
        return;
    };
    match which & 3 {
        0 => read(content),
        1 => with_checksum(content),
        2 => current(content),
        _ => published(content),
    }
}

/// A manifest that can be read must be written as the same bytes. All other bytes must be refused.
fn read(content: &[u8]) {
    match Manifest::from_bytes(content, Path::new("manifest.json")) {
        Ok(manifest) => assert_eq!(written(&manifest), content),
        Err(error) => assert!(error.to_string().starts_with("manifest.json: ")),
    }
}

/// A manifest that is written with its checksum must be read back unchanged. A manifest with a path outside its folder must fail
/// the verification.
fn with_checksum(content: &[u8]) {
    let Ok(manifest) = serde_json::from_slice::<Manifest>(content) else {
        return;
    };
    let manifest = Manifest {
        layout_version: LAYOUT_VERSION,
        ..manifest
    };
    let manifest = manifest.with_checksum();
    let again = Manifest::from_bytes(&written(&manifest), Path::new("manifest.json"));
    assert_eq!(again.expect("as it was written"), manifest);
    let outside = manifest.files.iter().any(|file| !file.has_safe_path());
    let verified = manifest.verify(fixture().folder.path());
    assert!(!outside || verified.is_err(), "{:?}", manifest.files);
}

/// A name that can be read from `CURRENT` must have only one spelling.
fn current(content: &[u8]) {
    let fixture = fixture();
    let folder = fixture.folder.path();
    std::fs::write(folder.join("CURRENT"), content).expect("writes");
    match DataFolder::new(folder).current_generation() {
        Ok(Some(name)) => {
            let text = std::str::from_utf8(content).expect("a name is text");
            assert_eq!(name.to_string(), text.trim_end());
        }
        Ok(None) => panic!("the file exists"),
        Err(error) => assert!(error.to_string().len() < 1000, "{error}"),
    }
}

/// A manifest in a bucket may be read in part, but must be accepted only if it is complete.
fn published(content: &[u8]) {
    let fixture = fixture();
    let Fixture {
        folder,
        bucket,
        runtime,
    } = &*fixture;
    let path = folder.path().join("manifests/00000000000000000001.json");
    std::fs::write(path, content).expect("writes");
    let published = runtime.block_on(bucket.read_published_manifest(PublicationNumber::FIRST));
    let published = published.expect("the manifest exists");
    if let Ok(manifest) = published.manifest {
        assert_eq!(written(&manifest), content);
        assert_eq!(
            published.outline.layout_version,
            Some(LAYOUT_VERSION.into())
        );
        assert_eq!(
            published.outline.generation,
            Some(manifest.generation.to_string())
        );
    }
    let names = published.outline.files.unwrap_or_default();
    assert!(names.iter().all(|name| name.len() == 64));
}

fn written(manifest: &Manifest) -> Vec<u8> {
    let mut bytes = serde_json::to_vec_pretty(manifest).expect("a manifest has only text keys");
    bytes.push(b'\n');
    bytes
}
