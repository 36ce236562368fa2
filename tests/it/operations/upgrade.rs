//! Runs the commands of the runbook `docker/upgrade.md` in their order, on one machine.
//!
//! The tests have only one version of the program, which makes data of one layout. So the test changes the version numbers in the
//! manifest and in the register to another version. The program then refuses the data without reading the rest.

use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::PathBuf;
use std::process::{Command, Output};

use postduif_indexer::register_path;
use postduif_schema::{DataFolder, GenerationName, LAYOUT_VERSION, MANIFEST_FILE};
use redb::{Database, ReadableDatabase as _, TableDefinition};
use rustix::process::Signal;
use tempfile::TempDir;

use crate::data_dir::overwrite;
use crate::process::{Service, open_account, postduif, run, signal, wait_until};
use crate::scratch;

const PAGE: &str = include_str!("../../../docker/upgrade.md");
const TOWN: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/testdata/town.zip");
const PATH: &str = "/v3/lookup/3931BJ/69";

/// The generation that the runbook names as an example.
const EXAMPLE: &str = "2026-01-08-1";

/// The folders that the runbook names, and the names of the test's folders in their place.
const FOLDERS: [(&str, &str); 5] = [
    ("/usr/local/bin", "bin"),
    ("/etc/postduif", "etc"),
    ("/var/backups/postduif", "backups"),
    ("/var/lib/postduif-inbox", "inbox"),
    ("/var/lib/postduif", "data"),
];

/// The `console` blocks below a heading of the runbook. Each block is a list of commands.
fn blocks(heading: &str) -> Vec<Vec<&'static str>> {
    let (_, section) = PAGE
        .split_once(&format!("\n### {heading}\n"))
        .expect(heading);
    let section = section.split("\n#").next().unwrap_or_default();
    let blocks = section.split("```console\n").skip(1);
    let blocks = blocks.map(|block| block.split("```").next().expect("its end"));
    blocks.map(|block| block.lines().collect()).collect()
}

/// A stand-in for the machine of `docker/upgrade.md`: a temporary folder contains the runbook's folders, and a service acts as the
/// old program.
struct Machine {
    folder: TempDir,
    service: Option<Service>,
    live_key: String,
}

