//! Fetches the monthly extract once, and again when it has changed.

use std::sync::{Arc, Mutex};

use super::*;

#[test]
fn a_new_extract_is_fetched_once_and_the_next_one_when_it_appears() {
    let file = ServedFile::new(extract(day(-40)), "first", day(-38));
    let served = Arc::new(Mutex::new(file));
    let handler_file = served.clone();
    let server = FileServer::start(move |request, _| {
        Reply::file(request, &handler_file.lock().expect("no panic"))
    });
    let (workspace, url) = (
        FetchWorkspace::new(),
        server.url("/v1/extract.zip?key=secret"),
    );
    let options = ["--extract-url", url.as_str()];
    let (report, _) = workspace.fetch(&options, 0);
    let name = extract_name(day(-40));
    assert_eq!(workspace.deliveries(), [name.as_str()]);
    assert_eq!(workspace.delivery(&name), extract(day(-40)));
    assert_eq!(report["mode"], "monthly");
    assert_eq!(report["fetched"][0]["name"], name);
    assert_eq!(report["stand"], day(-40).to_string());

    // An extract that waits in the inbox or was applied is not downloaded again.
    let (report, _) = workspace.fetch(&options, 0);
    assert_eq!(report["fetched"], serde_json::json!([]));
    assert_eq!(
        server.received()[1].header("if-none-match"),
        Some("\"first\"")
    );
    let inbox = workspace.inbox();
    fs::create_dir(inbox.join("applied")).expect("writable");
    fs::rename(inbox.join(&name), inbox.join("applied").join(&name)).expect("writable");
    workspace.fetch(&options, 0);
    assert_eq!(
        server.received()[2].header("if-none-match"),
        Some("\"first\"")
    );

    *served.lock().expect("no panic") = ServedFile::new(extract(day(-10)), "second", day(-8));
    workspace.fetch(&options, 0);
    assert_eq!(workspace.deliveries(), [extract_name(day(-10))]);
    assert_eq!(workspace.parts(), [""; 0]);
    let state = fs::read_to_string(inbox.join(".postduif-fetch/state.json"));
    assert!(!state.expect("a state").contains("secret"));
}

#[test]
fn an_extract_that_is_not_newer_than_the_register_is_not_downloaded() {
    let file = ServedFile::new(extract(day(-12)), "old", day(-10));
    let server = FileServer::start(move |request, _| Reply::file(request, &file));
    let (workspace, url) = (
        FetchWorkspace::serving(day(-10)),
        server.url("/extract.zip"),
    );
    let (report, _) = workspace.fetch(&["--extract-url", &url], 0);
    assert_eq!(report["fetched"], serde_json::json!([]));
    assert_eq!(workspace.parts(), [""; 0]);
    workspace.fetch(&["--extract-url", &url], 0);
    assert_eq!(
        server.received()[1].header("if-none-match"),
        Some("\"old\"")
    );
    assert_eq!(workspace.deliveries(), [""; 0]);
}

/// The `Last-Modified` of the extract is later than the stand of the register. But the stand of the extract is earlier.
#[test]
fn an_extract_that_proves_to_be_no_newer_does_not_enter_the_inbox() {
    let file = ServedFile::new(extract(day(-12)), "same", day(-2));
    let server = FileServer::start(move |request, _| Reply::file(request, &file));
    let (workspace, url) = (
        FetchWorkspace::serving(day(-10)),
        server.url("/extract.zip"),
    );
    for _ in 0..2 {
        let (report, _) = workspace.fetch(&["--extract-url", &url], 0);
        assert_eq!(report["fetched"], serde_json::json!([]));
        assert_eq!(workspace.deliveries(), [""; 0]);
    }
    assert_eq!(
        server.received()[1].header("if-none-match"),
        Some("\"same\"")
    );
}

