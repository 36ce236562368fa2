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

/// The changes of the tables, in order. The order and the texts of published migrations never change, because a database stores their
/// checksums.
pub(in crate::accounts) static MIGRATIONS: LazyLock<Migrator> = LazyLock::new(|| {
    let files = [
        (
            "accounts and keys",
            include_str!("../migrations/0001_accounts_and_keys.sql"),
        ),
        (
            "restrictions bundles usage notices",
            include_str!("../migrations/0002_restrictions_bundles_usage_notices.sql"),
        ),
        (
            "wanted bundles",
            include_str!("../migrations/0003_wanted_bundles.sql"),
        ),
        (
            "key expiry change notices",
            include_str!("../migrations/0004_key_expiry_change_notices.sql"),
        ),
        ("refusals", include_str!("../migrations/0005_refusals.sql")),
        (
            "revision ids",
            include_str!("../migrations/0006_revision_ids.sql"),
        ),
    ];
    let migrations = (1..).zip(files).map(|(version, (description, sql))| {
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
