//! The two servers, each in a child process that tells its address and the key that it takes.

use std::io::{BufRead as _, BufReader, Write as _};
use std::net::SocketAddr;
use std::num::NonZeroU32;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::time::Duration;

use anyhow::Context as _;
use axum::Router;
use axum::http::header::CONTENT_TYPE;
use axum::routing::get;
use jiff::Timestamp;
use postduif::access::{
    Clock, Gate, Key, KeyDirectory, Ledger, NewAccount, OwnNumbers, POLL_INTERVAL, PlanName, Plans,
    Restrictions, TrustedProxies,
};
use postduif::api::{Front, admin};
use postduif::index::{Live, Snapshot};
use postduif::server::{self, Limits};
use postduif::state::App;
use postduif::usage::{Background, Usage};
use postduif_schema::DataFolder;
use tokio::net::TcpListener;
use tokio_util::sync::CancellationToken;

/// What the bare server always says: as long as an average answer of v3.
const FIXED: &str = r#"{"postcode":"6545CA","number":29,"street":"Waldeck Pyrmontsingel","city":"Nijmegen","municipality":"Nijmegen","province":"Gelderland","location":{"type":"Point","coordinates":[5.8696099,51.841554]}}"#;

/// Which server a child is.
#[derive(Debug, Clone, Copy, clap::ValueEnum)]
pub(crate) enum Role {
    /// axum's own `serve`, one route, a fixed answer.
    Bare,
    /// The live listener as `postduif serve` runs it, figures included.
    Postduif,
}

/// A server in a process of its own; killed when the bench lets go of it.
pub(crate) struct Child {
    child: std::process::Child,
    pub(crate) address: SocketAddr,
    pub(crate) key: String,
}

impl Child {
    pub(crate) fn start(executable: &Path, role: Role, data: &DataFolder) -> anyhow::Result<Self> {
        let role = match role {
            Role::Bare => "bare",
            Role::Postduif => "postduif",
        };
        let mut command = Command::new(executable);
        command.args(["--be", role, "--data"]).arg(data.path());
        let mut child = command.stdout(Stdio::piped()).spawn()?;
        let mut lines = BufReader::new(child.stdout.take().context("piped")?).lines();
        let mut line = || {
            lines
                .next()
                .context("the server ended early")?
                .context("reading what the server says")
        };
        Ok(Self {
            address: line()?.parse()?,
            key: line()?,
            child,
        })
    }

    pub(crate) fn process(&self) -> u32 {
        self.child.id()
    }
}

impl Drop for Child {
    fn drop(&mut self) {
        // It may have ended by itself.
        self.child.kill().ok();
        self.child.wait().ok();
    }
}

/// Serves until killed.
pub(crate) fn be(role: Role, data: Option<PathBuf>) -> anyhow::Result<()> {
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        .build()?;
    runtime.block_on(async {
        let listener = TcpListener::bind("127.0.0.1:0").await?;
        match role {
            Role::Bare => bare(listener).await,
            Role::Postduif => postduif(listener, &DataFolder::new(data.context("--data")?)).await,
        }
    })
}

fn tell(listener: &TcpListener, key: &str) -> anyhow::Result<()> {
    let mut out = std::io::stdout();
    writeln!(out, "{}\n{key}", listener.local_addr()?)?;
    Ok(out.flush()?)
}

async fn bare(listener: TcpListener) -> anyhow::Result<()> {
    let answer = || async { ([(CONTENT_TYPE, "application/json")], FIXED) };
    let router: Router = Router::new().route("/v3/lookup/{postcode}/{number}", get(answer));
    tell(&listener, "none")?;
    Ok(axum::serve(listener, router).await?)
}

async fn postduif(listener: TcpListener, data: &DataFolder) -> anyhow::Result<()> {
    let figures = admin::record_metrics()?;
    tokio::spawn(async move {
        loop {
            tokio::time::sleep(admin::UPKEEP_INTERVAL).await;
            figures.run_upkeep();
        }
    });
    let generation = data.current()?.context("no generation is published")?;
    let live = Live::fixed(Snapshot::open(data, generation, None)?);
    let accounts = tempfile::tempdir()?;
    let ledger = Ledger::in_folder(accounts.path()).await?;
    let key = customer(&ledger).await?;
    let keys = KeyDirectory::load(&ledger).await?;
    let gate = Gate::new(keys, TrustedProxies::default(), Clock::system());
    let (usage, background) = Usage::new();
    let app = App::new(gate, usage, Arc::new(live), Duration::from_secs(10));
    let app = Arc::new(app);
    tokio::spawn(keep_books(
        app.clone(),
        ledger,
        background,
        accounts.path().join("requests"),
    ));
    let front = Front::new(postduif::router::live(&app));
    let limits = Limits {
        header_timeout: Duration::from_secs(20),
        drain_deadline: Duration::from_secs(25),
        max_connections: 10_000,
    };
    tell(&listener, key.reveal())?;
    server::serve(listener, front, limits, CancellationToken::new()).await;
    Ok(())
}

/// Everything that a service does behind its requests.
async fn keep_books(app: Arc<App>, ledger: Ledger, usage: Background, requests: PathBuf) {
    let (gate, never) = (&app.gate, CancellationToken::new());
    tokio::join!(
        gate.keys.watch(&ledger, POLL_INTERVAL, &never),
        gate.bundles.keep(&ledger, &gate.keys, &never),
        usage.run(ledger.clone(), requests, gate.clock.clone(), never.clone()),
    );
}

/// Opens an account that no bench comes near the limits of; its live key.
async fn customer(ledger: &Ledger) -> anyhow::Result<Key> {
    let own = OwnNumbers {
        calls_per_month: Some(NonZeroU32::MAX),
        calls_per_second: NonZeroU32::new(1_000_000),
        bulk_max: None,
    };
    let new = NewAccount {
        email: "bench@example.org".parse()?,
        plan: Plans::default().plan(PlanName::Enterprise, own)?,
        restrictions: Restrictions::default(),
    };
    Ok(ledger.create_account(new, Timestamp::now()).await?.live_key)
}
