//! The migrations of the accounts database.
//!
//! Some tables and columns have other names than the code:
//!
//! - `bundles`: the used and leased calls of a quota
//! - `notices.bundle`: the quota
//! - `wanted_at`: the time of a recall mark
//! - `per_address_per_minute`: the limit for each IP

use std::sync::LazyLock;

use sqlx::SqlStr;
use sqlx::migrate::{Migration, MigrationType, Migrator};

macro_rules! migration_files {
    ($($name:literal)+) => {
        [$(($name, include_str!(concat!("../migrations/", $name, ".sql")))),+]
    };
}

/// The changes of the tables, in order. The order and the texts of published migrations never change, because a database stores their
/// checksums.
pub(in crate::accounts) static MIGRATIONS: LazyLock<Migrator> = LazyLock::new(|| {
    let files = migration_files!(
        "0001_accounts_and_keys"
        "0002_restrictions_bundles_usage_notices"
        "0003_wanted_bundles"
        "0004_key_expiry_change_notices"
        "0005_refusals"
        "0006_revision_ids"
    );
    let migrations = (1..).zip(files).map(|(version, (name, sql))| {
        let description = name["0001_".len()..].replace('_', " ");
        let sql = SqlStr::from_static(sql);
        Migration::new(
            version,
            description.into(),
            MigrationType::Simple,
            sql,
            false,
        )
    });
    Migrator::with_migrations(migrations.collect())
});
