//! SIGHUP: the settings are read again, and the data folder is looked at, and the bucket that
//! generations are taken from.
//!
//! What can change while requests are answered takes effect at once, for requests that begin afterwards; the rest is named as
//! needing a restart. Settings with mistakes change nothing.

use std::sync::Arc;

use super::signals::Hangups;
use super::systemd::Manager;
use crate::accounts::PlanTable;
use crate::config::{Config, Mistakes, Value};
use crate::state::App;
use crate::sync::Asked;
use crate::telemetry::LogFilter;

/// Settings that take effect without a restart.
const TAKE_EFFECT: [&str; 4] = ["log", "trusted_proxy", "plans", "trial_key"];

/// Reads the settings again, in the way in which they were read first.
pub(super) type Reader = Box<dyn Fn() -> Result<(Config, Vec<Value>), Mistakes> + Send + Sync>;

/// What a reading of the settings brings about.
pub(super) struct Reread {
    pub(super) read: Reader,
    /// The settings that hold, one for one as they stand in the table of all settings.
    pub(super) in_force: Vec<Value>,
    pub(super) log: LogFilter,
    pub(super) plans: PlanTable,
    pub(super) app: Arc<App>,
    pub(super) manager: Manager,
    /// Has the data folder and the bucket looked at.
    pub(super) asked: Asked,
}

impl Reread {
    /// Obeys each signal until the process ends.
    pub(super) async fn follow(mut self, mut hangups: Hangups) {
        loop {
            hangups.next().await;
            let _told = self.manager.reloading();
            self.asked.look();
            match (self.read)() {
                Ok((config, values)) => self.take_over(config, values),
                Err(mistakes) => {
                    tracing::error!(%mistakes, "settings are not accepted; the old ones go on");
                }
            }
        }
    }

    fn take_over(&mut self, config: Config, values: Vec<Value>) {
        let (mut changed, mut restart) = (Vec::new(), Vec::new());
        for (old, new) in self.in_force.iter_mut().zip(values) {
            if old.says_the_same(&new) {
                continue;
            }
            if TAKE_EFFECT.contains(&new.name) {
                changed.push(new.name);
                *old = new;
            } else {
                restart.push(new.name);
            }
        }
        self.put_in_force(config, &changed);
        let (changed, restart) = (changed.join(" "), restart.join(" "));
        if restart.is_empty() {
            tracing::info!(changed, "settings were read again");
        } else {
            tracing::warn!(
                changed,
                restart,
                "settings were read again; some need a restart"
            );
        }
    }

    fn put_in_force(&self, config: Config, changed: &[&str]) {
        let gate = &self.app.gate;
        if changed.contains(&"log") {
            self.log.set(config.log);
        }
        if changed.contains(&"trusted_proxy") {
            gate.proxies.store(Arc::new(config.trusted_proxy));
        }
        if changed.contains(&"plans") {
            self.plans.set(config.plans);
        }
        if changed.contains(&"trial_key") {
            gate.keys.take_trial_key(config.trial_key);
        }
    }
}
