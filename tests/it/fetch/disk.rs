//! Fetches to a disk with too little room. The command notices this before the download or during the download.

use super::*;
use crate::small_disk::SmallDisk;

#[test]
fn a_file_that_does_not_fit_is_not_begun() {
    // No disk has room for the announced length.
    let server = FileServer::start(|_, _| {
        Reply::text("PK").with_header("Content-Length", &(1_u64 << 60).to_string())
    });
    let workspace = FetchWorkspace::new();
    let (_, message) = workspace.fetch(&["--extract-url", &server.url("/extract.zip")], 1);
    assert!(
        message.contains("bytes are free") && message.contains("free some space"),
        "{message}"
    );
    workspace.assert_no_files();
}

#[test]
fn a_download_leaves_the_reserve_free() {
    let file = ServedFile::new(extract(day(-5)), "one", day(-4));
    let server = FileServer::start(move |request, _| Reply::file(request, &file));
    let (workspace, url) = (FetchWorkspace::new(), server.url("/extract.zip"));
    let mut command = postduif();
    command
        .args(["index", "fetch", "--reserve-mib", "1048576", "--data"])
        .arg(workspace.data());
    let output = command
        .arg("--inbox")
        .arg(workspace.inbox())
        .args(["--extract-url", &url])
        .output();
    let output = output.expect("the binary runs");
    let message = stderr(&output);
    assert_eq!(output.status.code(), Some(1), "{message}");
    assert!(message.contains("--reserve-mib"), "{message}");
    workspace.assert_no_files();
}

#[test]
fn a_download_that_fills_the_disk_is_deleted() {
    let workspace = FetchWorkspace::new();
    let Some(small) = SmallDisk::mount(&workspace.inbox(), "size=256k") else {
        return;
    };
    let file = ServedFile::new(extract(day(-5)), "one", day(-4));
    let server = FileServer::start(move |request, count| match count {
        // Without a length, the command cannot check the room before the download.
        0 => Reply::text("")
            .with_header("Content-Length", "")
            .with_body(vec![0; 1 << 20]),
        _ => Reply::file(request, &file),
    });
    let url = server.url("/extract.zip");
    let (_, message) = workspace.fetch(&["--extract-url", &url], 1);
    assert!(message.contains("the disk is full"), "{message}");
    workspace.assert_no_files();
    workspace.fetch(&["--extract-url", &url], 0);
    assert_eq!(workspace.deliveries(), [extract_name(day(-5))]);
    drop(small);
}
