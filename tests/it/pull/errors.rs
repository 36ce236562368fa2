//! Publishes faulty generations: the node must report the error, keep serving the current generation, never give a faulty
//! generation its final name, and recover by itself.

use std::fs;
use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant};

use postduif_schema::{Generation, GenerationName, Manifest};

use super::{Node, Publisher, metric_value, own_file};
use crate::chance::{Chance, tries};
use crate::data_dir::overwrite;
use crate::generation;
use crate::process::wait_until;

/// A node that serves a first publication. The test then publishes a faulty second one.
struct Case {
    publisher: Publisher,
    node: Node,
    first: Manifest,
    /// Whether the test sends SIGHUP to make the node poll at once. Otherwise the node polls at its interval.
    polls_on_sighup: bool,
}

impl Case {
    fn new() -> Self {
        let mut publisher = Publisher::new();
        let first = publisher.publish("2026-01-01-1", "Eerst");
        let node = Node::start(&publisher.url());
        node.wait_until_it_serves("Eerst");
        Self {
            publisher,
            node,
            first,
            polls_on_sighup: true,
        }
    }

    /// A case in which the test sends no SIGHUP.
    fn without_sighup() -> Self {
        Self {
            polls_on_sighup: false,
            ..Self::new()
        }
    }

    fn poll_now(&self) {
        if self.polls_on_sighup {
            self.node.service.hang_up();
        }
    }

    /// Checks that the node rejects the second publication for this cause and keeps serving the first publication.
    #[track_caller]
    fn assert_refused(&self, cause: &str, message: &str) {
        self.poll_now();
        self.node.wait_until_it_fails(cause);
        self.node.assert_serves("Eerst");
        assert_eq!(self.node.metric("postduif_pull_failing"), 1.0);
        let name = |name: &String| name.parse::<GenerationName>().is_ok();
        let named: Vec<String> = self.node.generations().into_iter().filter(name).collect();
        assert_eq!(named, ["2026-01-01-1"]);
        let ready = self.node.service.get("admin", "/health/ready", None);
        assert!(
            ready.status == 200 && ready.body.contains(message),
            "{}",
            ready.body
        );
        self.poll_now();
        wait_until("the publication is tried again", || {
            self.node.failures(cause) > 1.0
        });
        let log = self.node.service.log();
        assert_eq!(
            log.matches("cannot pull the newest generation").count(),
            1,
            "{log}"
        );
    }

    #[track_caller]
    fn assert_recovers(&self) {
        self.poll_now();
        self.node.wait_until_it_serves("Daarna");
        wait_until("it is over", || {
            self.node.metric("postduif_pull_failing") == 0.0
        });
        assert_eq!(self.node.generations(), ["2026-01-01-1", "2026-01-02-1"]);
        self.node.wait_for_log("pulling generations works again");
    }
}

/// Damages a file of the second publication in the bucket, publishes it, checks the refusal, and repairs the file.
#[track_caller]
fn damaged_file(mut case: Case, cause: &str, damage: impl FnOnce(&Path)) {
    let second = case.publisher.make("2026-01-02-1", "Daarna");
    let file = own_file(&second, &[&case.first]);
    let object = case.publisher.object(file);
    // Upload the files first. Then the test can damage one of them before it publishes the manifest.
    let earlier = case.node.downloaded();
    let text = case.publisher.text(&second);
    case.publisher.upload(&second);
    let whole = fs::read(&object).expect("it is there");
    damage(&object);
    case.publisher.put_text(&text);
    case.assert_refused(cause, &file.sha256);
    fs::write(&object, whole).expect("writes");
    case.assert_recovers();
    let own = second.files.iter().filter(|file| {
        let mut theirs = case.first.files.iter();
        !theirs.any(|other| other.sha256 == file.sha256)
    });
    let came = case.node.downloaded() - earlier;
    assert_eq!(
        came,
        metric_value(own.count()),
        "no file was downloaded twice"
    );
}

#[test]
fn a_damaged_file_in_the_bucket_is_refused() {
    damaged_file(Case::without_sighup(), "corrupt", |object| {
        let mut bytes = fs::read(object).expect("it is there");
        bytes[0] ^= 1;
        fs::write(object, bytes).expect("writes");
    });
}

#[test]
fn a_node_waits_for_a_file_missing_from_the_bucket() {
    damaged_file(Case::new(), "missing", |object| {
        fs::remove_file(object).expect("it is there");
    });
}

#[test]
fn a_damaged_manifest_is_refused_until_a_later_publication() {
    let mut case = Case::new();
    let second = case.publisher.make("2026-01-02-1", "Daarna");
    let text = case.publisher.text(&second);
    case.publisher
        .put_text(&text.replace("2026-01-02", "2026-01-03"));
    case.assert_refused("corrupt", "manifests/00000000000000000002.json");
    case.publisher.put(&second);
    case.assert_recovers();
}

