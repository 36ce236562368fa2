//! Defines every setting of the service in one table. A setting's text comes from the first of these sources that has one: the flag,
//! the environment, the file, the default. All errors are reported at once, each with the setting, its source and the accepted
//! values.
//!
//! A setting has one name: `header_timeout_s` in the file is `--header-timeout-s` as a flag and `POSTDUIF_HEADER_TIMEOUT_S` in the
//! environment. Names end in their unit, such as `_s` for seconds.

mod file;
mod layers;
mod nearest_name;
mod parse;
mod setting;
mod unknown_variables;

use std::net::SocketAddr;
use std::time::Duration;

use lettre::message::Mailbox;
use lettre::transport::smtp::AsyncSmtpTransportBuilder;
use postduif_schema::DataFolder;
use tracing_subscriber::EnvFilter;

pub use layers::{CONFIG_FILE, LayerLookup};
pub use parse::LogFormat;
pub use setting::{ConfigErrors, Setting, SettingSource, SettingValue};
pub use unknown_variables::{UnknownVariable, unknown_variables};

use crate::accounts::Plans;
use crate::limits::TrustedProxies;
use crate::sync::BucketUrl;
use layers::LayeredSettings;

macro_rules! settings {
    ($($(#[doc = $help:literal])+ $name:ident: $type:ty = $parse:path, $default:literal $(, $list:ident)?;)+) => {
        /// The parsed settings. [`SETTINGS`] has the defaults.
        #[derive(Debug)]
        pub struct Config {
            $($(#[doc = $help])+ pub $name: $type,)+
        }

        /// Every setting, in the order of the help text and `config check`.
        pub const SETTINGS: &[Setting] =
            &[$(Setting {
                name: stringify!($name),
                help: concat!($($help),+).trim_ascii(),
                default: $default,
                repeatable: !concat!($(stringify!($list))?).is_empty(),
            },)+];

        impl Config {
            /// Parses every setting. An invalid setting gets its default. Returns the settings, and the names of the invalid ones.
            fn read(layers: &LayeredSettings, errors: &mut ConfigErrors) -> (Self, Vec<&'static str>) {
                let mut invalid = Vec::new();
                $(let $name = layers.parse(stringify!($name), $parse, errors).unwrap_or_else(|| {
                    invalid.push(stringify!($name));
                    $parse($default).expect("every default is valid")
                });)+
                (Self { $($name,)+ }, invalid)
            }
        }
    };
}

settings! {
    /// Data folder: generations, the register, accounts and the request log
    data: DataFolder = parse::data_folder, "data";
    /// Bucket to pull generations from, such as s3://bucket/prefix or file:///folder; if empty, the service serves generations built in the data folder
    generations_from: Option<BucketUrl> = parse::bucket_url, "";
    /// Seconds between checks for a newer publication in the bucket
    generations_poll_s: Duration = parse::seconds, "5";
    /// Number of pulled generations to keep in the data folder, including the served one
    generations_keep: usize = parse::count, "3";
    /// IP and port of the live listener
    listen: SocketAddr = parse::socket_addr, "127.0.0.1:8080";
    /// IP and port of the sandbox listener
    sandbox_listen: SocketAddr = parse::socket_addr, "127.0.0.1:8081";
    /// IP and port of the admin listener: health, version and metrics, without a key
    admin_listen: SocketAddr = parse::socket_addr, "127.0.0.1:9090";
    /// URL of the accounts database, postgres://… or sqlite:…; empty for a SQLite file in the data folder
    database_url: Option<String> = parse::database_url, "";
    /// Changes to the plans, as tables [plans.NAME] in the file or as JSON elsewhere; empty for the built-in plans
    plans: Plans = parse::plans, "";
    /// Proxies whose X-Forwarded-For or Forwarded header is trusted for the client IP: IPs and CIDR blocks, separated by spaces or commas
    trusted_proxy: TrustedProxies = parse::trusted_proxies, "", list;
    /// Whether the sandbox accepts the public trial key: on or off
    trial_key: bool = parse::on_or_off, "on";
    /// Whether the pages of this service may use the public live key, which needs no account: on or off
    public_live_key: bool = parse::on_or_off, "off";
    /// Mail server for notices to account holders, such as smtp://user:password@host:587?tls=required or smtps://…; if empty, none are sent
    smtp_url: Option<AsyncSmtpTransportBuilder> = parse::mail_server, "";
    /// Sender of notices, such as postduif <notices@example.org>; required with smtp_url
    mail_from: Option<Mailbox> = parse::mailbox, "";
    /// Maximum seconds to send a response, wait for the next request and receive its headers
    header_timeout_s: Duration = parse::seconds, "20";
    /// Maximum seconds for a request
    request_timeout_s: Duration = parse::seconds, "10";
    /// Seconds for which a stopping service still answers but reports that it is not ready, so that load balancers stop sending requests
    stop_delay_s: Duration = parse::seconds_or_zero, "0";
    /// Maximum seconds for a stop: four fifths to finish requests, the rest to write usage and quotas
    drain_deadline_s: Duration = parse::seconds, "25";
    /// Megabytes of memory for a cache of the places that type-ahead finds for frequently typed texts; 0 turns the cache off
    suggestion_cache_mb: usize = parse::count_or_zero, "64";
    /// Maximum open connections per listener
    max_connections: usize = parse::count, "10000";
    /// Whether answers above 1 kB are compressed for clients that accept gzip; leave it off if a proxy compresses them: on or off
    compress_responses: bool = parse::on_or_off, "off";
    /// Whether answers to requests with a known key have a Server-Timing header with the milliseconds since the request was read: on or off
    server_timing: bool = parse::on_or_off, "off";
    /// Log filter, such as info or postduif=debug
    log: EnvFilter = parse::log_filter, "info";
    /// Format of log lines: text, json, or auto (text on a terminal, JSON elsewhere)
    log_format: LogFormat = parse::log_format, "auto";
}

/// The settings, even if some of them are invalid.
#[derive(Debug)]
pub struct LoadedConfig {
    /// The settings. A setting that cannot be parsed has its default.
    pub config: Config,
    /// The effective text of every setting, and its source.
    pub values: Vec<SettingValue>,
    /// Every error.
    pub errors: ConfigErrors,
    /// The names of the invalid settings.
    pub invalid: Vec<&'static str>,
}

impl LoadedConfig {
    /// Reads every setting. `flags` looks up a flag by the name of its setting; `environment` looks up an environment variable. Tests pass
    /// their own functions.
    pub fn read(flags: LayerLookup<'_>, environment: LayerLookup<'_>) -> Self {
        let (layers, mut errors) = LayeredSettings::resolve(SETTINGS, flags, environment);
        let (config, mut invalid) = Config::read(&layers, &mut errors);
        let lacks_sender = config.smtp_url.is_some() && config.mail_from.is_none();
        if lacks_sender && !invalid.contains(&"mail_from") {
            errors.push(format!(
                "mail_from: empty although smtp_url is set; expected {}",
                parse::MAILBOX_EXPECTED
            ));
        }
        for (name, addr, earlier) in config.conflicting_listeners() {
            if ![name, earlier].iter().any(|name| invalid.contains(name)) {
                errors.push(format!(
                    "{name}: {addr} is already the IP and port of {earlier}; give each listener its own"
                ));
                invalid.push(name);
            }
        }
        Self {
            config,
            values: layers.into_values(),
            errors,
            invalid,
        }
    }

    /// The settings with their texts.
    ///
    /// # Errors
    /// If a setting is invalid. The error lists all invalid settings.
    pub fn into_result(self) -> Result<(Config, Vec<SettingValue>), ConfigErrors> {
        if self.errors.is_empty() {
            Ok((self.config, self.values))
        } else {
            Err(self.errors)
        }
    }
}

impl Config {
    /// The settings of listeners with the same IP and port: the later setting, its value, and the earlier setting. Port 0 asks the system for a
    /// free port, so it never conflicts.
    fn conflicting_listeners(&self) -> Vec<(&'static str, SocketAddr, &'static str)> {
        let listeners = [
            ("listen", self.listen),
            ("sandbox_listen", self.sandbox_listen),
            ("admin_listen", self.admin_listen),
        ];
        let conflicting = listeners
            .iter()
            .enumerate()
            .filter_map(|(at, (name, addr))| {
                let mut earlier = listeners[..at].iter();
                let same = earlier.find(|(_, other)| other == addr && addr.port() != 0)?;
                Some((*name, *addr, same.0))
            });
        conflicting.collect()
    }

    /// Reads every setting, like [`LoadedConfig::read`].
    ///
    /// # Errors
    /// If a setting is invalid. The error lists all invalid settings.
    pub fn load(
        flags: LayerLookup<'_>,
        environment: LayerLookup<'_>,
    ) -> Result<Self, ConfigErrors> {
        let loaded = LoadedConfig::read(flags, environment).into_result();
        loaded.map(|(config, _)| config)
    }
}
