//! Every setting of the service, in one table. A flag holds before the environment, that before the file, that before the
//! default. All mistakes are reported at once, each with its setting, where it comes from and what would be accepted.
//!
//! A setting has one name: `header_timeout_s` in the file is `--header-timeout-s` as a flag and `POSTDUIF_HEADER_TIMEOUT_S`
//! in the environment. Names end in their unit.

mod file;
mod layers;
mod parse;

use std::net::SocketAddr;
use std::time::Duration;

use crate::sync::BucketUrl;
use lettre::message::Mailbox;
use lettre::transport::smtp::AsyncSmtpTransportBuilder;
use postduif_schema::DataFolder;
use tracing_subscriber::EnvFilter;

use crate::limits::TrustedProxies;

pub use layers::{CONFIG_FILE, ConfigErrors, LayerLookup, Setting, SettingSource, SettingValue};
pub use parse::LogFormat;

use crate::accounts::Plans;
use layers::LayeredSettings;

macro_rules! settings {
    ($($(#[doc = $help:literal])+ $name:ident: $type:ty = $parse:path, $default:literal $(, $list:ident)?;)+) => {
        /// What the service runs by. Each field's default stands in [`SETTINGS`].
        #[derive(Debug)]
        pub struct Config {
            $($(#[doc = $help])+ pub $name: $type,)+
        }

        /// Every setting, in the order in which help and `config check` show them.
        pub const SETTINGS: &[Setting] =
            &[$(Setting {
                name: stringify!($name),
                help: concat!($($help),+).trim_ascii(),
                default: $default,
                repeatable: !concat!($(stringify!($list))?).is_empty(),
            },)+];

        impl Config {
            /// Reads every setting from the layers.
            fn read(layers: &LayeredSettings, errors: &mut ConfigErrors) -> Option<Self> {
                // All are read before the first missing one ends it, so that no mistake hides another.
                $(let $name = layers.parse(stringify!($name), $parse, errors);)+
                Some(Self { $($name: $name?,)+ })
            }
        }
    };
}

settings! {
    /// Folder with the generations and the accounts
    data: DataFolder = parse::data_folder, "data";
    /// Bucket that generations are taken from, such as s3://bucket/prefix or file:///folder; empty to serve what is made in the data folder
    generations_from: Option<BucketUrl> = parse::bucket_url, "";
    /// Seconds between looks for a newer publication in the bucket
    generations_poll_s: Duration = parse::seconds, "5";
    /// Generations taken from the bucket that stay in the data folder, the one that is served among them
    generations_keep: usize = parse::count, "3";
    /// Address and port of the live listener
    listen: SocketAddr = parse::socket_addr, "127.0.0.1:8080";
    /// Address and port of the sandbox listener
    sandbox_listen: SocketAddr = parse::socket_addr, "127.0.0.1:8081";
    /// Address and port of the admin listener: health, version and figures, without a key
    admin_listen: SocketAddr = parse::socket_addr, "127.0.0.1:9090";
    /// Database of accounts and keys; empty for a SQLite file in the data folder
    database_url: Option<String> = parse::database_url, "";
    /// Changes to the plans, as tables [plans.NAME] in the file or as JSON; empty for the contract's own
    plans: Plans = parse::plans, "";
    /// Proxies whose X-Forwarded-For or Forwarded names the client: addresses and CIDR blocks, parted by spaces or commas
    trusted_proxy: TrustedProxies = parse::trusted_proxies, "", list;
    /// Whether the sandbox takes the public trial key: on or off
    trial_key: bool = parse::on_or_off, "on";
    /// Mail server for notices, such as smtp://user:password@host:587?tls=required or smtps://…; empty for no notices
    smtp_url: Option<AsyncSmtpTransportBuilder> = parse::mail_server, "";
    /// Sender of notices, such as postduif <notices@example.org>; needed with a mail server
    mail_from: Option<Mailbox> = parse::mailbox, "";
    /// Seconds from an answer, sending it included, to the end of the next request's head
    header_timeout_s: Duration = parse::seconds, "20";
    /// Seconds that a request may take
    request_timeout_s: Duration = parse::seconds, "10";
    /// Seconds that a stop waits before it begins, not ready any more but answering, until balancers send requests elsewhere
    stop_delay_s: Duration = parse::seconds_or_zero, "0";
    /// Seconds until the service has stopped: four fifths for requests that have begun, the rest for the accounts
    drain_deadline_s: Duration = parse::seconds, "25";
    /// Connections open at once, per listener
    max_connections: usize = parse::count, "10000";
    /// What is logged, such as info or postduif=debug
    log: EnvFilter = parse::log_filter, "info";
    /// How log lines look: text, json, or auto for text on a terminal and JSON elsewhere
    log_format: LogFormat = parse::log_format, "auto";
}

impl Config {
    /// Reads every setting by its sources. `flags` is asked by a setting's name, `environment` by its variable, so that a
    /// test can bring its own.
    ///
    /// # Errors
    /// All mistakes at once.
    pub fn load(
        flags: LayerLookup<'_>,
        environment: LayerLookup<'_>,
    ) -> Result<Self, ConfigErrors> {
        let (layers, errors) = LayeredSettings::resolve(SETTINGS, flags, environment);
        Self::from_layers(&layers, errors)
    }

    /// Every setting as it holds, with its source, for people to check; mistakes as in [`load`](Self::load).
    ///
    /// # Errors
    /// All mistakes at once.
    pub fn effective_values(
        flags: LayerLookup<'_>,
        environment: LayerLookup<'_>,
    ) -> Result<Vec<SettingValue>, ConfigErrors> {
        Self::load_with_values(flags, environment).map(|(_, values)| values)
    }

    /// What [`load`](Self::load) and [`check`](Self::check) say, of one reading.
    ///
    /// # Errors
    /// All mistakes at once.
    pub fn load_with_values(
        flags: LayerLookup<'_>,
        environment: LayerLookup<'_>,
    ) -> Result<(Self, Vec<SettingValue>), ConfigErrors> {
        let (layers, errors) = LayeredSettings::resolve(SETTINGS, flags, environment);
        let config = Self::from_layers(&layers, errors)?;
        Ok((config, layers.into_values()))
    }

    /// The settings, where each can be read and all fit together.
    fn from_layers(
        layers: &LayeredSettings,
        mut errors: ConfigErrors,
    ) -> Result<Self, ConfigErrors> {
        let config = Self::read(layers, &mut errors);
        if config
            .as_ref()
            .is_some_and(|config| config.smtp_url.is_some() && config.mail_from.is_none())
        {
            errors.push(format!(
                "mail_from: empty although smtp_url is set; expected {}",
                parse::MAILBOX_EXPECTED
            ));
        }
        config.filter(|_| errors.is_empty()).ok_or(errors)
    }
}
