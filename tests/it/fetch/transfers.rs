//! Tests transfers that are cut off, stall, have the wrong length, or change. Afterwards the inbox has the whole file or nothing.

use std::io::Cursor;

use super::*;
use crate::delivery::national;
use crate::process::wait_until;

fn served_file() -> ServedFile {
    ServedFile::new(extract(day(-5)), "one", day(-4))
}

/// Starts a server of one file. `fault` gets each response and the number of earlier requests, and may change the response.
fn start_faulty_server(
    fault: impl Fn(Reply, usize) -> Reply + Send + Sync + 'static,
) -> FileServer {
    FileServer::start(move |request, count| fault(Reply::file(request, &served_file()), count))
}

#[track_caller]
fn assert_whole(workspace: &FetchWorkspace) {
    let name = extract_name(day(-5));
    assert_eq!(workspace.deliveries(), [name.as_str()]);
    assert!(
        workspace.delivery(&name) == served_file().bytes,
        "the file has other bytes"
    );
    assert_eq!(workspace.parts(), [""; 0]);
}

#[test]
fn a_transfer_that_is_cut_off_is_resumed() {
    let server = start_faulty_server(|reply, count| match count {
        0 => reply.cut_after(1_000),
        1 => reply.cut_after(500),
        _ => reply,
    });
    let workspace = FetchWorkspace::new();
    let (report, _) = workspace.fetch(&["--extract-url", &server.url("/extract.zip")], 0);
    assert_whole(&workspace);
    let asked: Vec<_> = server
        .received()
        .iter()
        .map(|request| {
            (
                request.header("range").map(str::to_owned),
                request.header("if-range").map(str::to_owned),
            )
        })
        .collect();
    let rest = |from: &str| (Some(format!("bytes={from}-")), Some("\"one\"".to_owned()));
    assert_eq!(asked, [(None, None), rest("1000"), rest("1500")]);
    assert_eq!(
        report["fetched"][0]["downloadedBytes"],
        served_file().bytes.len()
    );
}

#[test]
fn the_next_run_resumes_the_download_of_a_failed_run() {
    let server = start_faulty_server(|reply, count| match count {
        0 => reply.cut_after(1_000),
        1 => Reply::status(503),
        _ => reply,
    });
    let (workspace, url) = (FetchWorkspace::new(), server.url("/extract.zip"));
    let (_, message) = workspace.fetch(&["--extract-url", &url], 1);
    assert!(message.contains("status 503"), "{message}");
    assert_eq!(workspace.deliveries(), [""; 0]);
    assert_eq!(workspace.parts(), ["extract.zip.part"]);
    let (report, _) = workspace.fetch(&["--extract-url", &url], 0);
    assert_whole(&workspace);
    let rest = served_file().bytes.len() - 1_000;
    assert_eq!(report["fetched"][0]["downloadedBytes"], rest);
}

#[test]
fn a_run_that_makes_no_progress_ends_and_reports_that_the_next_run_resumes() {
    let server =
        start_faulty_server(|reply, count| reply.cut_after(if count == 0 { 1_000 } else { 0 }));
    let workspace = FetchWorkspace::new();
    let (_, message) = workspace.fetch(&["--extract-url", &server.url("/extract.zip")], 1);
    let expected = format!("stopped after 1000 bytes of {}", served_file().bytes.len());
    assert!(message.contains(&expected), "{message}");
    assert!(message.ends_with("the next run resumes\n"), "{message}");
    assert_eq!(server.paths().len(), 3, "the number of requests is bounded");
    assert_eq!(workspace.deliveries(), [""; 0]);
}

#[test]
fn a_server_that_falls_silent_is_disconnected_and_asked_for_the_rest() {
    let server = start_faulty_server(|reply, count| match count {
        0 => reply.stall_after(1_000),
        _ => reply,
    });
    let workspace = FetchWorkspace::new();
    let mut command = workspace.command(4, &["--extract-url", &server.url("/extract.zip")]);
    let output = command.output().expect("the binary runs");
    assert!(output.status.success(), "{}", stderr(&output));
    assert_whole(&workspace);
    assert_eq!(server.received()[1].header("range"), Some("bytes=1000-"));
}

#[test]
fn a_server_that_never_answers_is_reported_with_the_timeout() {
    let server = start_faulty_server(|reply, _| reply.stall_after(0));
    let workspace = FetchWorkspace::new();
    let mut command = workspace.command(1, &["--extract-url", &server.url("/extract.zip")]);
    let output = command.output().expect("the binary runs");
    let message = stderr(&output);
    assert_eq!(output.status.code(), Some(1), "{message}");
    assert!(
        message.contains("the server sent nothing for 1 s"),
        "{message}"
    );
    assert_eq!(workspace.deliveries(), [""; 0]);
}

