//! A real S3-compatible store for tests, as a child process: `s3s-fs`, whose buckets are folders of a temporary folder.
//!
//! Looked for by `tools::tool`. Skipped, with a line that says so, where it is absent; with `POSTDUIF_TEST_ALL=1` that
//! fails instead. Only child processes can use it: an address's credentials and endpoint come from their environment.

use std::net::{TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use tempfile::TempDir;

const PROGRAM: &str = "s3s-fs";
const BUCKET: &str = "generations";
/// What stands before every key in the bucket.
const PREFIX: &str = "nl";
/// As long as real ones, and easy to find where they do not belong.
const ACCESS_KEY: &str = "POSTDUIFTESTACCESSKEY";
const SECRET_KEY: &str = "postduif-test-secret-key-that-nobody-may-print";

/// How long a server may take to listen, on a busy machine.
const STARTS_WITHIN: Duration = Duration::from_secs(30);

/// A store on a loopback port; stopped when the test lets go of it.
pub(crate) struct Store {
    folder: TempDir,
    program: PathBuf,
    port: u16,
    child: Option<Child>,
}

impl Store {
    /// Starts with one empty bucket, or returns none where the program is not installed.
    pub(crate) fn start() -> Option<Self> {
        let program = crate::tools::tool(PROGRAM)?;
        let folder = TempDir::new().expect("a folder");
        std::fs::create_dir(folder.path().join(BUCKET)).expect("a new folder");
        let mut store = Self {
            folder,
            program,
            port: 0,
            child: None,
        };
        // Another process may take a port between its being found free and being bound.
        let started = (0..20).any(|_| {
            store.port = free_port();
            store.listens()
        });
        assert!(started, "{PROGRAM} does not listen");
        Some(store)
    }

    /// The address of what is in the bucket, below a prefix.
    pub(crate) fn url(&self) -> String {
        format!("s3://{BUCKET}/{PREFIX}")
    }

    /// An address of a bucket that is not there.
    pub(crate) fn url_of_no_bucket(&self) -> String {
        format!("s3://no-{BUCKET}")
    }

    /// The variables that a process needs to use it.
    pub(crate) fn environment(&self) -> [(&'static str, String); 4] {
        [
            ("AWS_ACCESS_KEY_ID", ACCESS_KEY.into()),
            ("AWS_SECRET_ACCESS_KEY", SECRET_KEY.into()),
            ("AWS_REGION", "us-east-1".into()),
            ("AWS_ENDPOINT_URL", self.endpoint()),
        ]
    }

    /// What must not be shown anywhere.
    pub(crate) fn secret(&self) -> &'static str {
        SECRET_KEY
    }

    pub(crate) fn endpoint(&self) -> String {
        format!("http://127.0.0.1:{}", self.port)
    }

    /// Where the keys below the prefix are files: `files/…` and `manifests/…`.
    pub(crate) fn folder(&self) -> PathBuf {
        self.folder.path().join(BUCKET).join(PREFIX)
    }

    /// Stops it at once, as a power cut would. What is in it stays.
    pub(crate) fn kill(&mut self) {
        if let Some(mut child) = self.child.take() {
            // It may have ended by itself.
            child.kill().ok();
            child.wait().expect("a child can be waited for");
        }
    }

    /// Starts it again after [`kill`](Self::kill), on the same port.
    pub(crate) fn restart(&mut self) {
        // Another test may have the port for a moment, to find a free one.
        let started = (0..20).any(|_| {
            let listens = self.listens();
            if !listens {
                std::thread::sleep(Duration::from_millis(250));
            }
            listens
        });
        assert!(started, "{PROGRAM} does not listen on {} again", self.port);
    }

    /// Starts the program on its port; whether it came to listen there.
    fn listens(&mut self) -> bool {
        self.child = Some(server(&self.program, self.folder.path(), self.port));
        let began = Instant::now();
        while began.elapsed() < STARTS_WITHIN {
            let child = self.child.as_mut().expect("it was just started");
            if child.try_wait().expect("a child can be asked").is_some() {
                return false;
            }
            if TcpStream::connect(("127.0.0.1", self.port)).is_ok() {
                // Someone else's listener would answer too; then the program ends, as the port is taken.
                std::thread::sleep(Duration::from_millis(50));
                return child.try_wait().expect("a child can be asked").is_none();
            }
            std::thread::sleep(Duration::from_millis(10));
        }
        false
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

fn free_port() -> u16 {
    let free = TcpListener::bind("127.0.0.1:0").and_then(|free| free.local_addr());
    free.expect("a free port").port()
}
