//! Applies the container's restrictions to plain processes: another user without capabilities, and a file system that is read-only
//! except for one folder.

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};

use postduif_schema::DataFolder;
use tempfile::TempDir;

use crate::addresses::village;
use crate::generation::publish;
use crate::process::{Service, open_account, postduif, run, wait_until};
use crate::scratch;
use crate::tools::{optional_program, skip_as_not_permitted};

const PATH: &str = "/v3/lookup/1234AB/29";
const UNPRIVILEGED_USER: u32 = 65_534;

/// Builds a command that runs as another user and can write only below `own`. Returns `None`, and records the test as skipped, if
/// the machine forbids this.
fn confined(own: &Path, read_only: &Path, words: &[&str]) -> Option<Command> {
    let tools = optional_program("unshare").zip(optional_program("setpriv"));
    let permitted = |unshare: &Path| {
        let tried = Command::new(unshare)
            .args(["--mount", "true"])
            .stderr(Stdio::null())
            .status();
        tried.is_ok_and(|status| status.success())
    };
    let Some((unshare, _)) = tools.filter(|(unshare, _)| permitted(unshare)) else {
        skip_as_not_permitted("to mount in a namespace of its own");
        return None;
    };
    let script = r#"
        mount --bind "$OWN" "$OWN" && mount --bind "$READ_ONLY" "$READ_ONLY" || exit 90
        for at in / /tmp /dev/shm "$READ_ONLY"; do
            if mountpoint --quiet "$at"; then mount --options remount,ro,bind "$at" || exit 91; fi
        done
        # OWN is inside a folder that is read-only now, and must stay writable.
        mount --options remount,rw,bind "$OWN" || exit 92
        exec setpriv --reuid 65534 --regid 65534 --clear-groups --no-new-privs --bounding-set=-all "$@"
    "#;
    let mut command = Command::new(unshare);
    command.args([
        "--mount", "--propagation", "private", "sh", "-c", script, "sh",
    ]);
    command
        .args(words)
        .env("OWN", own)
        .env("READ_ONLY", read_only);
    Some(command)
}

/// The path of postduif and its arguments.
fn words<'a>(binary: &'a str, more: &[&'a str]) -> Vec<&'a str> {
    [&[binary], more].concat()
}

fn text(path: &Path) -> &str {
    path.to_str().expect("a temporary path is UTF-8")
}

/// A folder that every user may enter, with one folder for data and one for read-only files.
fn folders() -> (TempDir, [String; 2]) {
    let folder = scratch::folder();
    open_to_all(folder.path());
    let both = ["own", "other"].map(|name| {
        let path = folder.path().join(name);
        fs::create_dir(&path).expect("a new folder");
        text(&path).to_owned()
    });
    (folder, both)
}

fn open_to_all(folder: &Path) {
    use std::os::unix::fs::PermissionsExt as _;
    fs::set_permissions(folder, fs::Permissions::from_mode(0o755)).expect("the test may remove it");
}

/// Gives a folder and its content to the unprivileged user, if permitted.
fn change_owner(folder: &str) {
    let owner = format!("{UNPRIVILEGED_USER}:{UNPRIVILEGED_USER}");
    // Ignore an error: where chown is forbidden, mounting in `confined` is forbidden as well, and the test is skipped.
    Command::new("chown")
        .args(["-R", &owner, folder])
        .status()
        .ok();
}

fn village_in(folder: &str) -> [String; 2] {
    publish(&DataFolder::new(folder), "2026-01-01-1", &village());
    open_account(Path::new(folder))
}

/// The user id of a process. Source: proc(5), `Uid`.
fn user_of(service: &Service) -> String {
    let status = fs::read_to_string(format!("/proc/{}/status", service.id()));
    let status = status.expect("proc is readable");
    let line = status.lines().find_map(|line| line.strip_prefix("Uid:\t"));
    line.expect("a user")
        .split('\t')
        .next()
        .expect("a number")
        .to_owned()
}

fn assert_serves(service: &Service, live: &str) {
    wait_until("it answers", || {
        service.get("live", PATH, Some(live)).status == 200
    });
    let admin = service.address("admin").to_string();
    // Retry, because the health check times out after two seconds, which may be too short on a busy machine.
    wait_until("the health check passes", || {
        run(&["healthcheck", "--admin-listen", &admin])
            .status
            .success()
    });
    assert_eq!(user_of(service), UNPRIVILEGED_USER.to_string());
}

#[test]
fn another_user_serves_with_only_the_data_folder() {
    let (_folder, [own, other]) = folders();
    let [live, _] = village_in(&own);
    change_owner(&own);
    change_owner(&other);
    let binary = postduif().get_program().to_owned();
    let binary = binary.to_str().expect("UTF-8");
    let (at, elsewhere) = (Path::new(&own), Path::new(&other));
    let touch = ["touch", &format!("{other}/x"), &format!("{own}/x")].map(str::to_owned);
    let touch: Vec<&str> = touch.iter().map(String::as_str).collect();
    let Some(mut closed) = confined(at, elsewhere, &touch) else {
        return;
    };
    assert_eq!(
        closed.output().expect("it runs").status.code(),
        Some(1),
        "one of the two folders cannot be written"
    );
    assert!(at.join("x").exists() && !elsewhere.join("x").exists());

    let command = confined(at, elsewhere, &words(binary, &["serve", "--data", &own]));
    let service = Service::start_by(command.expect("permitted"));
    assert_serves(&service, &live);
    wait_until("the request log is written", || {
        at.join("requests").is_dir()
    });
}

#[test]
fn generations_may_be_read_only_if_accounts_are_elsewhere() {
    let (_folder, [own, other]) = folders();
    let [live, _] = village_in(&other);
    let accounts = Path::new(&own).join("accounts.db");
    fs::rename(Path::new(&other).join("accounts.db"), &accounts).expect("a file");
    change_owner(&own);
    change_owner(&other);
    let url = format!("sqlite://{}", text(&accounts));
    let binary = postduif().get_program().to_owned();
    let binary = binary.to_str().expect("UTF-8");
    let words = words(binary, &["serve", "--data", &other, "--database-url", &url]);
    let Some(command) = confined(Path::new(&own), Path::new(&other), &words) else {
        return;
    };
    let service = Service::start_by(command);
    assert_serves(&service, &live);
    // The service reports that it can write the request log nowhere.
    wait_until("it is reported", || {
        let page = service.get("admin", "/metrics", None).body;
        let dropped = "postduif_request_log_dropped_total{cause=\"write_failed\"} ";
        let count = page.lines().find_map(|line| line.strip_prefix(dropped));
        count.is_some_and(|count| count != "0")
    });
}
