//! Tests what operators use: metrics, alerts, backups, signals, and the files in `docker/`.

mod backups;
mod config_check;
mod containers;
mod help_texts;
mod image;
mod layout;
mod metrics;
mod metrics_page;
pub(crate) mod nginx;
mod node_examples;
mod packaging;
mod restores;
mod rules;
mod sighup;
mod upgrade;
mod versions;
