//! The two servers, each in a child process that tells its address and the key that it takes.

use std::io::{BufRead as _, BufReader, Write as _};
use std::net::SocketAddr;
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::time::Duration;

use anyhow::Context as _;
use axum::Router;
use axum::http::header::CONTENT_TYPE;
use axum::routing::get;
use postduif::access::{
    AccountId, Admission, Clock, Environment, Gate, Key, KeyDirectory, KeyId, OwnNumbers, PlanName,
    Plans, Restrictions, Tag, TrustedProxies,
};
use postduif::api::{Front, admin};
use postduif::index::{Live, Snapshot};
use postduif::server::{self, Limits};
use postduif::state::App;
use postduif_schema::DataFolder;
use tokio::net::TcpListener;
use tokio_util::sync::CancellationToken;

pub(crate) const KEY_HEADER: &str = "X-Api-Key";

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
    pub(crate) fn start(role: Role, data: &DataFolder) -> anyhow::Result<Self> {
        let role = match role {
            Role::Bare => "bare",
            Role::Postduif => "postduif",
        };
        let mut command = Command::new(std::env::current_exe()?);
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
    let key = Key::mint(Environment::Live, Tag::random()?)?;
    let keys = KeyDirectory::fixed([(key.digest(), admission(&key)?)]);
    let app = Arc::new(App::new(
        Gate::new(keys, TrustedProxies::default(), Clock::system()),
        Arc::new(live),
        Duration::from_secs(10),
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

fn admission(key: &Key) -> anyhow::Result<Admission> {
    Ok(Admission {
        key: KeyId::fresh(),
        account: AccountId::fresh(),
        tag: key.tag(),
        environment: key.environment(),
        plan: Plans::default().plan(PlanName::Pro, OwnNumbers::default())?,
        anchor: jiff::civil::date(2026, 1, 6),
        restrictions: Restrictions::default(),
    })
}
