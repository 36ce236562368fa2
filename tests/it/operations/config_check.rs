//! Checks that `config check` tries everything that the service needs, reports all mistakes at once, and changes nothing.

use std::io::{BufRead as _, BufReader, Write as _};
use std::net::{SocketAddr, TcpListener};
use std::path::Path;

use rustix::fs::{CWD, FileType, Mode, mknodat};

use crate::data_dir::village_folder;
use crate::process::{Service, open_account, postduif, run, words};
use crate::scratch;

/// Flags that bind the other two listeners to free ports.
const FREE_ADMIN: &str = "--sandbox-listen 127.0.0.1:0 --admin-listen 127.0.0.1:0";
const FREE: &str = "--listen 127.0.0.1:0 --sandbox-listen 127.0.0.1:0 --admin-listen 127.0.0.1:0";

/// Runs `config check` with these settings; returns the exit code, standard output and standard error.
fn check(data: &Path, more: &str) -> (Option<i32>, String, String) {
    let data = data.to_str().expect("a temporary path is UTF-8");
    let output = run(&words(&format!("config check --data {data} {more}")));
    let [out, error] =
        [output.stdout, output.stderr].map(|text| String::from_utf8(text).expect("UTF-8"));
    (output.status.code(), out, error)
}

fn listener() -> (TcpListener, String) {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a free port");
    let addr = listener.local_addr().expect("bound").to_string();
    (listener, addr)
}

/// Starts a mail server that accepts one client and answers 250 to every command; returns its URL.
fn mail_server() -> String {
    let (listener, addr) = listener();
    std::thread::spawn(move || {
        let (mut client, _) = listener.accept().expect("a client");
        let lines = BufReader::new(client.try_clone().expect("a socket")).lines();
        let mut answer = |text: &str| client.write_all(text.as_bytes()).is_ok();
        answer("220 mail.example.org\r\n");
        let _answered = lines
            .map_while(Result::ok)
            .all(|_| answer("250 mail.example.org\r\n"));
    });
    format!("smtp://{addr}")
}

#[test]
fn all_mistakes_are_reported_at_once() {
    let folder = scratch::folder();
    let (_taken, taken) = listener();
    let bucket = format!("file://{}/none", folder.path().display());
    let mistakes = format!(
        "{FREE_ADMIN} --listen {taken} --log infoo --max-connections 0 \
         --database-url postgres://u:geheim@127.0.0.1:1/none --smtp-url smtp://127.0.0.1:1 \
         --mail-from a@example.org --generations-from {bucket}"
    );
    let (code, _, error) = check(&folder.path().join("missing"), &mistakes);
    assert_eq!(code, Some(64), "{error}");
    for expected in [
        "log (--log): \"infoo\" is not valid",
        "max_connections (--max-connections): \"0\"",
        "  data: the folder ",
        &format!("  listen: binding {taken}: "),
        "  database_url: the accounts database failed: ",
        "  generations_from: ",
        "  smtp_url: the mail server cannot be used",
    ] {
        assert!(error.contains(expected), "no {expected:?} in {error}");
    }
    assert!(!error.contains("geheim"), "{error}");
}

#[test]
fn a_misspelt_variable_is_a_mistake_and_other_unknown_variables_are_listed() {
    let folder = scratch::folder();
    let (_taken, taken) = listener();
    let run = |command: &str, variable: &str| {
        let output = postduif()
            .args(words(command))
            .arg("--data")
            .arg(folder.path())
            .env(variable, "127.0.0.1:1")
            .output()
            .expect("the binary runs");
        let text =
            String::from_utf8_lossy(&output.stdout) + String::from_utf8_lossy(&output.stderr);
        (output.status.code(), text.into_owned())
    };
    let check = "config check --settings-only";
    let message = "POSTDUIF_LISTEM: no setting uses this variable; did you mean POSTDUIF_LISTEN?";
    let (code, text) = run(check, "POSTDUIF_LISTEM");
    assert_eq!(code, Some(64), "{text}");
    assert!(text.contains(message), "{text}");
    let (code, text) = run(check, "POSTDUIF_SERVICE_HOST");
    assert_eq!(code, Some(0), "{text}");
    assert!(
        text.contains("POSTDUIF_SERVICE_HOST: no setting uses this variable\n"),
        "{text}"
    );
    let (code, text) = run(check, "POSTDUIF_TEST_ALL");
    assert!(code == Some(0) && !text.contains("TEST_ALL"), "{text}");
    // The service warns, and then ends because its port is taken.
    let (code, text) = run(&format!("serve --listen {taken}"), "POSTDUIF_LISTEM");
    assert_eq!(code, Some(1), "{text}");
    assert!(text.contains("WARN") && text.contains(message), "{text}");
}

