//! From a setting's text to its value. Each says what it would accept; the text itself is quoted by the caller.

use std::net::SocketAddr;
use std::time::Duration;

use crate::sync::BucketUrl;
use lettre::message::Mailbox;
use lettre::transport::smtp::AsyncSmtpTransportBuilder;
use lettre::{AsyncSmtpTransport, Tokio1Executor};
use postduif_schema::DataFolder;
use tracing_subscriber::EnvFilter;

use crate::accounts::Plans;
use crate::limits::TrustedProxies;

/// What would be accepted instead.
pub(super) type Expectation = &'static str;

/// What is accepted as the sender of notices.
pub(super) const MAILBOX_EXPECTED: Expectation =
    "an address such as notices@example.org or postduif <notices@example.org>";

/// How log lines look.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LogFormat {
    /// Text on a terminal, JSON elsewhere.
    Auto,
    /// Lines for people.
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
        .map_err(|_| "an address and a port, such as 127.0.0.1:8080 or [::1]:8080")
}

/// Only the scheme is looked at: the rest is for the database to judge, and may hold a password.
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

/// What is wrong is told with what would be accepted: the text is long and has many places.
pub(super) fn plans(text: &str) -> Result<Plans, String> {
    text.parse::<Plans>().map_err(|error| {
        format!(
            "plans by name, each with calls_per_month, calls_per_second, grace_percent, bulk_max or without ({error})"
        )
    })
}

pub(super) fn trusted_proxies(text: &str) -> Result<TrustedProxies, Expectation> {
    text.parse().map_err(|_| {
        "addresses and CIDR blocks without bits beyond their prefix, such as 192.0.2.7 10.0.0.0/8 2001:db8::/32"
    })
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
    let number =
        integer_within(text, 1..=1_000_000).and_then(|number| usize::try_from(number).ok());
    number.ok_or("a whole number from 1 to 1000000")
}

fn integer_within(text: &str, range: std::ops::RangeInclusive<u64>) -> Option<u64> {
    text.parse().ok().filter(|number| range.contains(number))
}

pub(super) fn log_filter(text: &str) -> Result<EnvFilter, Expectation> {
    EnvFilter::try_new(text).map_err(|_| "a filter such as info, debug or info,postduif=debug")
}

pub(super) fn log_format(text: &str) -> Result<LogFormat, Expectation> {
    match text {
        "auto" => Ok(LogFormat::Auto),
        "text" => Ok(LogFormat::Text),
        "json" => Ok(LogFormat::Json),
        _ => Err("auto, text or json"),
    }
}
