//! Tests nodes that pull their generations from a bucket. The nodes are real processes; the publisher is part of the test and works
//! like `index publish`.

mod disk;
mod errors;
mod layouts;
mod nodes;
mod owner;
mod recreated;
mod store;
mod swaps;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use postduif::sync::{Bucket, PublicationNumber, UploadFile, upload};
use postduif_schema::{Address, DataFolder, FileEntry, Manifest};
use tempfile::TempDir;
use tokio::runtime::Runtime;

use crate::addresses::house;
use crate::generation;
use crate::process::{Service, open_account, postduif, wait_until};
use crate::scratch;

const PATH: &str = "/v3/lookup/1234AB/29";

/// Two addresses in a street of this name. The street name in an answer shows which generation is served.
fn street(name: &str) -> Vec<Address> {
    let at = |number, id| Address {
        street: name.into(),
        ..house(number, ("", ""), id)
    };
    vec![at(29, 1), at(31, 2)]
}

/// A bucket in a local folder, and the data folder of the bucket's publisher.
struct Publisher {
    home: TempDir,
    folder: PathBuf,
    bucket: Bucket,
    data: DataFolder,
    next: PublicationNumber,
    runtime: Runtime,
}

impl Publisher {
    fn new() -> Self {
        let home = scratch::folder();
        let folder = home.path().join("bucket");
        Self::with_home(home, folder)
    }

    /// A publisher that shares the bucket in this folder with other publishers.
    fn share(folder: PathBuf) -> Self {
        Self::with_home(scratch::folder(), folder)
    }

    fn with_home(home: TempDir, folder: PathBuf) -> Self {
        fs::create_dir_all(&folder).expect("writes");
        let url = format!("file://{}", folder.display());
        let bucket = Bucket::open(&url.parse().expect("an address")).expect("it is there");
        Self {
            data: DataFolder::new(home.path().join("data")),
            next: PublicationNumber::FIRST,
            runtime: Runtime::new().expect("a runtime"),
            home,
            folder,
            bucket,
        }
    }

    fn url(&self) -> String {
        self.bucket.url().to_string()
    }

    /// Builds a generation with one street and publishes it.
    fn publish(&mut self, name: &str, street_name: &str) -> Manifest {
        let manifest = self.make(name, street_name);
        self.put(&manifest);
        manifest
    }

    fn make(&self, name: &str, street_name: &str) -> Manifest {
        generation::publish(&self.data, name, &street(street_name));
        self.manifest(name)
    }

    fn manifest(&self, name: &str) -> Manifest {
        let folder = self.data.generation_path(name.parse().expect("a name"));
        Manifest::read(&folder).expect("it was written whole")
    }

    /// Adds a file of `bytes` bytes to a generation; returns the changed manifest.
    fn enlarge(&self, manifest: Manifest, bytes: usize) -> Manifest {
        let folder = self.data.generation_path(manifest.generation);
        let content: Vec<u8> = (0..=250).cycle().take(bytes).collect();
        fs::write(folder.join("zzz-large"), content).expect("writes");
        fs::remove_file(folder.join("manifest.json")).expect("it is there");
        let mut manifest = manifest;
        let file = FileEntry::from_disk(&folder, "zzz-large").expect("a file");
        manifest.files.push(file);
        manifest.write(&folder).expect("it is gone")
    }

    /// Uploads the files of a generation and publishes the generation under the next number.
    fn put(&mut self, manifest: &Manifest) -> PublicationNumber {
        self.upload(manifest);
        let publication = self.next;
        self.next = publication.next();
        let put = self.bucket.create_manifest(publication, manifest);
        self.runtime.block_on(put).expect("the number is free");
        publication
    }

    /// Uploads the files of a generation without publishing it.
    fn upload(&self, manifest: &Manifest) {
        let folder = self.data.generation_path(manifest.generation);
        self.runtime.block_on(async {
            for file in &manifest.files {
                let file = UploadFile::open(file, &folder).expect("it is there");
                let put = upload(&self.bucket, &file, &|_| {});
                put.await.expect("it is put");
            }
        });
    }

    /// Publishes this text as a manifest under the next number.
    fn put_text(&mut self, text: &str) {
        let path = self.folder.join("manifests");
        fs::create_dir_all(&path).expect("writes");
        let name = format!("{:020}.json", self.next.get());
        fs::write(path.join(name), text).expect("writes");
        self.next = self.next.next();
    }

    /// The text of a generation's manifest.
    fn text(&self, manifest: &Manifest) -> String {
        let folder = self.data.generation_path(manifest.generation);
        fs::read_to_string(folder.join("manifest.json")).expect("it is there")
    }

