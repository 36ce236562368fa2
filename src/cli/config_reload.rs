//! Handles SIGHUP: reads the settings again, and checks the data folder and the bucket for a new generation.
//!
//! Some settings take effect for all requests that begin afterwards. Others need a restart, and the log names them. If a setting
//! is invalid, nothing changes.

use std::sync::Arc;

use tokio::signal::unix::Signal;

use super::systemd::SystemdNotifier;
use crate::accounts::CurrentPlans;
use crate::config::{Config, ConfigErrors, SettingValue};
use crate::state::App;
use crate::sync::ReloadTriggers;
use crate::telemetry::LogFilterHandle;

/// A function that reads the settings again and applies the flags of this process.
pub(super) type ConfigLoader =
    Box<dyn Fn() -> Result<(Config, Vec<SettingValue>), ConfigErrors> + Send + Sync>;

type ApplySetting = fn(&ConfigReload, &Config);

/// Settings that take effect without a restart, and how each is applied.
const RELOADABLE_SETTINGS: [(&str, ApplySetting); 5] = [
    ("log", |reload, config| {
        reload.log_filter.set(config.log.clone());
    }),
    ("trusted_proxy", |reload, config| {
        let proxies = Arc::new(config.trusted_proxy.clone());
        reload.app.access.trusted_proxies.store(proxies);
    }),
    ("plans", |reload, config| {
        reload.plans.store(config.plans.clone());
    }),
    ("trial_key", |reload, config| {
        let keys = &reload.app.access.keys;
        keys.set_trial_key_enabled(config.trial_key);
    }),
    // This also changes the test page, which shows the public live key as long as the key is enabled.
    ("public_live_key", |reload, config| {
        let keys = &reload.app.access.keys;
        keys.set_public_live_key_enabled(config.public_live_key);
    }),
];

/// Applies changed settings to the running service.
pub(super) struct ConfigReload {
    pub(super) load_config: ConfigLoader,
    /// The settings in effect, in the order of the settings table.
    pub(super) current_values: Vec<SettingValue>,
    pub(super) log_filter: LogFilterHandle,
    pub(super) plans: CurrentPlans,
    pub(super) app: Arc<App>,
    pub(super) systemd: SystemdNotifier,
    /// Triggers the checks of the data folder and the bucket.
    pub(super) triggers: ReloadTriggers,
}

impl ConfigReload {
    /// Handles each SIGHUP until the process ends.
    pub(super) async fn run(mut self, mut sighup: Signal) {
        loop {
            sighup.recv().await;
            let _reloading = self.systemd.begin_reload();
            self.triggers.notify_all();
            match (self.load_config)() {
                Ok((config, values)) => self.apply(&config, values),
                Err(errors) => {
                    tracing::error!(%errors, "invalid settings; keeping the old ones");
                }
            }
        }
    }

    fn apply(&mut self, config: &Config, values: Vec<SettingValue>) {
        let (mut changed, mut restart) = (Vec::new(), Vec::new());
        for (at, new) in values.into_iter().enumerate() {
            if self.current_values[at].has_same_text(&new) {
                continue;
            }
            let mut reloadable = RELOADABLE_SETTINGS.iter();
            match reloadable.find(|(name, _)| *name == new.name) {
                Some((name, apply)) => {
                    apply(self, config);
                    changed.push(*name);
                    self.current_values[at] = new;
                }
                None => restart.push(new.name),
            }
        }
        let (changed, restart) = (changed.join(" "), restart.join(" "));
        if restart.is_empty() {
            tracing::info!(changed, "settings reloaded");
        } else {
            tracing::warn!(changed, restart, "settings reloaded; some need a restart");
        }
    }
}
