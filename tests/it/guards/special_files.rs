//! Checks that a named pipe, a socket, a device or a folder in place of a file is refused with an error that names it. Reading such a file
//! could wait for ever.

use std::os::unix::net::UnixListener;
use std::path::Path;

use rustix::fs::{CWD, FileType, Mode, mknodat};

use super::stderr_of;
use crate::scratch;

const TOWN: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/testdata/town.zip");

/// Checks that each command that reads a file refuses this special file.
#[track_caller]
fn case(data: &Path, file: &Path, kind: &str) {
    let file = file.to_str().expect("a temporary path is UTF-8");
    let inbox = data.to_str().expect("a temporary path is UTF-8");
    let commands: [(&[&str], i32); 8] = [
        (&["index", "apply", file], 2),
        (&["index", "build", "--extract", file], 2),
        (
            &["index", "build", "--extract", TOWN, "--po-boxes", file],
            2,
        ),
        (
            &[
                "index", "build", "--extract", TOWN, "--municipalities", file,
            ],
            2,
        ),
        (
            &[
                "index", "watch", "--once", "--inbox", inbox, "--po-boxes", file,
            ],
            2,
        ),
        (&["accounts", "restore", "--from", file], 2),
        (&["config", "check", "--config", file], 64),
        (&["serve", "--config", file], 64),
    ];
    for (command, code) in commands {
        let message = stderr_of(command, data, code);
        let expected = format!("{file}: it is {kind}; expected a regular file");
        assert!(message.contains(&expected), "{command:?}: {message}");
    }
}

#[test]
fn a_special_file_is_refused_by_name_and_not_read() {
    let folder = scratch::folder();
    let data = folder.path().join("data");
    std::fs::create_dir(&data).expect("a new folder");
    let pipe = folder.path().join("pipe.zip");
    let mode = Mode::RUSR | Mode::WUSR;
    mknodat(CWD, &pipe, FileType::Fifo, mode, 0).expect("a pipe");
    case(&data, &pipe, "a named pipe");
    let socket = folder.path().join("socket.zip");
    let _listener = UnixListener::bind(&socket).expect("a socket");
    case(&data, &socket, "a socket");
    case(&data, folder.path(), "a folder");
    case(&data, Path::new("/dev/zero"), "a device");
}
