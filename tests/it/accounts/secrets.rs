//! Checks that no secret of the service appears in files, database dumps, debug logs, metrics, e-mails, answers, command output, or
//! in what the kernel shows of the process.

mod requests;

use std::fs;
use std::path::Path;
use std::process::Command;

use self::requests::send_everywhere;
use super::{PATH, unreachable_database};
use crate::data_dir::village_folder;
use crate::mail_sink::Sink;
use crate::postgres::Server;
use crate::process::{
    Service, enterprise, open_account, open_account_with, postduif, run, run_json, wait_until,
    words,
};
use crate::scratch;
use crate::tools;

/// The passwords in the URLs of the database and the mail server.
const PASSWORDS: [&str; 2] = ["geheim-van-de-gegevens", "geheim-van-de-post"];

const DEBUG_LOG: [&str; 2] = ["--log", "trace"];

/// Returns the bytes of all files below a folder.
fn bytes_of(folder: &Path) -> Vec<u8> {
    let entries = fs::read_dir(folder)
        .expect("a folder")
        .map(|entry| entry.expect("an entry").path());
    entries
        .flat_map(|path| match path.is_dir() {
            true => bytes_of(&path),
            // A missing file counts as empty, because SQLite may delete its write-ahead log at any time.
            false => fs::read(&path).unwrap_or_default(),
        })
        .collect()
}

fn contains_text(bytes: &[u8], text: &str) -> bool {
    // In a debug build, `str::contains` is far faster than a comparison of every window of bytes.
    String::from_utf8_lossy(bytes).contains(text)
}

/// Makes calls until the request log contains the line of one of them, because refused calls have at most one line in a second. The log then
/// also contains the lines of all earlier calls.
fn until_logged(service: &Service, folder: &Path, key: &str) {
    let log = folder.join("requests");
    let mut ids = Vec::new();
    wait_until("the request log has one of the last calls", || {
        let last = service.get("live", PATH, Some(key));
        let id = last.header("x-request-id");
        ids.push(id.expect("every answer has one").to_owned());
        let logged = match log.is_dir() {
            true => bytes_of(&log),
            false => Vec::new(),
        };
        ids.iter().any(|id| contains_text(&logged, id))
    });
}

/// The keys that a command printed when it created them. They must not appear anywhere else.
struct Keys {
    all: Vec<String>,
}

impl Keys {
    #[track_caller]
    fn assert_not_in(&self, place: &str, bytes: impl AsRef<[u8]>) {
        let bytes = bytes.as_ref();
        assert!(!bytes.is_empty(), "{place}: nothing to search");
        for (number, key) in self.all.iter().enumerate() {
            // The environment, the tag and the next eight letters are not secret, and the debug log shows them. So search for three
            // parts of the other characters.
            let parts = [&key[24..32], &key[28..36], &key[32..40]];
            let found = parts.iter().any(|part| contains_text(bytes, part));
            assert!(!found, "key {number} is in {place}");
        }
    }
}

/// Runs the commands that show accounts, keys, usage and settings; returns their output.
fn output_of_commands(data: &Path, more: &[&str]) -> Vec<u8> {
    let data = data.to_str().expect("UTF-8");
    let commands: [&[&str]; 6] = [
        &["keys", "list"],
        &["keys", "list", "--json"],
        &["accounts", "list"],
        &["accounts", "list", "--json"],
        &["usage", "show", "--json"],
        &["config", "check", "--settings-only"],
    ];
    let outputs = commands.iter().map(|command| {
        let output = run(&[command, &["--data", data][..], more].concat());
        assert!(
            output.status.success(),
            "{command:?}: {}",
            String::from_utf8_lossy(&output.stderr)
        );
        [output.stdout, output.stderr].concat()
    });
    outputs.collect::<Vec<_>>().concat()
}

/// Reads what the kernel shows about a process to the owner of the process.
fn kernel_view(service: &Service) -> Vec<u8> {
    let files = ["cmdline", "environ", "comm", "status"];
    let files =
        files.map(|file| fs::read(format!("/proc/{}/{file}", service.id())).expect("Linux"));
    files.concat()
}

#[test]
fn a_key_in_place_of_an_id_is_refused_without_its_secret() {
    let folder = village_folder();
    let [live, _] = open_account(folder.path());
    let data = folder.path().to_str().expect("UTF-8");
    for arguments in [
        ["keys", "revoke", &live],
        ["keys", "rotate", &live],
        ["keys", "list", &format!("--account={live}")],
        ["usage", "show", &format!("--key={live}")],
    ] {
        let output = run(&[&arguments[..], &["--data", data]].concat());
        assert!(!output.status.success(), "{arguments:?}");
        let message = String::from_utf8_lossy(&output.stderr);
        assert!(!message.contains(&live[16..32]), "{message}");
        assert!(message.contains(&format!("{}…", &live[..16])), "{message}");
    }
}

