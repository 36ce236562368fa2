//! `postduif keys`: creates, rotates, revokes and lists the keys of accounts.
//!
//! A key is printed only once, when it is created. Later output shows the id of the key and a masked form of the key.

use std::io::Write;
use std::time::Duration;

use clap::{Args, Subcommand};
use jiff::Timestamp;
use serde::Serialize;

use super::restrictions::{RestrictionArgs, rights_label, write_restrictions};
use crate::accounts::{
    AccountRef, AccountStore, Environment, KeyId, KeyRecord, NewKey, RotatedKey, create_key,
    get_account, list_keys, revoke_key, rotate_key,
};
use crate::cli::durations::parse_grace;
use crate::cli::output::{print_json, write_new_keys};

/// `postduif keys …`
#[derive(Debug, Args)]
pub(super) struct KeysArgs {
    #[command(subcommand)]
    action: KeyAction,
    /// Print one line of JSON
    #[arg(long, global = true)]
    json: bool,
}

#[derive(Debug, Subcommand)]
enum KeyAction {
    /// Create a key for an account; the key is shown once
    Create {
        /// Account id or e-mail address
        #[arg(long)]
        account: AccountRef,
        /// live or test
        #[arg(long, default_value = "live")]
        environment: Environment,
        #[command(flatten)]
        restrictions: RestrictionArgs,
    },
    /// Replace a key: create a new key with the same environment and restrictions, show it once, and end the old key after a grace
    /// period
    Rotate {
        /// The old key's id from `keys list` (not the key itself)
        key: KeyId,
        /// How long the old key still works beside the new one, such as 30m, 12h or 7d; at most 90d
        #[arg(long, value_name = "DURATION", value_parser = parse_grace)]
        grace: Duration,
    },
    /// Revoke a key permanently; it stops working within a second
    Revoke {
        /// The key's id from `keys list` (not the key itself)
        key: KeyId,
    },
    /// List keys, revoked ones included
    List {
        /// Only the keys of this account: its id or e-mail address
        #[arg(long)]
        account: Option<AccountRef>,
    },
}

impl KeysArgs {
    /// True if the command prints a new key.
    pub(super) fn creates_key(&self) -> bool {
        matches!(
            self.action,
            KeyAction::Create { .. } | KeyAction::Rotate { .. }
        )
    }
}

/// Runs one `keys` command and prints the result to `out`.
pub(super) async fn run(
    args: KeysArgs,
    store: &AccountStore,
    out: &mut dyn Write,
) -> anyhow::Result<()> {
    let json = args.json;
    match args.action {
        KeyAction::Create {
            account,
            environment,
            restrictions,
        } => {
            let new = NewKey {
                account_ref: account,
                environment,
                restrictions: restrictions.into(),
            };
            create(new, store, json, out).await
        }
        KeyAction::Rotate { key, grace } => rotate(key, grace, store, json, out).await,
        KeyAction::Revoke { key } => revoke(key, store, json, out).await,
        KeyAction::List { account } => list(account, store, json, out).await,
    }
}

async fn create(
    new: NewKey,
    store: &AccountStore,
    json: bool,
    out: &mut dyn Write,
) -> anyhow::Result<()> {
    let (record, key) = create_key(store, new, Timestamp::now()).await?;
    let done = format!("key {} was created", record.id);
    let remedy = format!(
        "Revoke it with `postduif keys revoke {}`, and create another one",
        record.id
    );
    let output = NewKeyOutput {
        record: &record,
        key: key.reveal(),
        replaces: None,
    };
    output.print(&done, &remedy, json, out)
}

async fn rotate(
    key: KeyId,
    grace: Duration,
    store: &AccountStore,
    json: bool,
    out: &mut dyn Write,
) -> anyhow::Result<()> {
    let now = Timestamp::now();
    let RotatedKey { old, new, key } = rotate_key(store, key, now + grace, now).await?;
    let done = format!(
        "key {} was replaced by key {} and works until {}",
        old.id,
        new.id,
        shown_time(old.expires_at)
    );
    let remedy = format!(
        "Rotate the new key: `postduif keys rotate {} --grace 0s`",
        new.id
    );
    let output = NewKeyOutput {
        record: &new,
        key: key.reveal(),
        replaces: Some(&old),
    };
    output.print(&done, &remedy, json, out)
}

async fn revoke(
    key: KeyId,
    store: &AccountStore,
    json: bool,
    out: &mut dyn Write,
) -> anyhow::Result<()> {
    let revoked = revoke_key(store, key, Timestamp::now()).await?;
    if json {
        return print_json(&revoked, out);
    }
    let record = &revoked.key;
    let at = shown_time(record.revoked_at);
    let was = if revoked.already_revoked {
        "was already revoked"
    } else {
        "is revoked"
    };
    writeln!(out, "key {key} ({}) {was}, at {at}", record.hint)?;
    Ok(())
}

async fn list(
    account_ref: Option<AccountRef>,
    store: &AccountStore,
    json: bool,
    out: &mut dyn Write,
) -> anyhow::Result<()> {
    let account = match account_ref {
        Some(account_ref) => Some(get_account(store, &account_ref).await?.id),
        None => None,
    };
    let keys = list_keys(store, account).await?;
    if json {
        return print_json(&keys, out);
    }
    write_keys(&keys, out)
}

#[derive(Serialize)]
struct NewKeyOutput<'a> {
    #[serde(flatten)]
    record: &'a KeyRecord,
    key: &'a str,
    /// The old key; `None` if the new key does not replace one.
    #[serde(skip_serializing_if = "Option::is_none")]
    replaces: Option<&'a KeyRecord>,
}

impl NewKeyOutput<'_> {
    fn print(
        &self,
        done: &str,
        remedy: &str,
        json: bool,
        out: &mut dyn Write,
    ) -> anyhow::Result<()> {
        write_new_keys(out, done, remedy, |out| {
            if json {
                return print_json(self, out);
            }
            write_keys(self.replaces.into_iter().chain([self.record]), out)?;
            if let Some(old) = self.replaces {
                let end = shown_time(old.expires_at);
                writeln!(out, "the old key works until {end}")?;
            }
            writeln!(out, "{} key  {}", self.record.environment, self.key)?;
            let notice = "The key is shown only once: the database has only its digest.";
            Ok(writeln!(out, "{notice}")?)
        })
    }
}

/// Prints keys as an aligned table. The restrictions of each key are below its line.
pub(super) fn write_keys<'a>(
    keys: impl IntoIterator<Item = &'a KeyRecord>,
    out: &mut dyn Write,
) -> anyhow::Result<()> {
    writeln!(
        out,
        "{:36}  {:36}  {:21}  {:9}  {:20}  {:20}  revoked",
        "key", "account", "hint", "rights", "created", "ends"
    )?;
    for key in keys {
        let rights = rights_label(&key.restrictions);
        let [ends, revoked] = [key.expires_at, key.revoked_at].map(shown_time);
        let (id, account, hint, created) = (key.id, key.account_id, &key.hint, key.created_at);
        writeln!(
            out,
            "{id:36}  {account:36}  {hint:21}  {rights:9}  {created:20}  {ends:20}  {revoked}"
        )?;
        write_restrictions(&key.restrictions, out)?;
    }
    Ok(())
}

/// A time as text. Without a time, the text is empty.
pub(super) fn shown_time(time: Option<Timestamp>) -> String {
    time.map(|time| time.to_string()).unwrap_or_default()
}

#[cfg(test)]
mod tests;
