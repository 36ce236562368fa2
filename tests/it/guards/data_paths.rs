//! Checks that a missing data folder is an error, unless the command creates the folder.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use super::{end_of, stderr_of};
use crate::data_dir::village_folder;
use crate::process::{Service, open_account, postduif, run, wait_until, words};
use crate::scratch;

/// Every command that needs an existing data folder, with the arguments that it requires.
const COMMANDS: [&str; 29] = [
    "serve",
    "check addresses.csv",
    "config check",
    "healthcheck",
    "index apply delivery.zip",
    "index watch --inbox / --once",
    "index fetch --inbox /no/such/inbox",
    "index list",
    "index verify",
    "index rollback",
    "index prune",
    "index publish --to file:///no/such/bucket",
    "index publications --from file:///no/such/bucket",
    "index diff",
    "index export",
    "accounts create --email a@example.org --plan free",
    "accounts list",
    "accounts show a@example.org",
    "accounts set-plan a@example.org --plan free",
    "accounts set-email a@example.org --email b@example.org",
    "accounts close a@example.org",
    "accounts backup --to /no/such/folder/backup.db",
    "accounts restore --from /no/such/folder/backup.db",
    "keys create --account a@example.org",
    "keys rotate 00000000-0000-0000-0000-000000000000 --grace 7d",
    "keys revoke 00000000-0000-0000-0000-000000000000",
    "keys list",
    "usage show",
    "usage export --month 2026-11",
];

/// The commands that create a missing data folder or use no data folder.
const EXEMPT: [&str; 5] = ["demo", "index build", "compare", "openapi", "help"];

#[test]
fn every_command_refuses_a_data_folder_that_does_not_exist() {
    let folder = scratch::folder();
    let data = folder.path().join("no/such/data");
    let expected = format!(
        "the folder {} does not exist; the nearest existing path is {}. ",
        data.display(),
        folder.path().display()
    );
    for command in COMMANDS {
        let message = stderr_of(&words(command), &data, 64);
        assert!(message.contains(&expected), "{command:?}: {message}");
        assert!(message.contains("--create-data"), "{command:?}: {message}");
        let mut left = fs::read_dir(folder.path()).expect("a folder");
        assert!(left.next().is_none(), "{command:?} creates something");
    }
}

/// The names of the subcommands in the help text of a command.
fn subcommands(of: &[&str]) -> Vec<String> {
    let help = run(&[of, &["--help"]].concat()).stdout;
    let help = String::from_utf8(help).expect("UTF-8");
    let lines = help.lines().skip_while(|line| *line != "Commands:").skip(1);
    let names = lines.take_while(|line| !line.is_empty());
    names
        .filter(|line| line.starts_with("  ") && !line.starts_with("   "))
        .filter_map(|line| line.split_whitespace().next())
        .map(str::to_owned)
        .collect()
}

/// A new command must be added to `COMMANDS` or `EXEMPT`.
#[test]
fn every_command_is_tested_or_exempt() {
    let mut found = BTreeSet::new();
    for name in subcommands(&[]) {
        let below = subcommands(&[&name]);
        if below.is_empty() || EXEMPT.contains(&&*name) {
            found.insert(name);
            continue;
        }
        let below = below.iter().filter(|below| *below != "help");
        found.extend(below.map(|below| format!("{name} {below}")));
    }
    assert!(found.contains("serve") && found.contains("keys revoke"));
    let is_tried = |name: &&String| {
        let is_start = |command: &&str| command.starts_with(name.as_str());
        EXEMPT.contains(&name.as_str()) || COMMANDS.iter().any(is_start)
    };
    let missing: Vec<&String> = found.iter().filter(|name| !is_tried(name)).collect();
    assert!(missing.is_empty(), "add to COMMANDS: {missing:?}");
}

