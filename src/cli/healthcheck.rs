//! `postduif healthcheck`: asks the admin listener whether a service is ready or alive. Meant for containers without curl.

use std::io::{self, ErrorKind, Read as _, Write as _};
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr, TcpStream};
use std::time::Duration;

use anyhow::{Context as _, bail};

use clap::Args;

use super::CommandError;
use super::data_path::DataFolderUse;
use super::flags::ServiceFlags;
use crate::http::admin::{LIVE_PATH, READY_PATH};

/// Maximum time to connect, to write the request, and to read the response. It applies to each of these steps.
const TIMEOUT: Duration = Duration::from_secs(2);

const NO_ANSWER: &str = "no answer within 2 s, so the service hangs or the machine is overloaded: see its log, and restart it if it stays so";

/// Maximum number of bytes of the response that are read. This is enough for the status line and the reason.
const MAX_RESPONSE_BYTES: u64 = 4096;

#[derive(Args)]
pub(super) struct HealthcheckArgs {
    /// Check only that the service is alive. A service without a generation or a live key is alive but not ready
    #[arg(long)]
    live: bool,
    #[command(flatten)]
    flags: ServiceFlags,
}

pub(super) fn run(args: &HealthcheckArgs) -> Result<(), CommandError> {
    let config = args.flags.load_config()?;
    args.flags
        .prepare_data_folder(&config, DataFolderUse::Unused)?;
    let admin_addr = connect_addr(config.admin_listen);
    let path = if args.live { LIVE_PATH } else { READY_PATH };
    let response = http_get(admin_addr, path).with_context(|| format!("checking {admin_addr}"))?;
    Ok(check_response(&response)?)
}

/// The IP and port to connect to. If the service listens on every IP, the IP is the loopback IP.
pub(super) fn connect_addr(listen: SocketAddr) -> SocketAddr {
    let ip = match listen.ip() {
        IpAddr::V4(ip) if ip.is_unspecified() => Ipv4Addr::LOCALHOST.into(),
        IpAddr::V6(ip) if ip.is_unspecified() => Ipv6Addr::LOCALHOST.into(),
        ip => ip,
    };
    SocketAddr::new(ip, listen.port())
}

/// Sends a request and reads the response. A timeout of the socket is an error with the text of [`NO_ANSWER`].
pub(super) fn http_get(addr: SocketAddr, path: &str) -> io::Result<String> {
    try_http_get(addr, path).map_err(|error| match error.kind() {
        // Linux reports an expired timeout of a socket as `WouldBlock`. Source: socket(7), SO_RCVTIMEO.
        ErrorKind::WouldBlock | ErrorKind::TimedOut => {
            io::Error::new(ErrorKind::TimedOut, NO_ANSWER)
        }
        _ => error,
    })
}

fn try_http_get(addr: SocketAddr, path: &str) -> io::Result<String> {
    let mut stream = TcpStream::connect_timeout(&addr, TIMEOUT)?;
    stream.set_read_timeout(Some(TIMEOUT))?;
    stream.set_write_timeout(Some(TIMEOUT))?;
    write!(
        stream,
        "GET {path} HTTP/1.1\r\nHost: {addr}\r\nConnection: close\r\n\r\n"
    )?;
    let mut response = Vec::new();
    stream.take(MAX_RESPONSE_BYTES).read_to_end(&mut response)?;
    Ok(String::from_utf8_lossy(&response).into_owned())
}

fn check_response(response: &str) -> anyhow::Result<()> {
    if response.starts_with("HTTP/1.1 200 ") {
        return Ok(());
    }
    match response.split_once("\r\n\r\n") {
        Some((_, body)) => bail!("not ready: {body}"),
        None => bail!(
            "not an HTTP response: {:?}",
            response.chars().take(40).collect::<String>()
        ),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_service_that_hangs_is_reported_as_such() {
        // The kernel accepts the connection, and nothing reads the request.
        let listener = std::net::TcpListener::bind("127.0.0.1:0").expect("a free port");
        let addr = listener.local_addr().expect("bound");
        let error = http_get(addr, LIVE_PATH).expect_err("no answer");
        assert_eq!(error.to_string(), NO_ANSWER);
    }
}