#[test]
fn a_killed_run_is_resumed() {
    let server = start_faulty_server(|reply, count| match count {
        0 => reply.stall_after(1_000),
        _ => reply,
    });
    let (workspace, url) = (FetchWorkspace::new(), server.url("/extract.zip"));
    // The command waits for more bytes until it is killed.
    let mut command = workspace.command(3_600, &["--extract-url", &url]);
    let mut child = command.spawn().expect("starts");
    let part = workspace.inbox().join(".postduif-fetch/extract.zip.part");
    wait_until("the part has all bytes that the server sent", || {
        fs::metadata(&part).is_ok_and(|part| part.len() == 1_000)
    });
    assert_eq!((server.stalled(), workspace.deliveries()), (1, vec![]));
    child.kill().expect("it runs");
    child.wait().expect("it ends");
    workspace.fetch(&["--extract-url", &url], 0);
    assert_whole(&workspace);
    assert_eq!(server.received()[1].header("range"), Some("bytes=1000-"));
}

/// The server sends a part of its file and then replaces the file.
#[test]
fn a_file_that_changes_during_the_download_is_downloaded_from_its_start() {
    let server = FileServer::start(|request, count| {
        let changed = ServedFile::new(extract(day(-3)), "two", day(-2));
        match count {
            0 => Reply::file(request, &served_file()).cut_after(1_000),
            _ => Reply::file(request, &changed),
        }
    });
    let workspace = FetchWorkspace::new();
    workspace.fetch(&["--extract-url", &server.url("/extract.zip")], 0);
    let name = extract_name(day(-3));
    assert_eq!(workspace.deliveries(), [name.as_str()]);
    assert!(workspace.delivery(&name) == extract(day(-3)));
    assert_eq!(server.received()[1].header("if-range"), Some("\"one\""));
}

/// A server that ignores `If-Range` sends the rest of another version.
#[test]
fn the_rest_of_another_version_is_not_appended() {
    let server = FileServer::start(|request, count| {
        let changed = ServedFile::new(extract(day(-3)), "two", day(-2));
        match (count, request.header("range")) {
            (0, _) => Reply::file(request, &served_file()).cut_after(1_000),
            (_, Some(_)) => {
                // The partial response is right for the first version, except for its tag.
                let total = served_file().bytes.len();
                let range = format!("bytes 1000-{}/{total}", total - 1);
                let reply = Reply::text("").with_header("ETag", &changed.etag);
                reply.with_partial(&range, vec![0; total - 1_000])
            }
            (_, None) => Reply::file(request, &changed),
        }
    });
    let workspace = FetchWorkspace::new();
    workspace.fetch(&["--extract-url", &server.url("/extract.zip")], 0);
    assert!(workspace.delivery(&extract_name(day(-3))) == extract(day(-3)));
}

/// The server changes its file in place during the download. The downloaded file has bytes of two versions, but the right length
/// and a valid header.
#[test]
fn a_mixture_of_two_versions_is_refused_and_downloaded_again() {
    let whole = national().of_day(&day(-5).to_string()).pack();
    let mut mixed = whole.clone();
    // Change a byte in the middle of an inner archive.
    let position = {
        let mut zip = zip::ZipArchive::new(Cursor::new(&mixed)).expect("a zip");
        let entry = zip.by_name("9999NUM15092021.zip").expect("an entry");
        let start = entry.data_start().expect("it was found");
        usize::try_from(start + entry.compressed_size() / 2).expect("small")
    };
    mixed[position] ^= 0xff;
    let expected = whole.clone();
    let server = FileServer::start(move |request, count| {
        let bytes = if count == 0 { &mixed } else { &whole };
        Reply::file(request, &ServedFile::new(bytes.clone(), "one", day(-4)))
    });
    let (workspace, url) = (FetchWorkspace::new(), server.url("/extract.zip"));
    let (_, message) = workspace.fetch(&["--extract-url", &url], 2);
    assert!(
        message.contains("damaged: 9999NUM15092021.zip"),
        "{message}"
    );
    workspace.assert_no_files();
    workspace.fetch(&["--extract-url", &url], 0);
    assert!(workspace.delivery(&extract_name(day(-5))) == expected);
    assert_eq!(server.received()[1].header("range"), None);
}

#[test]
fn a_truncated_file_is_refused() {
    let server = FileServer::start(|request, _| {
        let mut file = served_file();
        file.bytes.truncate(file.bytes.len() - 100);
        Reply::file(request, &file)
    });
    let workspace = FetchWorkspace::new();
    let (_, message) = workspace.fetch(&["--extract-url", &server.url("/extract.zip")], 2);
    assert!(message.contains("not a delivery"), "{message}");
    workspace.assert_no_files();
}

#[test]
fn a_file_without_a_length_or_version_is_fetched_whole() {
    let server = FileServer::start(|_, count| {
        let reply = Reply::text("")
            .with_header("Content-Length", "")
            .with_body(served_file().bytes);
        // Without a length, a closed connection looks like the end of the file. But the file is not a complete zip.
        if count == 0 {
            reply.cut_after(1_000)
        } else {
            reply
        }
    });
    let (workspace, url) = (FetchWorkspace::new(), server.url("/extract.zip"));
    workspace.fetch(&["--extract-url", &url], 2);
    workspace.assert_no_files();
    workspace.fetch(&["--extract-url", &url], 0);
    assert_whole(&workspace);
}