/// A server that ignores the conditions of a request sends the file each time. The command recognises the file by its first bytes
/// and stops the download.
#[test]
fn a_server_that_ignores_conditions_does_not_cause_a_second_download_of_the_same_file() {
    let bytes = extract(day(-5));
    let server = FileServer::start(move |_, count| {
        let reply = Reply::text("").with_body(bytes.clone());
        if count == 0 {
            reply
        } else {
            reply.stall_after(500)
        }
    });
    let (workspace, url) = (FetchWorkspace::new(), server.url("/extract.zip"));
    workspace.fetch(&["--extract-url", &url], 0);
    let (report, _) = workspace.fetch(&["--extract-url", &url], 0);
    assert_eq!(report["fetched"], serde_json::json!([]));
    assert_eq!(workspace.deliveries(), [extract_name(day(-5))]);
}

/// The first bytes of an archive contain its day. If the register already has that day, the command does not download the rest. In
/// this test, the server never sends the rest.
#[test]
fn an_extract_of_a_known_day_is_abandoned_after_its_first_bytes() {
    let mut archive = municipal().of_day(&day(-12).to_string());
    archive.0.rotate_left(1);
    let first = archive.0.first_mut().expect("an entry");
    first.0 = format!("9999WPL{}.zip", day(-12).strftime("%d%m%Y"));
    let file = ServedFile::new(archive.pack(), "known", day(-2));
    let server = FileServer::start(move |request, _| {
        let reply = Reply::file(request, &file);
        if request.header("if-none-match").is_some() {
            reply
        } else {
            reply.stall_after(500)
        }
    });
    let (workspace, url) = (
        FetchWorkspace::serving(day(-10)),
        server.url("/extract.zip"),
    );
    let (report, _) = workspace.fetch(&["--extract-url", &url], 0);
    assert_eq!(report["fetched"], serde_json::json!([]));
    assert_eq!(workspace.parts(), [""; 0]);
    workspace.fetch(&["--extract-url", &url], 0);
    assert_eq!(
        server.received()[1].header("if-none-match"),
        Some("\"known\"")
    );
}

#[test]
fn a_register_of_a_municipality_does_not_get_the_extract_of_the_country() {
    let workspace = FetchWorkspace::serving(day(-10));
    // Without a URL, the command uses the built-in URL of the whole country. It refuses this extract before it sends a request.
    let (_, message) = workspace.fetch(&[], 2);
    assert!(message.contains("give --extract-url"), "{message}");
}

#[test]
fn a_missing_file_and_an_html_page_are_refused() {
    let server = FileServer::start(|request, _| match request.path.as_str() {
        "/page.zip" => Reply::text("<html>Maintenance</html>"),
        _ => Reply::status(404),
    });
    let workspace = FetchWorkspace::new();
    let (_, message) = workspace.fetch(&["--extract-url", &server.url("/gone.zip?key=secret")], 2);
    assert!(
        message.contains("there is no such file (status 404)"),
        "{message}"
    );
    assert!(!message.contains("secret"), "{message}");
    let (_, message) = workspace.fetch(&["--extract-url", &server.url("/page.zip")], 2);
    assert!(message.contains("not a delivery"), "{message}");
    workspace.assert_no_files();
}

#[test]
fn a_server_that_asks_for_fewer_requests_is_not_asked_again() {
    let server = FileServer::start(|_, _| Reply::status(429).with_header("Retry-After", "600"));
    let workspace = FetchWorkspace::new();
    let (report, message) = workspace.fetch(&["--extract-url", &server.url("/extract.zip")], 1);
    assert!(message.contains("status 429"), "{message}");
    assert!(
        report["errors"][0]
            .as_str()
            .is_some_and(|error| error.contains("429"))
    );
    assert_eq!(server.paths().len(), 1);
}

#[test]
fn an_unreachable_server_and_a_wrong_inbox_fail() {
    let workspace = FetchWorkspace::new();
    let port = crate::ports::ReservedPort::new();
    let url = format!("http://{}/extract.zip", port.address());
    let (_, message) = workspace.fetch(&["--extract-url", &url], 1);
    assert!(message.contains("refused"), "{message}");
    fs::remove_dir_all(workspace.inbox()).expect("writable");
    let (_, message) = workspace.fetch(&["--extract-url", &url], 1);
    assert!(message.contains("inbox: No such file"), "{message}");
}
