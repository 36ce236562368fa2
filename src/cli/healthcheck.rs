//! `postduif healthcheck`: asks the admin listener of a running service whether it is ready, or only whether it lives. For
//! containers without curl.

use std::io::{Read as _, Write as _};
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr, TcpStream};
use std::time::Duration;

use anyhow::{Context as _, bail};

use clap::Args;

use super::Failure;
use super::flags::ServiceFlags;
use crate::http::admin::{LIVE_PATH, READY_PATH};

/// Each of connecting, asking and waiting may take this long.
const PATIENCE: Duration = Duration::from_secs(2);

/// Enough for the status line and the reason; the rest of a longer answer is not of interest.
const ANSWER_BYTES: u64 = 4096;

#[derive(Args)]
pub(super) struct HealthcheckArgs {
    #[command(flatten)]
    flags: ServiceFlags,
    /// Ask only whether it lives: a service that waits for its first generation does, and a restart would not help it
    #[arg(long)]
    live: bool,
}

pub(super) fn run(args: &HealthcheckArgs) -> Result<(), Failure> {
    let address = reachable(args.flags.config()?.admin_listen);
    let path = if args.live { LIVE_PATH } else { READY_PATH };
    let answer = ask(address, path).with_context(|| format!("asking {address}"))?;
    Ok(judge(&answer)?)
}

/// A service that listens everywhere is asked on this machine.
fn reachable(listen: SocketAddr) -> SocketAddr {
    let ip = match listen.ip() {
        IpAddr::V4(ip) if ip.is_unspecified() => Ipv4Addr::LOCALHOST.into(),
        IpAddr::V6(ip) if ip.is_unspecified() => Ipv6Addr::LOCALHOST.into(),
        ip => ip,
    };
    SocketAddr::new(ip, listen.port())
}

fn ask(address: SocketAddr, path: &str) -> std::io::Result<String> {
    let mut stream = TcpStream::connect_timeout(&address, PATIENCE)?;
    stream.set_read_timeout(Some(PATIENCE))?;
    stream.set_write_timeout(Some(PATIENCE))?;
    write!(
        stream,
        "GET {path} HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\n\r\n"
    )?;
    let mut answer = Vec::new();
    stream.take(ANSWER_BYTES).read_to_end(&mut answer)?;
    Ok(String::from_utf8_lossy(&answer).into_owned())
}

fn judge(answer: &str) -> anyhow::Result<()> {
    if answer.starts_with("HTTP/1.1 200 ") {
        return Ok(());
    }
    match answer.split_once("\r\n\r\n") {
        Some((_, body)) => bail!("not ready: {body}"),
        None => bail!(
            "no HTTP answer but {:?}",
            answer.chars().take(40).collect::<String>()
        ),
    }
}