    /// The path, in the bucket, of a file of a generation.
    fn object(&self, file: &FileEntry) -> PathBuf {
        self.folder.join("files").join(&file.sha256)
    }

    /// The path to which a test moves the bucket to hide it from nodes.
    fn moved_bucket(&self) -> PathBuf {
        self.home.path().join("away")
    }
}

/// The largest file of a manifest that is in none of the other manifests.
fn own_file<'m>(manifest: &'m Manifest, others: &[&Manifest]) -> &'m FileEntry {
    let known = |file: &&FileEntry| {
        let mut theirs = others.iter().flat_map(|other| &other.files);
        !theirs.any(|other| other.sha256 == file.sha256)
    };
    let own = manifest.files.iter().filter(known);
    own.max_by_key(|file| file.bytes)
        .expect("a file that no other manifest has")
}

/// A running service that has its own data folder and pulls from a bucket.
struct Node {
    folder: TempDir,
    key: String,
    service: Service,
}

/// A data folder with accounts but without a generation, and a live key.
fn empty() -> (TempDir, String) {
    let folder = scratch::folder();
    let [live, _] = open_account(folder.path());
    (folder, live)
}

fn serving(folder: &Path, url: &str, more: &[&str]) -> Command {
    let mut command = postduif();
    command.arg("serve").arg("--data").arg(folder);
    command.args(["--generations-from", url]).args(more);
    command
}

impl Node {
    fn start(url: &str) -> Self {
        Self::start_with(empty(), url, &["--generations-poll-s", "1"])
    }

    fn start_with((folder, key): (TempDir, String), url: &str, more: &[&str]) -> Self {
        let service = Service::start_by(serving(folder.path(), url, more));
        Self {
            folder,
            key,
            service,
        }
    }

    /// Kills the process without warning, as a power cut would; returns its data folder and the key.
    fn kill(self) -> (TempDir, String) {
        self.service.kill();
        (self.folder, self.key)
    }

    fn data(&self) -> DataFolder {
        DataFolder::new(self.folder.path())
    }

    /// Makes the node poll at once with SIGHUP, even after failures, and waits until the node serves this street.
    #[track_caller]
    fn poll_and_serve(&self, street_name: &str) {
        self.service.hang_up();
        self.wait_until_it_serves(street_name);
    }

    #[track_caller]
    fn wait_until_it_serves(&self, street_name: &str) {
        wait_until(&format!("{street_name} is served"), || {
            let found = self.service.get("live", PATH, Some(&self.key));
            found.status == 200 && found.body.contains(street_name)
        });
    }

    /// Checks that the node still serves this street.
    #[track_caller]
    fn assert_serves(&self, street_name: &str) {
        let found = self.service.get("live", PATH, Some(&self.key));
        assert_eq!(found.status, 200, "{}", found.body);
        assert!(found.body.contains(street_name), "{}", found.body);
    }

    #[track_caller]
    fn metric(&self, series: &str) -> f64 {
        let value = self.service.metric(series);
        value.unwrap_or_else(|| panic!("no {series} in the metrics"))
    }

    fn downloaded(&self) -> f64 {
        self.metric("postduif_pull_files_total{transfer=\"downloaded\"}")
    }

    fn failures(&self, cause: &str) -> f64 {
        let series = format!("postduif_pull_failures_total{{cause=\"{cause}\"}}");
        self.metric(&series)
    }

    /// Waits until the log contains this message, because a message may be logged shortly after its event.
    #[track_caller]
    fn wait_for_log(&self, message: &str) {
        let times = || self.service.log().matches(message).count();
        wait_until(message, || times() > 0);
        assert_eq!(times(), 1, "{}", self.service.log());
    }

    #[track_caller]
    fn wait_until_it_fails(&self, cause: &str) {
        wait_until(&format!("it fails: {cause}"), || self.failures(cause) > 0.0);
    }

    /// The names in the folder of generations: complete generations and partial downloads.
    fn generations(&self) -> Vec<String> {
        let entries = fs::read_dir(self.data().generations_path()).expect("a folder");
        let names = entries.map(|entry| entry.expect("an entry").file_name());
        let mut names: Vec<String> = names
            .map(|name| name.to_string_lossy().into_owned())
            .collect();
        names.sort();
        names
    }
}

/// Converts a count to the type of metric values.
fn metric_value(count: usize) -> f64 {
    f64::from(u32::try_from(count).expect("a few"))
}
