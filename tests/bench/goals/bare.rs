//! Runs the bare axum server, which has one route and a fixed response. It runs in a child process that prints the socket address.

use std::io::{BufRead as _, BufReader, Write as _};
use std::net::SocketAddr;
use std::process::{Child, Command, Stdio};

use anyhow::Context as _;
use axum::Router;
use axum::http::header::CONTENT_TYPE;
use axum::routing::get;
use tokio::net::TcpListener;

/// The fixed response, which is as long as an average v3 response.
const FIXED: &str = r#"{"postcode":"6545CA","number":29,"street":"Waldeck Pyrmontsingel","city":"Nijmegen","municipality":"Nijmegen","province":"Gelderland","location":{"type":"Point","coordinates":[5.8696099,51.841554]}}"#;

/// A running bare server, killed on drop.
pub(crate) struct Bare {
    child: Child,
    pub(crate) address: SocketAddr,
}

impl Bare {
    pub(crate) fn start() -> anyhow::Result<Self> {
        let mut command = Command::new(std::env::current_exe()?);
        command.args(["--be", "bare"]).stdout(Stdio::piped());
        let mut child = command.spawn()?;
        let stdout = child
            .stdout
            .take()
            .context("standard output is not piped")?;
        let mut lines = BufReader::new(stdout).lines();
        let address = lines.next().context("the bare server ended early")??;
        Ok(Self {
            child,
            address: address.parse()?,
        })
    }

    pub(crate) fn process(&self) -> u32 {
        self.child.id()
    }
}

impl Drop for Bare {
    fn drop(&mut self) {
        // The server may have exited already.
        self.child.kill().ok();
        self.child.wait().ok();
    }
}

/// Serves until killed.
pub(crate) fn serve() -> anyhow::Result<()> {
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        .build()?;
    runtime.block_on(async {
        let listener = TcpListener::bind("127.0.0.1:0").await?;
        let answer = || async { ([(CONTENT_TYPE, "application/json")], FIXED) };
        let router: Router = Router::new().route("/v3/lookup/{postcode}/{number}", get(answer));
        let mut out = std::io::stdout();
        writeln!(out, "{}", listener.local_addr()?)?;
        out.flush()?;
        Ok(axum::serve(listener, router).await?)
    })
}