#[test]
fn each_unreachable_resource_fails_the_check() {
    #[track_caller]
    fn case(more: &str, expected: &str) {
        let folder = scratch::folder();
        let (code, out, error) = check(folder.path(), &format!("{FREE} {more}"));
        assert_eq!(code, Some(1), "{error}");
        assert!(error.contains(expected), "{error}");
        // The settings themselves are valid, so the command prints them.
        assert!(out.contains("max_connections"), "{out}");
        let (code, _, error) = check(folder.path(), &format!("{more} --settings-only"));
        assert_eq!(code, Some(0), "{error}");
    }
    case(
        "--database-url sqlite:///no/such/folder/accounts.db",
        "database_url: ",
    );
    case("--database-url postgres://127.0.0.1:1/a", "database_url: ");
    // Opening a named pipe for writing would wait for a reader.
    let folder = scratch::folder();
    let pipe = folder.path().join("accounts.db");
    mknodat(CWD, &pipe, FileType::Fifo, Mode::RUSR | Mode::WUSR, 0).expect("a pipe");
    case(
        &format!("--database-url sqlite:{}", pipe.display()),
        "not a regular file",
    );
    case(
        "--mail-from a@example.org --smtp-url smtp://127.0.0.1:1",
        "smtp_url: ",
    );
}

#[test]
fn two_listeners_on_one_port_are_reported_as_a_mistake() {
    let folder = scratch::folder();
    let (free, addr) = listener();
    drop(free);
    let same = format!("--listen {addr} --sandbox-listen {addr} --admin-listen 127.0.0.1:0");
    for more in ["", " --settings-only"] {
        let (code, _, error) = check(folder.path(), &format!("{same}{more}"));
        assert_eq!(code, Some(64), "{error}");
        let message = format!("sandbox_listen: {addr} is already the IP and port of listen");
        assert!(error.contains(&message), "{error}");
        assert!(!error.contains("binding"), "reported once: {error}");
    }
    // All IPs include this one. Only binding shows this mistake.
    let (any, port) = ("0.0.0.0", addr.rsplit(':').next().expect("a port"));
    let overlap =
        format!("--listen {addr} --sandbox-listen {any}:{port} --admin-listen 127.0.0.1:0");
    let (code, _, error) = check(folder.path(), &overlap);
    assert_eq!(code, Some(1), "{error}");
    let message = format!("sandbox_listen: binding {any}:{port}: ");
    assert!(error.contains(&message), "{error}");
}

#[test]
fn a_valid_configuration_passes_even_while_the_service_runs_and_nothing_changes() {
    let folder = village_folder();
    open_account(folder.path());
    let files = || {
        let entries = folder.path().read_dir().expect("a folder");
        let mut names: Vec<_> = entries
            .map(|entry| entry.expect("an entry").file_name())
            .collect();
        names.sort();
        names
    };
    let before = files();
    let url = mail_server();
    let mail = format!("{FREE} --mail-from a@example.org --smtp-url {url}");
    let (code, _, error) = check(folder.path(), &mail);
    assert_eq!(code, Some(0), "{error}");
    assert_eq!(files(), before);

    let service = Service::start(folder.path(), &[]);
    let [live, sandbox, admin] =
        ["live", "sandbox", "admin"].map(|name| SocketAddr::to_string(&service.address(name)));
    let ports = format!("--listen {live} --sandbox-listen {sandbox} --admin-listen {admin}");
    let (code, out, error) = check(folder.path(), &ports);
    assert_eq!(code, Some(0), "{error}");
    assert_eq!(
        out.matches("is in use, probably by the running postduif")
            .count(),
        3,
        "{out}"
    );
}