impl Machine {
    fn start() -> Self {
        let folder = scratch::folder();
        for (_, name) in FOLDERS {
            fs::create_dir(folder.path().join(name)).expect("a new folder");
        }
        fs::copy(TOWN, folder.path().join("inbox/extract.zip")).expect("copies");
        let data = folder.path().join("data");
        let built = ["index", "build", "--extract", TOWN, "--data"];
        let built = run(&[&built[..], &[data.to_str().expect("UTF-8")]].concat());
        assert!(built.status.success(), "{built:?}");
        let [live_key, _] = open_account(&data);
        let mut machine = Self {
            folder,
            service: None,
            live_key,
        };
        let binary = postduif().get_program().to_owned();
        let binary = binary.to_str().expect("UTF-8");
        for name in ["postduif", "postduif.new"] {
            machine.write_script(name, &format!("# {name}\nexec {binary} \"$@\""));
        }
        // `runuser -u postduif -- …` runs the command as the test's user.
        machine.write_script("runuser", "shift 3; exec \"$@\"");
        machine.start_service();
        machine
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn write_script(&self, name: &str, script: &str) {
        let path = self.path("bin").join(name);
        fs::write(&path, format!("#!/bin/sh\n{script}\n")).expect("writes");
        let executable = fs::Permissions::from_mode(0o755);
        fs::set_permissions(&path, executable).expect("its owner");
    }

    fn data(&self) -> DataFolder {
        DataFolder::new(self.path("data"))
    }

    fn current(&self) -> GenerationName {
        let current = self.data().current_generation();
        current.expect("readable").expect("a generation")
    }

    fn service(&self) -> &Service {
        self.service.as_ref().expect("it runs")
    }

    fn start_service(&mut self) {
        let mut command = Command::new(self.path("bin/postduif"));
        let settings = std::env::vars_os().map(|(name, _)| name);
        let settings = settings.filter(|name| name.to_string_lossy().starts_with("POSTDUIF_"));
        settings.for_each(|name| {
            command.env_remove(name);
        });
        command.arg("serve").arg("--data").arg(self.path("data"));
        let service = Service::start_by(command);
        let settings = format!("admin_listen = \"{}\"\n", service.address("admin"));
        fs::write(self.path("etc/postduif.toml"), settings).expect("writes");
        self.service = Some(service);
    }

    /// Starts, stops or restarts the service as systemd would. The test has no watcher.
    fn systemctl(&mut self, words: &[&str]) {
        let (verb, units) = words.split_first().expect("a verb");
        if !units.contains(&"postduif") {
            assert_eq!(units, ["postduif-watch"], "a unit of the runbook");
            return;
        }
        if ["stop", "restart"].contains(verb) {
            let mut service = self.service.take().expect("it runs");
            service.terminate();
            assert!(service.wait().success(), "{}", service.log());
        }
        if ["start", "restart"].contains(verb) {
            self.start_service();
        }
    }

    /// Runs the commands of a block, each of which must succeed; returns their output.
    fn run_block(&mut self, block: &[&str]) -> String {
        let mut printed = String::new();
        for line in block {
            let words: Vec<&str> = line.split_whitespace().collect();
            if let Some(("systemctl", words)) =
                words.split_first().map(|(first, more)| (*first, more))
            {
                self.systemctl(words);
            } else if line.contains(" healthcheck ") {
                wait_until(line, || self.run(line).status.success());
            } else {
                let output = self.run(line);
                assert!(output.status.success(), "{line}: {output:?}");
                printed += &String::from_utf8_lossy(&output.stdout);
            }
        }
        printed
    }

    fn run(&self, line: &str) -> Output {
        let line = FOLDERS.iter().fold(line.to_owned(), |line, (page, own)| {
            let own = self.path(own);
            line.replace(page, own.to_str().expect("UTF-8"))
        });
        let system = std::env::var("PATH").expect("a path");
        let path = format!("{}:{system}", self.path("bin").display());
        let mut command = Command::new("sh");
        let settings = std::env::vars_os().map(|(name, _)| name);
        for name in settings.filter(|name| name.to_string_lossy().starts_with("POSTDUIF_")) {
            command.env_remove(name);
        }
        let output = command.args(["-euc", &line]).env("PATH", path).output();
        output.expect("a shell")
    }

    /// Replaces the layout version in the manifest of a generation.
    fn set_layout(&self, generation: GenerationName, version: u32) {
        let path = self.data().generation_path(generation).join(MANIFEST_FILE);
        let text = fs::read_to_string(&path).expect("a manifest");
        let versions = [LAYOUT_VERSION - 1, LAYOUT_VERSION, LAYOUT_VERSION + 1];
        let field = |version| format!("\"layoutVersion\": {version},");
        let found = versions
            .into_iter()
            .find(|version| text.contains(&field(*version)));
        let found = field(found.expect("the field"));
        overwrite(&path, text.replace(&found, &field(version)).as_bytes());
    }

    /// Sets the format version of the register to the previous one.
    fn set_last_register_format(&self) {
        const SINGLE_VALUES: TableDefinition<'_, &str, &[u8]> = TableDefinition::new("single");
        let store = Database::open(register_path(&self.data())).expect("a register");
        let read = store.begin_read().expect("readable");
        let table = read.open_table(SINGLE_VALUES).expect("a table");
        let row = table
            .get("format_version")
            .expect("readable")
            .expect("a row");
        let mut row = row.value().to_vec();
        // The row begins with the version, one byte because the version is below 128.
        row[0] -= 1;
        let write = store.begin_write().expect("writable");
        let mut table = write.open_table(SINGLE_VALUES).expect("a table");
        table.insert("format_version", &*row).expect("writable");
        drop(table);
        write.commit().expect("writable");
    }

    /// The entity tag of an answer, which identifies the served generation.
    fn served_tag(&self) -> String {
        let answer = self.service().get("live", PATH, Some(&self.live_key));
        assert_eq!(answer.status, 200, "{}", answer.body);
        answer.header("etag").expect("a tag").to_owned()
    }

    fn program(&self) -> String {
        let script = fs::read_to_string(self.path("bin/postduif")).expect("a script");
        let name = script
            .lines()
            .nth(1)
            .and_then(|line| line.strip_prefix("# "));
        name.expect("its name").to_owned()
    }
}

/// Checks that the new program refuses data of the previous version and serves none of them.
fn check_last_version_is_refused(machine: &Machine) {
    let refused = machine.run(
        "postduif.new index apply --data /var/lib/postduif /var/lib/postduif-inbox/extract.zip",
    );
    let words = String::from_utf8_lossy(&refused.stderr);
    assert_eq!(refused.status.code(), Some(2), "{words}");
    let too_early = Service::start(&machine.path("data"), &[]);
    let ready = || too_early.get("admin", "/health/ready", None);
    wait_until("the new program says why it is not ready", || {
        ready()
            .body
            .contains("rebuild it with `postduif index build`")
    });
    assert_eq!(ready().status, 503);
}

#[test]
fn the_runbook_upgrades_across_a_layout_change_and_rolls_back() {
    let mut machine = Machine::start();
    wait_until("the old program is ready", || {
        machine.service().get("admin", "/health/ready", None).status == 200
    });
    let (old, old_tag) = (machine.current(), machine.served_tag());
    for block in blocks("Back up") {
        machine.run_block(&block);
    }

    let upgrade = blocks("Upgrade");
    let [check, build, replace] = &upgrade[..] else {
        panic!("the runbook has other steps: {upgrade:?}");
    };
    machine.set_layout(old, LAYOUT_VERSION - 1);
    machine.set_last_register_format();
    let listed = machine.run_block(check);
    let refusal = format!(
        "layout {}, but this postduif reads layout {LAYOUT_VERSION}; rebuild it with `postduif index build`",
        LAYOUT_VERSION - 1
    );
    assert!(
        listed.contains("cannot be served") && listed.contains(&refusal),
        "{listed}"
    );
    check_last_version_is_refused(&machine);
    assert_eq!(
        machine.served_tag(),
        old_tag,
        "the old service still answers"
    );

    // The old program must find a newer layout. Pause it until the test has given the new generation the next version.
    let pid = machine.service().id();
    signal(pid, Signal::STOP);
    machine.run_block(build);
    let new = machine.current();
    assert_ne!(new, old);
    machine.set_layout(new, LAYOUT_VERSION + 1);
    signal(pid, Signal::CONT);
    wait_until("the old program refuses the new generation", || {
        machine
            .service()
            .metric("postduif_generation_reload_failing")
            == Some(1.0)
    });
    assert_eq!(
        machine.served_tag(),
        old_tag,
        "the old service still answers"
    );

    machine.set_layout(new, LAYOUT_VERSION);
    machine.run_block(replace);
    assert_eq!(machine.program(), "postduif.new");
    let new_tag = machine.served_tag();
    assert_ne!(new_tag, old_tag);
    let [later_key, _] = open_account(&machine.path("data"));

    let back = blocks("Go back");
    let [stop, roll_back, restore, start] = &back[..] else {
        panic!("the runbook has other steps: {back:?}");
    };
    machine.run_block(stop);
    machine.set_layout(new, LAYOUT_VERSION + 1);
    machine.set_layout(old, LAYOUT_VERSION);
    assert!(roll_back[0].contains(EXAMPLE), "{roll_back:?}");
    machine.run_block(&[&roll_back[0].replace(EXAMPLE, &old.to_string())]);
    machine.run_block(restore);
    machine.run_block(start);
    assert_eq!(
        (machine.program().as_str(), machine.current()),
        ("postduif", old)
    );
    assert_eq!(machine.served_tag(), old_tag);
    let later = machine.service().get("live", PATH, Some(&later_key));
    assert_eq!(later.status, 401, "its account was made after the backup");
}