#[test]
fn a_manifest_with_paths_outside_its_generation_is_refused() {
    let mut case = Case::new();
    let second = case.publisher.make("2026-01-02-1", "Daarna");
    let mut evil = second.clone();
    evil.files[0].path = "../../../elsewhere".into();
    let folder = tempfile::tempdir().expect("a temporary folder");
    evil.write(folder.path()).expect("writes");
    let text = fs::read_to_string(folder.path().join("manifest.json")).expect("reads");
    case.publisher.put_text(&text);
    case.assert_refused("corrupt", "leads out of its folder");
    case.publisher.put(&second);
    case.assert_recovers();
}

#[test]
fn a_publication_whose_name_belongs_to_another_local_generation_is_refused() {
    let mut case = Case::new();
    let mut other = Publisher::new();
    let same_name = other.make("2026-01-01-1", "Anders");
    case.publisher.put_text(&other.text(&same_name));
    case.assert_refused("name_conflict", "have the same name but different content");
    case.publisher.publish("2026-01-02-1", "Daarna");
    case.assert_recovers();
    // The node no longer serves its first generation, so another generation may now take the name.
    other.bucket = case.publisher.bucket.clone();
    other.upload(&same_name);
    case.publisher.put_text(&other.text(&same_name));
    case.node.poll_and_serve("Anders");
}

#[test]
fn an_emptied_bucket_is_reported_while_the_node_keeps_serving() {
    let mut case = Case::without_sighup();
    let manifests = case.publisher.folder.join("manifests");
    let moved_bucket = case.publisher.moved_bucket();
    fs::rename(&manifests, &moved_bucket).expect("renames");
    case.assert_refused("empty", "no publication from 1 on");
    fs::rename(&moved_bucket, &manifests).expect("renames");
    case.publisher.publish("2026-01-02-1", "Daarna");
    case.assert_recovers();
}

#[test]
fn a_node_with_an_empty_bucket_reports_it_and_pulls_the_first_publication() {
    let mut publisher = Publisher::new();
    let node = Node::start(&publisher.url());
    node.wait_until_it_fails("empty");
    let ready = node.service.get("admin", "/health/ready", None);
    assert_eq!(ready.status, 503);
    assert!(
        ready.body.contains("holds no publication"),
        "{}",
        ready.body
    );
    publisher.publish("2026-01-01-1", "Eerst");
    node.wait_until_it_serves("Eerst");
}

#[test]
fn a_killed_pull_keeps_its_complete_files() {
    let mut publisher = Publisher::new();
    let first = publisher.publish("2026-01-01-1", "Eerst");
    let last = publisher.object(own_file(&first, &[]));
    let whole = fs::read(&last).expect("it is there");
    // Opening a FIFO blocks until it has a writer, so the download of this file never completes.
    fs::remove_file(&last).expect("it is there");
    let made = Command::new("mkfifo").arg(&last).status();
    assert!(made.expect("mkfifo runs").success());
    let node = Node::start(&publisher.url());
    let all_but_one = metric_value(first.files.len() - 1);
    wait_until("all files but one are downloaded", || {
        node.downloaded() == all_but_one
    });
    assert_eq!(node.generations(), [".pulling"]);
    let folder = node.kill();
    fs::remove_file(&last).expect("it is there");
    fs::write(&last, whole).expect("writes");
    let node = Node::start_with(folder, &publisher.url(), &[]);
    node.wait_until_it_serves("Eerst");
    assert_eq!(node.downloaded(), 1.0);
    assert_eq!(node.generations(), ["2026-01-01-1"]);
}

/// Long form: `POSTDUIF_TEST_TRIES=100 cargo test --test it pull::errors::a_kill_at -- --nocapture`.
#[test]
#[expect(clippy::print_stdout, reason = "the seed repeats a failure")]
fn a_kill_at_any_moment_leaves_no_partial_generation() {
    let mut chance = Chance::new();
    println!("seed {}", chance.seed);
    let mut publisher = Publisher::new();
    let first = publisher.make("2026-01-01-1", "Eerst");
    let first = publisher.enlarge(first, 16 << 20);
    publisher.put(&first);
    let whole = Node::start(&publisher.url());
    let began = Instant::now();
    wait_until("it is named", || {
        whole
            .data()
            .current_generation()
            .is_ok_and(|name| name.is_some())
    });
    let whole = usize::try_from(began.elapsed().as_micros()).expect("seconds");
    let (mut empty_handed, mut folder) = (0, super::empty());
    for _ in 0..tries(10) {
        // Most kills come during the pull, some after its end.
        let delay = Duration::from_micros(chance.below(whole * 3 / 2) as u64);
        let node = Node::start_with(folder, &publisher.url(), &[]);
        std::thread::sleep(delay);
        let data = node.data();
        folder = node.kill();
        let there = data.list_generations().expect("readable");
        for &name in &there {
            Generation::open(&data.generation_path(name), name).expect("whole");
        }
        let current = data.current_generation().expect("readable");
        assert!(current.is_none_or(|current| there.contains(&current)));
        empty_handed += usize::from(current.is_none());
        if current.is_some() {
            fs::remove_dir_all(data.generations_path()).expect("it is there");
            fs::remove_file(data.path().join("CURRENT")).expect("it is there");
        }
    }
    println!("a pull takes {whole} µs; killed before its end {empty_handed} times");
    let node = Node::start_with(folder, &publisher.url(), &[]);
    node.wait_until_it_serves("Eerst");
    assert_eq!(node.generations(), ["2026-01-01-1"]);
}

