//! Parses the settings. An error describes only the accepted values; the caller adds the invalid text.

use std::net::SocketAddr;
use std::ops::RangeInclusive;
use std::str::FromStr;
use std::time::Duration;

use lettre::message::Mailbox;
use lettre::transport::smtp::AsyncSmtpTransportBuilder;
use lettre::{AsyncSmtpTransport, Tokio1Executor};
use postduif_schema::DataFolder;
use tracing_subscriber::EnvFilter;
use tracing_subscriber::filter::LevelFilter;

use crate::accounts::Plans;
use crate::limits::TrustedProxies;
use crate::sync::BucketUrl;

/// A description of the accepted values.
pub(super) type Expectation = &'static str;

pub(super) const MAILBOX_EXPECTED: Expectation =
    "an e-mail address such as notices@example.org or postduif <notices@example.org>";

/// The format of log lines.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LogFormat {
    /// Text on a terminal, JSON elsewhere.
    Auto,
    /// Always text.
    Text,
    /// One JSON object per line.
    Json,
}

pub(super) fn data_folder(text: &str) -> Result<DataFolder, Expectation> {
    if text.is_empty() {
        Err("the path of a folder")
    } else {
        Ok(DataFolder::new(text))
    }
}

pub(super) fn bucket_url(text: &str) -> Result<Option<BucketUrl>, Expectation> {
    if text.is_empty() {
        return Ok(None);
    }
    text.parse()
        .map(Some)
        .map_err(|_| "s3://bucket/prefix, file:///folder, or empty")
}

pub(super) fn socket_addr(text: &str) -> Result<SocketAddr, Expectation> {
    text.parse()
        .map_err(|_| "an IP and a port, such as 127.0.0.1:8080 or [::1]:8080")
}

/// Checks only the scheme. The database library checks the rest, which may contain a password.
pub(super) fn database_url(text: &str) -> Result<Option<String>, Expectation> {
    let known = ["sqlite:", "postgres:", "postgresql:"]
        .iter()
        .any(|scheme| text.starts_with(scheme));
    match text {
        "" => Ok(None),
        _ if known => Ok(Some(text.to_owned())),
        _ => Err("a sqlite: or postgres: URL, or empty"),
    }
}

/// Parses changes to the plans. The error is a whole message, which names the mistake in a long text.
pub(super) fn plans(text: &str) -> Result<Plans, String> {
    text.parse::<Plans>().map_err(|error| error.to_string())
}

pub(super) fn trusted_proxies(text: &str) -> Result<TrustedProxies, Expectation> {
    text.parse().map_err(
        |_| "IPs and CIDR blocks without host bits, such as 192.0.2.7 10.0.0.0/8 2001:db8::/32",
    )
}

pub(super) fn on_or_off(text: &str) -> Result<bool, Expectation> {
    match text {
        "on" => Ok(true),
        "off" => Ok(false),
        _ => Err("on or off"),
    }
}

pub(super) fn mail_server(text: &str) -> Result<Option<AsyncSmtpTransportBuilder>, Expectation> {
    if text.is_empty() {
        return Ok(None);
    }
    AsyncSmtpTransport::<Tokio1Executor>::from_url(text)
        .map(Some)
        .map_err(
            |_| "smtp://user:password@host:587?tls=required, smtps://user:password@host, or empty",
        )
}

pub(super) fn mailbox(text: &str) -> Result<Option<Mailbox>, Expectation> {
    if text.is_empty() {
        return Ok(None);
    }
    text.parse().map(Some).map_err(|_| MAILBOX_EXPECTED)
}

pub(super) fn seconds(text: &str) -> Result<Duration, Expectation> {
    integer_within(text, 1..=86_400)
        .map(Duration::from_secs)
        .ok_or("a whole number of seconds from 1 to 86400")
}

pub(super) fn seconds_or_zero(text: &str) -> Result<Duration, Expectation> {
    integer_within(text, 0..=3_600)
        .map(Duration::from_secs)
        .ok_or("a whole number of seconds from 0 to 3600")
}

pub(super) fn count(text: &str) -> Result<usize, Expectation> {
    integer_within(text, 1..=1_000_000).ok_or("a whole number from 1 to 1000000")
}

pub(super) fn count_or_zero(text: &str) -> Result<usize, Expectation> {
    integer_within(text, 0..=1_000_000).ok_or("a whole number from 0 to 1000000")
}

fn integer_within<T: FromStr + PartialOrd>(text: &str, range: RangeInclusive<T>) -> Option<T> {
    text.parse().ok().filter(|number| range.contains(number))
}

pub(super) fn log_filter(text: &str) -> Result<EnvFilter, Expectation> {
    let expected =
        "error, warn, info, debug, trace or off, or a filter such as info,postduif=debug";
    if has_unknown_level(text) {
        return Err(expected);
    }
    let parts: Vec<&str> = text.split(',').map(str::trim).collect();
    EnvFilter::try_new(parts.join(",")).map_err(|_| expected)
}

/// True if a part of the filter is one word that is not the name of a level. tracing would read such a word, perhaps a misspelt level, as
/// the name of a module and log only that module. So the name of a module alone is refused too; write `MODULE=trace`, which means the
/// same. A number such as 5, which tracing reads as trace, is refused as well.
fn has_unknown_level(filter: &str) -> bool {
    let is_word = |part: &&str| !part.is_empty() && !part.contains(['=', '[', ']', '{', '}']);
    let parts = filter.split(',').map(str::trim);
    parts
        .filter(is_word)
        .any(|word| word.starts_with(char::is_numeric) || word.parse::<LevelFilter>().is_err())
}

pub(super) fn log_format(text: &str) -> Result<LogFormat, Expectation> {
    match text {
        "auto" => Ok(LogFormat::Auto),
        "text" => Ok(LogFormat::Text),
        "json" => Ok(LogFormat::Json),
        _ => Err("auto, text or json"),
    }
}
