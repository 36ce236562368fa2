//! What says which generation is served and what is in it: manifests, in a folder and in a bucket, and `CURRENT`.

use std::path::Path;
use std::rc::Rc;

use postduif::sync::{Bucket, BucketUrl, PublicationNumber};
use postduif_schema::{DataFolder, LAYOUT_VERSION, Manifest};
use tempfile::TempDir;
use tokio::runtime::{Builder, Runtime};

struct Place {
    folder: TempDir,
    bucket: Bucket,
    runtime: Runtime,
}

/// This thread's own, which goes when the thread ends.
fn place() -> Rc<Place> {
    thread_local! {
        static PLACE: Rc<Place> = Rc::new(Place::new());
    }
    PLACE.with(Rc::clone)
}

impl Place {
    fn new() -> Self {
        let folder = super::folder();
        std::fs::create_dir(folder.path().join("manifests")).expect("a new folder");
        let url = format!("file://{}", folder.path().display());
        let url: BucketUrl = url.parse().expect("a folder's URL");
        Self {
            bucket: Bucket::open(&url).expect("it is there"),
            runtime: Builder::new_current_thread()
                .enable_time()
                .build()
                .expect("a runtime"),
            folder,
        }
    }
}

/// The first byte says what the rest is read as.
pub(super) fn manifests(bytes: &[u8]) {
    let Some((&which, content)) = bytes.split_first() else {
        place();
        return;
    };
    match which & 3 {
        0 => read(content),
        1 => sealed(content),
        2 => current(content),
        _ => published(content),
    }
}

/// A manifest is what was written, to the byte, or it is refused.
fn read(content: &[u8]) {
    match Manifest::from_bytes(content, Path::new("manifest.json")) {
        Ok(manifest) => assert_eq!(written(&manifest), content),
        Err(error) => assert!(error.to_string().starts_with("manifest.json: ")),
    }
}

/// Any manifest that could be written, with its checksum, reads back the same; its paths lead nowhere else.
fn sealed(content: &[u8]) {
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
    let verified = manifest.verify(place().folder.path());
    assert!(!outside || verified.is_err(), "{:?}", manifest.files);
}

/// What is served has one spelling.
fn current(content: &[u8]) {
    let place = place();
    let folder = place.folder.path();
    std::fs::write(folder.join("CURRENT"), content).expect("writes");
    match DataFolder::new(folder).current_generation() {
        Ok(Some(name)) => {
            let text = std::str::from_utf8(content).expect("a name is text");
            assert_eq!(name.to_string(), text.trim_end());
        }
        Ok(None) => panic!("there is something"),
        Err(error) => assert!(error.to_string().len() < 1000, "{error}"),
    }
}

/// What somebody else published is read as far as it can be, and is trusted when it is whole.
fn published(content: &[u8]) {
    let place = place();
    let Place {
        folder,
        bucket,
        runtime,
    } = &*place;
    let path = folder.path().join("manifests/00000000000000000001.json");
    std::fs::write(path, content).expect("writes");
    let look = runtime.block_on(bucket.read_published_manifest(PublicationNumber::FIRST));
    let look = look.expect("it is there");
    if let Ok(manifest) = look.manifest {
        assert_eq!(written(&manifest), content);
        assert_eq!(look.outline.layout_version, Some(LAYOUT_VERSION.into()));
        assert_eq!(
            look.outline.generation,
            Some(manifest.generation.to_string())
        );
    }
    let names = look.outline.files.unwrap_or_default();
    assert!(names.iter().all(|name| name.len() == 64));
}

fn written(manifest: &Manifest) -> Vec<u8> {
    let mut bytes = serde_json::to_vec_pretty(manifest).expect("a manifest has only text keys");
    bytes.push(b'\n');
    bytes
}