#[test]
fn stopping_aborts_a_download_at_once() {
    let mut publisher = Publisher::new();
    let first = publisher.publish("2026-01-01-1", "Eerst");
    let last = publisher.object(own_file(&first, &[]));
    fs::remove_file(&last).expect("it is there");
    let made = Command::new("mkfifo").arg(&last).status();
    assert!(made.expect("mkfifo runs").success());
    let mut node = Node::start(&publisher.url());
    wait_until("a download is running", || node.downloaded() > 0.0);
    node.service.terminate();
    assert!(node.service.wait().success());
}

#[test]
fn a_damaged_local_generation_is_pulled_again() {
    let mut case = Case::new();
    let second = case.publisher.publish("2026-01-02-1", "Daarna");
    case.node.wait_until_it_serves("Daarna");
    let (folder, key) = case.node.kill();
    let data = postduif_schema::DataFolder::new(folder.path());
    let file = own_file(&second, &[&case.first]);
    let path = data.generation_path(second.generation).join(&file.path);
    let mut bytes = fs::read(&path).expect("it is there");
    bytes[0] ^= 1;
    overwrite(&path, &bytes);
    let node = Node::start_with((folder, key), &case.publisher.url(), &[]);
    node.wait_until_it_serves("Daarna");
    assert_eq!(node.downloaded(), 1.0);

    // A local generation without a manifest is pulled again as well.
    let folder = node.kill();
    fs::remove_file(
        data.generation_path(second.generation)
            .join("manifest.json"),
    )
    .expect("it is there");
    let node = Node::start_with(folder, &case.publisher.url(), &[]);
    node.wait_until_it_serves("Daarna");
    assert_eq!(node.downloaded(), 0.0);
}

/// Publishes a generation whose manifest states one address too many, so the generation cannot be opened.
fn put_faulty(publisher: &mut Publisher, name: &str) {
    generation::publish(&publisher.data, name, &super::street("Stuk"));
    let mut faulty = publisher.manifest(name);
    faulty.counts.addresses += 1;
    let folder = publisher.data.generation_path(faulty.generation);
    fs::remove_file(folder.join("manifest.json")).expect("it is there");
    let faulty = faulty.write(&folder).expect("it is gone");
    publisher.put(&faulty);
}

#[test]
fn generations_that_cannot_be_opened_do_not_accumulate() {
    let mut publisher = Publisher::new();
    publisher.publish("2026-01-01-1", "Eerst");
    let few = ["--generations-poll-s", "1", "--generations-keep", "1"];
    let node = Node::start_with(super::empty(), &publisher.url(), &few);
    node.wait_until_it_serves("Eerst");
    for name in ["2026-01-02-1", "2026-01-03-1", "2026-01-04-1"] {
        put_faulty(&mut publisher, name);
        node.service.hang_up();
        wait_until("the broken and the served generation are left", || {
            node.generations() == ["2026-01-01-1", name]
        });
    }
    node.assert_serves("Eerst");
}

#[test]
fn a_broken_publication_is_not_pulled_repeatedly() {
    let mut case = Case::new();
    put_faulty(&mut case.publisher, "2026-01-02-1");
    case.node.service.hang_up();
    wait_until("the generation cannot be opened", || {
        case.node.metric("postduif_generation_reload_failing") == 1.0
    });
    case.node.assert_serves("Eerst");
    let looked = case
        .node
        .metric("postduif_pull_last_check_timestamp_seconds");
    wait_until("the node polls again", || {
        case.node
            .metric("postduif_pull_last_check_timestamp_seconds")
            > looked + 2.0
    });
    let taken = case
        .node
        .service
        .log()
        .matches("generation is taken")
        .count();
    assert!(taken <= 3, "{}", case.node.service.log());
    assert_eq!(case.node.metric("postduif_pull_served_publication"), 1.0);
    case.publisher.publish("2026-01-03-1", "Daarna");
    case.node.poll_and_serve("Daarna");
}