#[test]
fn no_key_is_left_in_files_or_output() {
    let folder = village_folder();
    let [live, test] = open_account_with(folder.path(), &words(&enterprise(100, 100_000)));
    let account = run_json(folder.path(), &["accounts", "list", "--json"])[0]["id"].clone();
    let account = account.as_str().expect("an id");
    let made = run_json(
        folder.path(),
        &["keys", "create", "--json", "--account", account],
    );
    let [revoked, id] = ["key", "id"].map(|name| made[name].as_str().expect("a text").to_owned());
    run_json(folder.path(), &["keys", "revoke", "--json", &id]);
    let keys = Keys {
        all: vec![live.clone(), test, revoked],
    };
    let sink = Sink::start(&[]);
    let mails = sink.as_ref().map(|sink| {
        [
            "--smtp-url".to_owned(),
            sink.url(),
            "--mail-from".to_owned(),
            "a@example.org".to_owned(),
        ]
    });
    let mut settings = DEBUG_LOG.to_vec();
    settings.extend(mails.iter().flatten().map(String::as_str));
    let mut service = Service::start(folder.path(), &settings);
    let mistyped = live.replace("pd_live_", "pd_test_");
    for key in keys.all.iter().chain([&mistyped]) {
        keys.assert_not_in("an answer", send_everywhere(&service, key));
    }
    keys.assert_not_in("the metrics", service.get("admin", "/metrics", None).body);
    keys.assert_not_in("the kernel's view of the process", kernel_view(&service));
    keys.assert_not_in(
        "what commands print",
        output_of_commands(folder.path(), &[]),
    );
    if let Some(sink) = &sink {
        while service.get("live", PATH, Some(&live)).status == 200 {}
        wait_until("the notices arrive", || sink.count() == 2);
        let mails: Vec<String> = sink.all().iter().map(ToString::to_string).collect();
        keys.assert_not_in("the mails", mails.concat());
    }
    until_logged(&service, folder.path(), &live);
    let with_log_of_database = bytes_of(folder.path());
    service.hang_up();
    service.terminate();
    assert_eq!(service.wait().code(), Some(0));
    // The log arrives through a pipe, so its last lines may arrive after the process has ended.
    wait_until("the log is complete", || {
        service.log().contains("\"stopped\"")
    });
    let log = service.log();
    for word in ["/v1/nowhere", "TRACE"] {
        assert!(log.contains(word), "the log has no {word}");
    }
    keys.assert_not_in("the log", log);
    for files in [with_log_of_database, bytes_of(folder.path())] {
        assert!(
            contains_text(&files, "lookup"),
            "the request log is there to be searched"
        );
        keys.assert_not_in("the files", files);
    }
}

#[test]
fn a_postgresql_node_leaves_no_key_and_no_password_behind() {
    let Some(dump) = tools::program("pg_dump") else {
        return;
    };
    let Some(server) = Server::start() else {
        return;
    };
    let folder = village_folder();
    let [password, _] = PASSWORDS;
    let plain = server.url("postgres");
    let url = plain.replace("postduif@", &format!("postduif:{password}@"));
    let [live, test] = open_account_with(folder.path(), &["--plan", "pro", "--database-url", &url]);
    let keys = Keys {
        all: vec![live.clone(), test],
    };
    let mut command = postduif();
    command
        .arg("serve")
        .arg("--data")
        .arg(folder.path())
        .args(DEBUG_LOG);
    // Every user of the machine can read the flags of a process, so the URL is in an environment variable.
    command.env("POSTDUIF_DATABASE_URL", &url);
    let mut service = Service::start_by(command);
    service.wait_until_key_works(&live);
    keys.assert_not_in("an answer", send_everywhere(&service, &live));
    let figures = service.get("admin", "/metrics", None).body;
    let command_line = fs::read(format!("/proc/{}/cmdline", service.id())).expect("Linux");
    let printed = output_of_commands(folder.path(), &["--database-url", &url]);
    server.pg_ctl_stop();
    wait_until("the log reports the unavailable database", || {
        service.log().contains("database is unavailable")
    });
    service.get("live", PATH, Some(&live));
    server.pg_ctl_start();
    wait_until("the log reports the available database", || {
        service.log().contains("database is available")
    });
    until_logged(&service, folder.path(), &live);
    service.terminate();
    assert_eq!(service.wait().code(), Some(0));
    wait_until("the log is complete", || {
        service.log().contains("\"stopped\"")
    });
    let dumped = Command::new(dump)
        .args(["--dbname", &plain])
        .output()
        .expect("pg_dump runs");
    assert!(
        dumped.status.success(),
        "{}",
        String::from_utf8_lossy(&dumped.stderr)
    );
    assert!(
        contains_text(&dumped.stdout, "@example.org"),
        "the account is in the dump"
    );
    let log = service.log();
    for (place, bytes) in [
        ("the metrics", figures.as_bytes()),
        ("the command line", &command_line),
        ("what commands print", &printed),
        ("the log", log.as_bytes()),
        ("the dump", &dumped.stdout),
        ("the files", &bytes_of(folder.path())),
    ] {
        keys.assert_not_in(place, bytes);
        assert!(
            !contains_text(bytes, password),
            "the password is in {place}"
        );
    }
}

