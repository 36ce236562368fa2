//! Tests publishing with a bucket in a folder.

mod cleanup;
mod rules;

use std::collections::BTreeSet;
use std::fs::{self, File};
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use crate::sync::bucket::download;
use crate::sync::{Bucket, PublicationNumber};
use postduif_schema::{Address, DataFolder, Manifest};
use tempfile::TempDir;

use super::{BucketPublishError, BucketPublisher, PublishOutcome};
use crate::addresses::house;
use crate::expect_ok::expect_ok;
use crate::generation;
use postduif_schema::NoProgress;

const DAY: Duration = Duration::from_secs(86_400);
const HOUR: Duration = Duration::from_secs(3_600);

/// A data folder for small generations, and an empty bucket.
struct PublishFixture {
    folder: TempDir,
    data: DataFolder,
    bucket: Bucket,
}

impl PublishFixture {
    fn new() -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        fs::create_dir(folder.path().join("bucket")).expect("a new folder");
        let url = format!("file://{}", folder.path().join("bucket").display());
        let fixture = Self {
            data: DataFolder::new(folder.path().join("data")),
            bucket: Bucket::open(&url.parse().expect("a bucket URL"))
                .expect("the folder of the bucket exists"),
            folder,
        };
        fixture.build_and_serve("2021-09-15");
        fixture
    }

    /// Builds a generation of a stand and makes it current.
    fn build_and_serve(&self, stand: &str) -> Manifest {
        build(&self.data, stand)
    }

    fn served_manifest(&self) -> Manifest {
        let name = self
            .data
            .current_generation()
            .expect("readable")
            .expect("a generation is current");
        Manifest::read(&self.data.generation_path(name)).expect("whole")
    }

    fn publisher(&self) -> BucketPublisher {
        BucketPublisher {
            bucket: self.bucket.clone(),
            keep: NonZeroUsize::new(7).expect("not 0"),
            sweep_after: DAY,
            accept_older: false,
            verify_existing: false,
        }
    }

    async fn publish(&self) -> Result<PublishOutcome, BucketPublishError> {
        self.publisher().run(&self.data, &NoProgress).await
    }

    async fn accept_older(&self) -> Result<PublishOutcome, BucketPublishError> {
        let to = BucketPublisher {
            accept_older: true,
            ..self.publisher()
        };
        to.run(&self.data, &NoProgress).await
    }

    /// Writes a publication as another publisher would.
    async fn put(&self, publication: PublicationNumber, manifest: Manifest) -> Manifest {
        let manifest = manifest.with_checksum();
        expect_ok(self.bucket.create_manifest(publication, &manifest)).await;
        manifest
    }

    async fn publications(&self) -> Vec<u64> {
        let listed = self.bucket.list_publications(None).await.expect("a list");
        listed
            .iter()
            .map(|listed| listed.publication.get())
            .collect()
    }

    /// Asserts that the bucket has every file of a generation.
    async fn assert_has_files_of(&self, manifest: &Manifest) {
        for file in &manifest.files {
            let path = self.folder.path().join("back");
            expect_ok(download(&self.bucket, file, &path)).await;
            fs::remove_file(path).expect("the file exists");
        }
    }

    fn files(&self) -> PathBuf {
        self.folder.path().join("bucket/files")
    }

    /// Changes the manifest of a publication in the bucket.
    fn edit(&self, publication: u64, change: impl Fn(String) -> String) {
        let path = format!("bucket/manifests/{publication:020}.json");
        let path = self.folder.path().join(path);
        let text = fs::read_to_string(&path).expect("reads");
        let changed = change(text.clone());
        assert_ne!(changed, text);
        fs::write(&path, changed).expect("writes");
    }
}

/// Builds a generation of a stand with sixty addresses and makes it current. Each day has other addresses, because generations
/// of the same addresses share all files.
fn build(data: &DataFolder, stand: &str) -> Manifest {
    let names = data.list_generations().expect("readable");
    let of_that_day = names
        .iter()
        .filter(|name| name.to_string().starts_with(stand));
    let name = format!("{stand}-{}", of_that_day.count() + 1);
    let first = stand
        .bytes()
        .fold(0, |sum, byte| sum * 31 % 100_000 + u64::from(byte));
    let addresses: Vec<Address> = (0..60)
        .map(|n| {
            house(
                u32::try_from(n + 1).expect("small"),
                ("", ""),
                first * 100 + n,
            )
        })
        .collect();
    generation::publish(data, &name, &addresses);
    let folder = data.generation_path(name.parse().expect("a generation's name"));
    Manifest::read(&folder).expect("whole")
}

fn set_age(folder: &Path, by: Duration) {
    for entry in fs::read_dir(folder).expect("a folder") {
        let file = File::options()
            .write(true)
            .open(entry.expect("an entry").path());
        let file = file.expect("a file");
        file.set_modified(SystemTime::now() - by)
            .expect("the file belongs to this user");
    }
}

/// The SHA-256 of each file, as a set, because small files may have the same content.
fn names_of(manifest: &Manifest) -> BTreeSet<String> {
    let names = manifest.files.iter().map(|file| file.sha256.clone());
    names.collect()
}
