//! Tests what a service with the given settings needs: its folder, ports, database, bucket and mail server. Changes nothing.

use std::io::ErrorKind;
use std::time::Duration;

use tokio::net::TcpListener;
use tokio::time::timeout;

use crate::accounts::check_account_store;
use crate::cli::outcome::{full_message, with_advice};
use crate::cli::runtimes::new_current_thread_runtime;
use crate::cli::{CommandError, account_store, data_path, healthcheck};
use crate::config::Config;
use crate::http::admin::VERSION_PATH;
use crate::http::server;
use crate::notices::Mailer;
use crate::sync::Bucket;

/// Maximum time that a server may take to answer. After that, the probe fails.
const TIMEOUT: Duration = Duration::from_secs(10);

/// The problems and notes of the probes.
#[derive(Default)]
pub(super) struct Findings {
    /// The error message if the data folder does not exist; `None` if it exists.
    pub(super) missing_data: Option<String>,
    failures: Vec<String>,
    /// Notes for the operator that are not mistakes.
    pub(super) notes: Vec<String>,
}

impl Findings {
    /// Every problem that the probes found. A missing data folder comes first. Notes are not included.
    pub(super) fn failures(&self) -> impl Iterator<Item = &str> {
        let failures = self.missing_data.iter().chain(&self.failures);
        failures.map(String::as_str)
    }
}

/// Tests everything that the service needs. Skips settings that have an invalid value.
pub(super) struct Probes<'a> {
    config: &'a Config,
    invalid: &'a [&'static str],
    creates_data: bool,
    findings: Findings,
}

impl<'a> Probes<'a> {
    pub(super) fn new(config: &'a Config, invalid: &'a [&'static str], creates_data: bool) -> Self {
        Self {
            config,
            invalid,
            creates_data,
            findings: Findings::default(),
        }
    }

    /// Runs every probe.
    pub(super) fn run(mut self) -> Result<Findings, CommandError> {
        let runtime = new_current_thread_runtime()?;
        runtime.block_on(async {
            self.check_ports();
            let has_folder = self.check_data_folder();
            self.check_database(has_folder).await;
            self.check_bucket().await;
            self.check_mail_server().await;
        });
        Ok(self.findings)
    }

    fn is_valid(&self, setting: &str) -> bool {
        !self.invalid.contains(&setting)
    }

    fn fail(&mut self, setting: &str, error: &anyhow::Error) {
        let failure = format!("{setting}: {}", with_advice(error));
        self.findings.failures.push(failure);
    }

    /// Binds all three listeners and keeps them open, as the service does. So two settings with the same port are found.
    fn check_ports(&mut self) {
        let listeners = [
            ("listen", self.config.listen),
            ("sandbox_listen", self.config.sandbox_listen),
            ("admin_listen", self.config.admin_listen),
        ];
        let mut listening: Vec<TcpListener> = Vec::new();
        for (setting, addr) in listeners {
            if !self.is_valid(setting) {
                continue;
            }
            match server::listen(addr) {
                Ok(listener) => listening.push(listener),
                Err(error) if error.kind() == ErrorKind::AddrInUse && self.is_running() => {
                    let note =
                        format!("{setting}: {addr} is in use, probably by the running postduif");
                    self.findings.notes.push(note);
                }
                Err(error) => {
                    let error = anyhow::Error::from(error).context(format!("binding {addr}"));
                    self.fail(setting, &error);
                }
            }
        }
    }

    /// Whether another postduif answers on the admin port. This process may have bound the port itself; then nothing answers, and the
    /// result is `false`.
    fn is_running(&self) -> bool {
        let admin = healthcheck::connect_addr(self.config.admin_listen);
        let answer = healthcheck::http_get(admin, VERSION_PATH);
        answer.is_ok_and(|answer| answer.contains("\"layout\":"))
    }

    /// Tests the data folder, and returns whether it exists.
    fn check_data_folder(&mut self) -> bool {
        let folder = self.config.data.path();
        if !self.is_valid("data") {
            return false;
        }
        match data_path::check_exists(folder) {
            Ok(()) => {}
            Err(_) if self.creates_data => return false,
            Err(
                CommandError::Usage(error)
                | CommandError::Refused(error)
                | CommandError::Failed(error),
            ) => {
                self.findings.missing_data = Some(full_message(&error));
                return false;
            }
        }
        let Err(error) = tempfile::tempfile_in(folder) else {
            return true;
        };
        let error = anyhow::Error::from(error).context(format!("writing to {}", folder.display()));
        if self.config.database_url.is_none() || self.config.generations_from.is_some() {
            self.fail("data", &error);
        } else {
            let note = format!("data: {error:#}; the request log will not be written");
            self.findings.notes.push(note);
        }
        true
    }

    /// Opens the accounts database, unless it is in a data folder that does not exist.
    async fn check_database(&mut self, has_folder: bool) {
        let url = self.config.database_url.as_deref();
        if !self.is_valid("database_url") || url.is_none() && !has_folder {
            return;
        }
        let opened = timeout(TIMEOUT, check_account_store(url, self.config.data.path())).await;
        let error = match opened {
            Ok(Ok(())) => return,
            Ok(Err(error)) => account_store::with_file_context(error.into(), self.config),
            Err(elapsed) => anyhow::Error::from(elapsed).context("connecting to the database"),
        };
        self.fail("database_url", &error);
    }

    async fn check_bucket(&mut self) {
        let Some(url) = &self.config.generations_from else {
            return;
        };
        let listed = timeout(TIMEOUT, async {
            Bucket::open(url)?.list_publications(None).await
        });
        let error = match listed.await {
            Ok(Ok(_)) => return,
            Ok(Err(error)) => error.into(),
            Err(elapsed) => anyhow::Error::from(elapsed).context(format!("listing {url}")),
        };
        self.fail("generations_from", &error);
    }

    async fn check_mail_server(&mut self) {
        let Some(server) = self.config.smtp_url.clone() else {
            return;
        };
        // A test of the connection does not use the sender. So any address will do if `mail_from` has no valid value.
        let sender = self.config.mail_from.clone();
        let Some(sender) = sender.or_else(|| "postduif@localhost".parse().ok()) else {
            return;
        };
        let mailer = Mailer::new(server, sender);
        let error = match timeout(TIMEOUT, mailer.try_connection()).await {
            Ok(Ok(())) => return,
            Ok(Err(error)) => anyhow::anyhow!(error),
            Err(elapsed) => anyhow::Error::from(elapsed).context("greeting the mail server"),
        };
        self.fail("smtp_url", &error);
    }
}
