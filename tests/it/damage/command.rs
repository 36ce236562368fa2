//! Tests hostile deliveries with the real binary. `index build` and `index apply` refuse each of them at once and name the file.
//! The commands publish nothing, write nothing outside the data folder, and use little memory.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant, SystemTime};

use zip::ZipWriter;
use zip::write::SimpleFileOptions;

use super::documents::pack_stored;
use super::hostile::{Change, documents};
use super::zip_bomb::{FalseSizes, bomb};
use crate::apply::made::{group, mutation_adding, mutations};
use crate::child::processor_time;
use crate::delivery::{Archive, Content, municipal, national, street};
use crate::process::postduif;

/// The maximum memory of the whole process that refuses a delivery.
const MAX_KIB: u64 = 64 << 10;

/// The maximum processor time of a command. Unlike wall time, it does not grow while the machine or its disk is busy.
const MAX_CPU_TIME: Duration = Duration::from_secs(20);

/// A command that takes longer than this counts as hanging.
const HANG_TIMEOUT: Duration = Duration::from_secs(300);

/// The content of a file outside the delivery. No error may contain it.
const SECRET: &str = "onzichtbaar-geheim";

/// A folder with a data folder that serves a stand, and with other files that a hostile delivery may aim at.
struct Workspace(tempfile::TempDir);

/// The outcome of a command.
struct CommandResult {
    code: Option<i32>,
    message: String,
    peak_kib: u64,
    duration: Duration,
}