#[test]
fn a_folder_from_the_environment_must_exist_too() {
    let folder = scratch::folder();
    let data = folder.path().join("data");
    let ran = |arguments: &[&str]| {
        let mut command = postduif();
        command.args(arguments).env("POSTDUIF_DATA", &data);
        end_of(command)
    };
    for command in [&["serve"][..], &["keys", "list"], &["index", "list"]] {
        let (code, message) = ran(command);
        assert_eq!(code, Some(64), "{command:?}: {message}");
        assert!(message.contains("does not exist"), "{message}");
    }
    let (code, message) = ran(&["config", "check"]);
    assert_eq!(code, Some(64), "{message}");
    assert!(message.contains("does not exist"), "{message}");
    assert_eq!(ran(&["config", "check", "--settings-only"]).0, Some(0));
    // `healthcheck` does not use the data folder, so it does not fail if the mount is gone and the service still answers.
    let (_, message) = ran(&["healthcheck", "--admin-listen", "127.0.0.1:1"]);
    assert!(message.contains("checking 127.0.0.1:1"), "{message}");
    let accounts = folder.path().join("accounts.db");
    let url = format!("sqlite://{}?mode=rwc", accounts.display());
    let (code, message) = ran(&["accounts", "list", "--database-url", &url]);
    assert_eq!(code, Some(0), "{message}");
    assert!(!data.exists());
}

#[test]
fn a_file_is_no_data_folder() {
    let folder = scratch::folder();
    let file = folder.path().join("data");
    fs::write(&file, "").expect("writes");
    let message = stderr_of(&["index", "list"], &file, 64);
    assert!(message.contains("is a file"), "{message}");
    let message = stderr_of(&["index", "list"], &file.join("data"), 64);
    let nearest = format!("the nearest existing path is {}. ", file.display());
    assert!(message.contains(&nearest), "{message}");
}

#[test]
fn an_empty_data_folder_is_accepted() {
    let folder = scratch::folder();
    stderr_of(&["index", "list"], folder.path(), 0);
    let inbox = scratch::folder();
    let inbox = inbox.path().to_str().expect("UTF-8");
    let watch = ["index", "watch", "--once", "--inbox", inbox];
    stderr_of(&watch, folder.path(), 0);
    let folder = scratch::folder();
    let service = Service::start(folder.path(), &[]);
    assert_eq!(service.get("admin", "/health/live", None).status, 200);
}

#[test]
fn create_data_creates_the_folder() {
    let folder = scratch::folder();
    let data = |name: &str| folder.path().join(name).join("below/data");
    let inbox = scratch::folder();
    let inbox = inbox.path().to_str().expect("UTF-8");
    for (name, command) in [
        ("list", &["index", "list"][..]),
        ("watch", &["index", "watch", "--once", "--inbox", inbox]),
        ("keys", &["keys", "list"]),
        ("usage", &["usage", "show"]),
    ] {
        let command = [command, &["--create-data"]].concat();
        stderr_of(&command, &data(name), 0);
        assert!(data(name).is_dir(), "{name}");
        // The flag is accepted even if the folder exists.
        stderr_of(&command, &data(name), 0);
    }
    let service = Service::start(&data("serve"), &["--create-data"]);
    wait_until("the service has made its accounts database", || {
        data("serve").join("accounts.db").exists()
    });
    assert_eq!(service.get("admin", "/health/live", None).status, 200);
    // A check of the settings does not create the folder.
    let free =
        ["listen", "sandbox-listen", "admin-listen"].map(|name| format!("--{name}=127.0.0.1:0"));
    let free = free.iter().map(String::as_str);
    let check: Vec<&str> = ["config", "check", "--create-data"]
        .into_iter()
        .chain(free)
        .collect();
    stderr_of(&check, &data("check"), 0);
    assert!(!data("check").exists());
}

#[test]
fn a_backup_is_restored_into_a_new_folder() {
    let folder = village_folder();
    open_account(folder.path());
    let backup = folder.path().join("backup.db");
    let backup = backup.to_str().expect("UTF-8");
    stderr_of(&["accounts", "backup", "--to", backup], folder.path(), 0);
    let restored = folder.path().join("restored/data");
    let restore = ["accounts", "restore", "--from", backup];
    stderr_of(&restore, &restored, 64);
    assert!(!Path::new(&restored).exists());
    stderr_of(&[&restore[..], &["--create-data"]].concat(), &restored, 0);
    assert!(restored.join("accounts.db").exists());
}
