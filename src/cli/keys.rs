//! `postduif keys`: make, revoke and list the keys of accounts.
//!
//! A key is printed when it is made and never again; afterwards it goes by its id and by a hint of its text.

use std::io::Write;

use clap::{Args, Subcommand};
use jiff::Timestamp;
use serde::Serialize;

use super::restrictions::{RestrictionArgs, RestrictionView, rights, write_bounds};
use crate::accounts::{AccountId, AccountRef, Environment, KeyId, KeyRecord, Ledger, NewKey};

/// `postduif keys …`
#[derive(Debug, Args)]
pub struct KeysArgs {
    #[command(subcommand)]
    action: Action,
    /// Print one line of JSON
    #[arg(long, global = true)]
    json: bool,
}

#[derive(Debug, Subcommand)]
enum Action {
    /// Make a key for an account; it is shown once
    Create {
        /// Account id or e-mail address
        #[arg(long)]
        account: AccountRef,
        /// live or test
        #[arg(long, default_value = "live")]
        environment: Environment,
        #[command(flatten)]
        bounds: RestrictionArgs,
    },
    /// Revoke a key for good; it is dead within a second
    Revoke {
        /// The key's id, as `keys list` shows it (not the key)
        key: KeyId,
    },
    /// List keys, revoked ones included
    List {
        /// Those of one account alone: its id or e-mail address
        #[arg(long)]
        account: Option<AccountRef>,
    },
}

/// Carries out one `keys` command on `ledger` and prints its outcome to `out`.
///
/// # Errors
/// When the ledger refuses or fails, or `out` cannot be written.
pub async fn run(args: KeysArgs, ledger: &Ledger, out: &mut dyn Write) -> anyhow::Result<()> {
    let json = args.json;
    match args.action {
        Action::Create {
            account,
            environment,
            bounds,
        } => {
            let new = NewKey {
                account,
                environment,
                restrictions: bounds.into(),
            };
            create(new, ledger, json, out).await
        }
        Action::Revoke { key } => revoke(key, ledger, json, out).await,
        Action::List { account } => list(account, ledger, json, out).await,
    }
}

async fn create(
    new: NewKey,
    ledger: &Ledger,
    json: bool,
    out: &mut dyn Write,
) -> anyhow::Result<()> {
    let (record, key) = ledger.create_key(new, Timestamp::now()).await?;
    if json {
        let made = Made {
            details: KeyView::from(&record),
            key: key.reveal(),
        };
        writeln!(out, "{}", serde_json::to_string(&made)?)?;
        return Ok(());
    }
    write_keys(std::slice::from_ref(&record), out)?;
    writeln!(out, "{} key  {}", record.environment, key.reveal())?;
    writeln!(out, "The key is shown this once: only its digest is kept.")?;
    Ok(())
}

async fn revoke(
    key: KeyId,
    ledger: &Ledger,
    json: bool,
    out: &mut dyn Write,
) -> anyhow::Result<()> {
    let revoked = ledger.revoke_key(key, Timestamp::now()).await?;
    let details = KeyView::from(&revoked.key);
    if json {
        let outcome = Revocation {
            details,
            already_revoked: revoked.already,
        };
        writeln!(out, "{}", serde_json::to_string(&outcome)?)?;
        return Ok(());
    }
    let at = details
        .revoked_at
        .map(|at| at.to_string())
        .unwrap_or_default();
    let was = if revoked.already {
        "was revoked before"
    } else {
        "is revoked"
    };
    writeln!(out, "key {key} ({}) {was}, at {at}", details.hint)?;
    Ok(())
}

async fn list(
    wanted: Option<AccountRef>,
    ledger: &Ledger,
    json: bool,
    out: &mut dyn Write,
) -> anyhow::Result<()> {
    let account = match wanted {
        Some(wanted) => Some(ledger.account(&wanted).await?.id),
        None => None,
    };
    let keys = ledger.keys(account).await?;
    if json {
        let keys: Vec<_> = keys.iter().map(KeyView::from).collect();
        writeln!(out, "{}", serde_json::to_string(&keys)?)?;
        return Ok(());
    }
    write_keys(&keys, out)
}

/// A key as JSON: all that may be told of it.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct KeyView {
    id: KeyId,
    account: AccountId,
    environment: Environment,
    hint: String,
    #[serde(flatten)]
    bounds: RestrictionView,
    created_at: Timestamp,
    revoked_at: Option<Timestamp>,
}

impl From<&KeyRecord> for KeyView {
    fn from(key: &KeyRecord) -> Self {
        Self {
            id: key.id,
            account: key.account,
            environment: key.environment,
            hint: key.hint(),
            bounds: (&key.restrictions).into(),
            created_at: key.created_at,
            revoked_at: key.revoked_at,
        }
    }
}

#[derive(Serialize)]
struct Made<'a> {
    #[serde(flatten)]
    details: KeyView,
    key: &'a str,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Revocation {
    #[serde(flatten)]
    details: KeyView,
    already_revoked: bool,
}

/// Prints keys as an aligned table, with what each is bound to below it.
pub(super) fn write_keys(keys: &[KeyRecord], out: &mut dyn Write) -> anyhow::Result<()> {
    writeln!(
        out,
        "{:36}  {:36}  {:21}  {:9}  {:20}  revoked",
        "key", "account", "hint", "rights", "made"
    )?;
    for key in keys {
        let rights = rights(&key.restrictions);
        let revoked = key.revoked_at.map(|at| at.to_string()).unwrap_or_default();
        let (id, account, hint, made) = (key.id, key.account, key.hint(), key.created_at);
        writeln!(
            out,
            "{id:36}  {account:36}  {hint:21}  {rights:9}  {made:20}  {revoked}"
        )?;
        write_bounds(&key.restrictions, out)?;
    }
    Ok(())
}

#[cfg(test)]
mod tests;
