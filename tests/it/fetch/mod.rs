//! Tests `postduif index fetch` and `index watch --fetch` with a server on loopback that imitates the servers of Kadaster and PDOK.
//! These tests do not use the real servers.

mod daily;
mod disk;
mod login;
mod monthly;
pub(crate) mod server;
mod transfers;
mod watching;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::LazyLock;

use jiff::ToSpan as _;
use jiff::civil::Date;
use serde_json::Value;
use tempfile::TempDir;

use crate::apply::made::mutations;
use crate::delivery::municipal;
use crate::process::postduif;
use crate::scratch;
pub(crate) use server::{FileServer, Reply};
use server::{ReceivedRequest, ServedFile};

/// The stall timeout of tests in which no server stalls. Even on a busy machine, the test server sends within this time.
const STALL_S: u32 = 60;

/// Returns a day relative to the day on which the tests began. The tests use recent days, because the command also fetches the
/// extract if there were no mutations for a week.
fn day(offset: i64) -> Date {
    static TODAY: LazyLock<Date> = LazyLock::new(|| jiff::Zoned::now().date());
    TODAY.checked_add(offset.days()).expect("near today")
}

/// The extract of a municipality on a day.
fn extract(stand: Date) -> Vec<u8> {
    municipal().of_day(&stand.to_string()).pack()
}

/// The mutations of one day.
fn mutation(from: Date) -> Vec<u8> {
    let to = from.tomorrow().expect("near today");
    mutations(&from.to_string(), &to.to_string(), &[]).pack()
}

fn mutation_name(from: Date) -> String {
    let to = from.tomorrow().expect("near today");
    format!(
        "BAGNLDM-{}-{}.zip",
        from.strftime("%d%m%Y"),
        to.strftime("%d%m%Y")
    )
}

/// The JSON list of these days, with URLs relative to the list.
fn list(days: &[Date]) -> String {
    let entry = |from: &Date| {
        let (name, bytes) = (mutation_name(*from), mutation(*from).len());
        serde_json::json!({ "naam": name, "url": format!("files/{name}"), "grootte": bytes })
    };
    Value::from_iter(days.iter().map(entry)).to_string()
}

/// Answers a request for the mutations of a day. The path has the day.
fn serve_mutation(request: &ReceivedRequest) -> Reply {
    let name = request.path.rsplit('/').next().unwrap_or_default();
    let days = (-60..60).map(day);
    let found = days.into_iter().find(|from| mutation_name(*from) == name);
    found.map_or_else(
        || Reply::status(404),
        |from| Reply::file(request, &ServedFile::new(mutation(from), name, from)),
    )
}

/// A data folder, an inbox, and a table of municipalities.
struct FetchWorkspace(TempDir);

impl FetchWorkspace {
    fn new() -> Self {
        let folder = scratch::folder();
        fs::create_dir(folder.path().join("inbox")).expect("writable");
        // The built-in table of municipalities ends before today and has no Weesp after 2022. So the workspace has its own table.
        let table = "code,name,province\n0457,Weesp,Noord-Holland\n";
        fs::write(folder.path().join("municipalities.csv"), table).expect("writable");
        fs::create_dir(folder.path().join("data")).expect("writable");
        Self(folder)
    }

    /// A workspace with a data folder that serves the extract of a day.
    fn serving(stand: Date) -> Self {
        let workspace = Self::new();
        let delivery = workspace.0.path().join("extract.zip");
        fs::write(&delivery, extract(stand)).expect("writable");
        let mut build = postduif();
        build
            .args(["index", "build", "--data"])
            .arg(workspace.data());
        build
            .arg("--municipalities")
            .arg(workspace.municipalities());
        let output = build.arg("--extract").arg(&delivery).output();
        let output = output.expect("the binary runs");
        assert!(output.status.success(), "{}", stderr(&output));
        workspace
    }

    fn data(&self) -> PathBuf {
        self.0.path().join("data")
    }

    fn municipalities(&self) -> PathBuf {
        self.0.path().join("municipalities.csv")
    }

    /// Prepares `index watch` with options.
    fn watch(&self, options: &[&str]) -> Command {
        let mut command = crate::watch::watch(self.0.path(), options);
        command
            .env("NO_PROXY", "*")
            .arg("--municipalities")
            .arg(self.municipalities());
        command
    }

    fn inbox(&self) -> PathBuf {
        self.0.path().join("inbox")
    }

    /// Prepares `index fetch` with options. A server may be silent for `stall_s` seconds.
    fn command(&self, stall_s: u32, options: &[&str]) -> Command {
        let mut command = postduif();
        command
            .env("NO_PROXY", "*")
            .args(["index", "fetch", "--reserve-mib", "0"]);
        command.arg("--stall-timeout").arg(stall_s.to_string());
        command
            .arg("--data")
            .arg(self.data())
            .arg("--inbox")
            .arg(self.inbox());
        command.args(options);
        command
    }

    /// Runs `index fetch` with text output for people; returns this text.
    fn text(&self, options: &[String]) -> String {
        let mut command = self.command(STALL_S, &[]);
        let output = command.args(options).output().expect("the binary runs");
        String::from_utf8(output.stdout).expect("UTF-8")
    }

    /// Runs `index fetch` and checks the exit code; returns the report and the messages.
    #[track_caller]
    fn fetch(&self, options: &[&str], code: i32) -> (Value, String) {
        let mut command = self.command(STALL_S, options);
        let output = command.arg("--json").output().expect("the binary runs");
        let stderr = stderr(&output);
        assert_eq!(output.status.code(), Some(code), "{stderr}");
        let report = serde_json::from_slice(&output.stdout);
        (report.unwrap_or_default(), stderr)
    }

    /// The names of the deliveries in the inbox.
    fn deliveries(&self) -> Vec<String> {
        names_in(&self.inbox(), ".zip")
    }

    /// The names of unfinished downloads.
    fn parts(&self) -> Vec<String> {
        names_in(&self.inbox().join(".postduif-fetch"), ".part")
    }

    /// Asserts that the inbox has no delivery, finished or not.
    #[track_caller]
    fn assert_no_files(&self) {
        assert_eq!((self.deliveries(), self.parts()), (Vec::new(), Vec::new()));
    }

    fn delivery(&self, name: &str) -> Vec<u8> {
        fs::read(self.inbox().join(name)).expect("the delivery is in the inbox")
    }
}

fn names_in(folder: &Path, suffix: &str) -> Vec<String> {
    let entries = fs::read_dir(folder).into_iter().flatten();
    let names = entries.map(|entry| entry.expect("an entry").file_name());
    let names = names.map(|name| name.into_string().expect("UTF-8"));
    let mut names: Vec<String> = names.filter(|name| name.ends_with(suffix)).collect();
    names.sort();
    names
}

fn stderr(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

/// Returns the name that an extract gets in the inbox if its URL ends in `extract.zip`.
fn extract_name(stand: Date) -> String {
    format!("extract-{}.zip", stand.strftime("%d%m%Y"))
}