#[test]
fn invalid_settings_show_no_password() {
    let folder = scratch::folder();
    let file = folder.path().join("postduif.toml");
    let [data, mail] = PASSWORDS;
    let database = format!("database_url = \"postgres://postduif:{data}@127.0.0.1:1/accounts\"\n");
    let server = format!(
        "smtp_url = \"smtp://postduif:{mail}@127.0.0.1:1\"\nmail_from = \"a@example.org\"\n"
    );
    let sound = format!("{database}{server}");
    let files = [
        (true, sound.clone()),
        (false, sound.replace("accounts\"", "accounts")),
        (false, sound.replace(":1\"\n", ":1'\n")),
        (false, sound.replace("\"smtp", "smtp")),
        (false, format!("{sound}{sound}")),
        (false, sound.replace("_url = ", "_url: ")),
        (false, sound.replace("smtp_url", "smtp_ur")),
        (false, sound.replace("postgres://", "mysql://")),
        (false, sound.replace("smtp://", "snmp://")),
        (false, sound.replace("smtp://", "")),
        (
            false,
            sound
                .replace("smtp_url = ", "smtp_url = [")
                .replace(":1\"\n", ":1\"]\n"),
        ),
        (false, format!("[mail]\n{sound}")),
        (false, format!("{sound}listen = \"here\"\n")),
    ];
    for (is_sound, text) in files {
        fs::write(&file, &text).expect("writes");
        let path = file.to_str().expect("UTF-8");
        let checked = run(&["config", "check", "--settings-only", "--config", path]);
        assert_eq!(checked.status.success(), is_sound, "{text}");
        let tried = run(&["config", "check", "--config", path]);
        let message = [checked.stdout, checked.stderr, tried.stdout, tried.stderr].concat();
        let message = String::from_utf8_lossy(&message);
        for password in PASSWORDS {
            assert!(
                !message.contains(password),
                "{text} is printed as {message}"
            );
        }
        if !is_sound {
            let served = run(&["serve", "--config", path]);
            let message = String::from_utf8_lossy(&served.stderr);
            assert!(
                !PASSWORDS.iter().any(|password| message.contains(password)),
                "{message}"
            );
        }
    }
    // Now start the service itself. Its database closes every connection, so the log reports the failure.
    let away = unreachable_database().replace("postduif@", &format!("postduif:{data}@"));
    let away = format!("database_url = \"{away}\"\n{server}");
    fs::write(&file, away).expect("writes");
    let mut command = postduif();
    command
        .args(["serve", "--log", "trace", "--create-data", "--data"])
        .arg(folder.path().join("data"))
        .arg("--config")
        .arg(&file);
    let service = Service::start_by(command);
    wait_until("the log reports the unavailable database", || {
        service.log().contains("database is unavailable")
    });
    let message = service.log() + &service.get("admin", "/metrics", None).body;
    assert!(
        !PASSWORDS.iter().any(|password| message.contains(password)),
        "{message}"
    );
}

/// The memory of the service contains settings and requests, so a crash must not write the memory to disk.
#[test]
fn a_crash_leaves_no_core_dump() {
    let folder = village_folder();
    let service = Service::start(folder.path(), &[]);
    let limits = fs::read_to_string(format!("/proc/{}/limits", service.id())).expect("Linux");
    let cores = limits
        .lines()
        .find(|line| line.starts_with("Max core file size"));
    let words: Vec<&str> = cores.expect("a limit").split_whitespace().collect();
    // The service sets the limit to 1 byte, unless it inherited a limit of 0.
    assert!(["0", "1"].contains(&words[4]), "{limits}");
}
