//! Runs a real S3-compatible store as a child process: `s3s-fs`, whose buckets are subfolders of a temporary folder.
//!
//! `tools::tool` finds the program. If it is missing, the test is skipped; with `POSTDUIF_TEST_ALL=1` it fails. Only child
//! processes can use the store, because they read the credentials and the endpoint of a bucket from their environment.

use std::net::TcpStream;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use tempfile::TempDir;

use crate::ports::ReservedPort;
use crate::process::wait_until;

const PROGRAM: &str = "s3s-fs";
const BUCKET: &str = "generations";
/// The prefix of every key in the bucket.
const PREFIX: &str = "nl";
/// An access key as long as a real one, and easy to find in output.
const ACCESS_KEY: &str = "POSTDUIFTESTACCESSKEY";
/// A secret key as long as a real one, and easy to find in output.
const SECRET_KEY: &str = "postduif-test-secret-key-that-must-not-print";

/// A store on a loopback port, killed on drop.
pub(crate) struct Store {
    folder: TempDir,
    program: PathBuf,
    port: ReservedPort,
    child: Option<Child>,
}

impl Store {
    /// Starts a store with one empty bucket; `None` if the program is not installed.
    pub(crate) fn start() -> Option<Self> {
        let program = crate::tools::tool(PROGRAM)?;
        let folder = crate::scratch::folder();
        std::fs::create_dir(folder.path().join(BUCKET)).expect("a new folder");
        let mut store = Self {
            folder,
            program,
            port: ReservedPort::new(),
            child: None,
        };
        store.restart();
        Some(store)
    }

    /// The URL of the bucket with its prefix.
    pub(crate) fn url(&self) -> String {
        format!("s3://{BUCKET}/{PREFIX}")
    }

    /// The URL of a bucket that does not exist.
    pub(crate) fn url_of_no_bucket(&self) -> String {
        format!("s3://no-{BUCKET}")
    }

    /// The environment variables that a process needs to use the store.
    pub(crate) fn environment(&self) -> [(&'static str, String); 4] {
        [
            ("AWS_ACCESS_KEY_ID", ACCESS_KEY.into()),
            ("AWS_SECRET_ACCESS_KEY", SECRET_KEY.into()),
            ("AWS_REGION", "us-east-1".into()),
            ("AWS_ENDPOINT_URL", self.endpoint()),
        ]
    }

    /// The secret key, which no output may contain.
    pub(crate) fn secret(&self) -> &'static str {
        SECRET_KEY
    }

    pub(crate) fn endpoint(&self) -> String {
        format!("http://{}", self.port.address())
    }

    /// The folder with the objects below the prefix, as files: `files/…` and `manifests/…`.
    pub(crate) fn folder(&self) -> PathBuf {
        self.folder.path().join(BUCKET).join(PREFIX)
    }

    /// Kills the store. Its contents are kept.
    pub(crate) fn kill(&mut self) {
        if let Some(mut child) = self.child.take() {
            // Ignore an error, because the store may already have exited.
            child.kill().ok();
            child.wait().expect("a child can be waited for");
        }
    }

    /// Restarts the store on the same port after [`kill`](Self::kill).
    pub(crate) fn restart(&mut self) {
        let address = self.port.address();
        let port = address.port();
        let child = self
            .child
            .insert(server(&self.program, self.folder.path(), port));
        wait_until("the store listens", || {
            let ended = child.try_wait().expect("a child can be asked");
            assert!(ended.is_none(), "{PROGRAM} ended: {ended:?}");
            TcpStream::connect(address).is_ok()
        });
    }
}

impl Drop for Store {
    fn drop(&mut self) {
        self.kill();
    }
}

fn server(program: &Path, root: &Path, port: u16) -> Child {
    Command::new(program)
        .args(["--host", "127.0.0.1", "--port", &port.to_string()])
        .args(["--access-key", ACCESS_KEY, "--secret-key", SECRET_KEY])
        .arg(root)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .expect("the program starts")
}