impl Workspace {
    fn serving(stand: &Archive) -> Self {
        let site = Self(tempfile::tempdir().expect("a temporary folder"));
        for folder in ["work", "temporary"] {
            fs::create_dir(site.path(folder)).expect("a new folder");
        }
        fs::write(site.path("secret"), SECRET).expect("writes");
        let ended = site.run("build", &stand.pack());
        assert_eq!(ended.code, Some(0), "{}", ended.message);
        site
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    /// Writes a delivery to this folder and runs a command on it. Samples the peak memory of the command.
    fn run(&self, command: &str, delivery: &[u8]) -> CommandResult {
        let path = self.path("delivery.zip");
        fs::write(&path, delivery).expect("writes");
        let began = Instant::now();
        let mut child = index(command, &path, &self.path("data"))
            .current_dir(self.path("work"))
            .env("TMPDIR", self.path("temporary"))
            .stdout(Stdio::null())
            .stderr(fs::File::create(self.path("stderr")).expect("a new file"))
            .spawn()
            .expect("the binary runs");
        let about = PathBuf::from(format!("/proc/{}", child.id()));
        let program = fs::canonicalize(postduif().get_program()).expect("the binary");
        let (mut peak_kib, mut processor) = (0, Duration::ZERO);
        let ended = loop {
            // Skip the memory of the child right after the fork, when it still has the memory and the program of the test process.
            if fs::read_link(about.join("exe")).is_ok_and(|exe| exe == program) {
                peak_kib = peak_kib.max(peak(&about.join("status")));
            }
            processor = processor.max(processor_time(&about.join("stat")));
            if let Some(ended) = child.try_wait().expect("a child of ours") {
                break ended;
            }
            if processor > MAX_CPU_TIME || began.elapsed() > HANG_TIMEOUT {
                child.kill().expect("it runs");
                child.wait().expect("a child of ours");
                panic!("{command} does not end after {processor:?} of processor time");
            }
            std::thread::sleep(Duration::from_millis(1));
        };
        CommandResult {
            code: ended.code(),
            message: fs::read_to_string(self.path("stderr")).expect("UTF-8"),
            peak_kib,
            duration: began.elapsed(),
        }
    }

    /// Checks that the delivery is refused with these words and that no file changes.
    #[track_caller]
    #[expect(clippy::print_stdout, reason = "the test prints its measurements")]
    fn assert_refused(&self, damage: &str, command: &str, delivery: &[u8], words: &[&str]) {
        let before = self.all_files();
        // A process may end before the first sample of its memory. Then run the command again.
        let mut runs = (0..5).map(|_| self.run(command, delivery));
        let ended = runs.find(|ended| ended.peak_kib > 0);
        let ended = ended.expect("the memory was read in one of five runs");
        let CommandResult {
            message, duration, ..
        } = &ended;
        println!(
            "{command}, {damage}: {duration:?}, {} KiB at most",
            ended.peak_kib
        );
        assert_eq!(ended.code, Some(2), "{damage}: {message}");
        for word in words.iter().chain(&["delivery.zip"]) {
            assert!(
                message.contains(word),
                "{damage}: no {word:?} in: {message}"
            );
        }
        assert!(
            !message.contains(SECRET) && message.len() < 2000,
            "{damage}: {message}"
        );
        assert!(ended.peak_kib < MAX_KIB, "{damage}: {} KiB", ended.peak_kib);
        let after = self.all_files();
        let changed = after
            .iter()
            .filter(|(path, about)| before.get(*path) != Some(*about));
        let changed: Vec<_> = changed.collect();
        assert!(
            changed.is_empty() && after.len() == before.len(),
            "{damage}: {changed:?}"
        );
    }

    /// Lists every file and folder except the delivery and the log, with the size and modification time of each file.
    fn all_files(&self) -> BTreeMap<PathBuf, Option<(u64, SystemTime)>> {
        let (mut files, mut folders) = (BTreeMap::new(), vec![self.0.path().to_owned()]);
        while let Some(folder) = folders.pop() {
            for entry in fs::read_dir(&folder).expect("readable") {
                let path = entry.expect("readable").path();
                let about = fs::symlink_metadata(&path).expect("it is there");
                if about.is_dir() {
                    folders.push(path.clone());
                }
                // Ignore changes of the lock file and the register. A refused command takes the lock and opens the register, and
                // may write to both files.
                let opened = path.ends_with("data/lock") || path.ends_with("register.redb");
                let lasting = (about.is_file() && !opened).then(|| {
                    let written = about.modified().expect("a modification time");
                    (about.len(), written)
                });
                files.insert(path, lasting);
            }
        }
        for own in ["delivery.zip", "stderr"] {
            files.remove(&self.path(own));
        }
        files
    }
}

fn index(command: &str, delivery: &Path, data: &Path) -> Command {
    let mut run = postduif();
    run.args(["index", command, "--data"]).arg(data);
    match command {
        "build" => run.arg("--extract").arg(delivery),
        _ => run.arg(delivery),
    };
    run
}

/// Returns the peak memory of a process in KiB; 0 if the process has ended. Source: proc(5), `VmHWM`.
fn peak(status: &Path) -> u64 {
    let status = fs::read_to_string(status).unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    let kib = line.and_then(|line| line.trim().strip_suffix(" kB"));
    kib.and_then(|kib| kib.parse().ok()).unwrap_or_default()
}

/// Changes one document of a delivery. Packs the delivery without compression, so that the limit on compression does not refuse it.
fn hostile(mut delivery: Archive, part: &str, change: &Change) -> Vec<u8> {
    let Content::File(bytes) = &mut delivery.entry(part).1 else {
        panic!("{part} is no document");
    };
    *bytes = change(std::str::from_utf8(bytes).expect("documents are UTF-8"));
    pack_stored(delivery)
}

#[test]
fn a_hostile_document_of_a_stand_is_refused_at_once() {
    let site = Workspace::serving(&municipal());
    for (damage, change, words) in documents(&site.path("secret")) {
        let delivery = hostile(municipal(), "OPR15092021-", &change);
        site.assert_refused(
            damage,
            "build",
            &delivery,
            &["0457OPR15092021-000001.xml, byte ", words],
        );
    }
}

#[test]
fn a_hostile_document_of_mutations_is_refused_at_once() {
    let site = Workspace::serving(&national());
    let new = street("0457300000000003", "Nieuwstraat", "3631");
    let sound = || {
        mutations(
            "2021-09-15",
            "2021-09-16",
            &[group(&[mutation_adding(&new)])],
        )
    };
    for (damage, change, words) in documents(&site.path("secret")) {
        let delivery = hostile(sound(), "-000002.xml", &change);
        site.assert_refused(damage, "apply", &delivery, &["-000002.xml, byte ", words]);
    }
    // The delivery without a hostile change is accepted, so each refusal above is due to the change.
    let ended = site.run("apply", &sound().pack());
    assert_eq!(ended.code, Some(0), "{}", ended.message);
}

#[test]
fn a_zip_bomb_is_refused_before_it_is_unpacked() {
    let site = Workspace::serving(&national());
    let name = "9999NUM15092021-000001.xml";
    let truth = 10 << 30;
    let lie = |local, central| FalseSizes {
        local: Some(local),
        central: Some(central),
    };
    #[rustfmt::skip]
    let cases = [
        ("ten gigabytes", FalseSizes::TRUE_SIZES, "inflate to 10737418240; at most"),
        ("ten gigabytes, but a kilobyte in both headers", lie(1000, 1000), "fetch the delivery again"),
        ("a kilobyte in the local header, ten gigabytes in the central one", lie(1000, truth), "delivery again"),
        ("ten gigabytes in the local header, a kilobyte in the central one", lie(truth, 1000), "delivery again"),
        ("more than can be counted", lie(u64::MAX, u64::MAX), "at most"),
        ("more than any disk holds", lie(1 << 62, 1 << 62), "at most"),
    ];
    for (damage, listed, words) in cases {
        let packed = bomb(name, b"", 160, listed);
        assert!(packed.len() < 11 << 20, "{} bytes", packed.len());
        let mut delivery = national();
        delivery.entry("9999NUM15092021.zip").1 = Content::Packed(packed);
        site.assert_refused(
            damage,
            "build",
            &delivery.pack(),
            &["9999NUM15092021.zip", words],
        );
    }
    let attribute = bomb(name, b"<b:bagStand a=\"", 16, FalseSizes::TRUE_SIZES);
    let mut delivery = national();
    delivery.entry("9999NUM15092021.zip").1 = Content::Packed(attribute);
    let words = ["inflate to 1073741839; at most"];
    site.assert_refused(
        "an attribute of a gigabyte",
        "build",
        &delivery.pack(),
        &words,
    );
}

#[test]
fn an_archive_with_paths_outside_itself_is_refused() {
    let site = Workspace::serving(&municipal());
    let secret = site.path("secret").display().to_string();
    let outside = site.path("evil.xml").display().to_string();
    for name in [
        "../evil.xml", &outside, "a/../../evil.xml", "..\\..\\evil.xml", "a\\evil.xml",
        "evil\0.xml",
    ] {
        // `ZipWriter` would normalize such a name. So write a harmless name of the same length, and replace it in the packed bytes.
        let tame = "~".repeat(name.len());
        let packed = municipal().with_entry(&tame, "evil").pack();
        let packed = super::archives::replaced(packed, &tame, name);
        let words = ["leads out of the archive", "plain file names"];
        site.assert_refused(name, "build", &packed, &words);
    }
    let mut zip = ZipWriter::new_append(std::io::Cursor::new(municipal().pack())).expect("opens");
    let options = SimpleFileOptions::default();
    zip.add_symlink("0457XYZ15092021.zip", &secret, options)
        .expect("writes");
    let linked = zip.finish().expect("memory takes it").into_inner();
    site.assert_refused(
        "a symbolic link",
        "build",
        &linked,
        &["leads out of the archive"],
    );
}

#[test]
fn an_archive_that_differs_from_its_directory_is_refused() {
    let site = Workspace::serving(&national());
    let sound = pack_stored(national());
    let mut wrong = sound.clone();
    let at = (0..wrong.len())
        .find(|&at| wrong[at..].starts_with(b"1381AA"))
        .expect("a postcode");
    wrong[at + 3] = b'2';
    site.assert_refused(
        "a byte that differs from its checksum",
        "build",
        &wrong,
        &["checksum"],
    );

    let name = "0457GEM15092021.zip";
    let mut nested = municipal().archive_containing("0457NUM").pack();
    for _ in 0..1000 {
        nested = Archive(vec![(name.to_owned(), Content::Packed(nested))]).pack();
    }
    let mut delivery = municipal();
    delivery.entry(name).1 = Content::Packed(nested);
    let words = ["inside another archive of a municipality"];
    site.assert_refused(
        "a thousand archives within archives",
        "build",
        &delivery.pack(),
        &words,
    );

    let twice = municipal()
        .with_entry("Leveringsdocument-BAG-Extrict.xml", "<x/>")
        .pack();
    let twice = super::archives::replaced(twice, "BAG-Extrict", "BAG-Extract");
    site.assert_refused(
        "two entries with one name",
        "build",
        &twice,
        &["two of its entries have the same name", "each file once"],
    );

    let mut zip = ZipWriter::new_append(std::io::Cursor::new(municipal().pack())).expect("opens");
    zip.shallow_copy_file("0457GEM15092021.zip", "0457GEM16092021.zip")
        .expect("copies");
    let shared = zip.finish().expect("memory takes it").into_inner();
    site.assert_refused(
        "entries that share bytes",
        "build",
        &shared,
        &["some of its entries share bytes"],
    );
}
