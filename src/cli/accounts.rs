//! `postduif accounts`: creates, lists, shows, changes and closes the accounts of customers.
//!
//! The keys of a new account are printed once. Source of the JSON that `create` prints: design.md, section The command line.

mod backup;

use std::io::Write;
use std::num::{NonZeroU16, NonZeroU32};

use anyhow::ensure;
use clap::{Args, Subcommand};
use jiff::Timestamp;
use serde_json::json;

use crate::accounts::{
    Account, AccountRef, AccountStore, BadPlan, CustomLimits, Email, NewAccount, Plan, PlanName,
    Plans, close_account, create_account, get_account, list_accounts, list_keys, set_email,
    set_plan,
};
use crate::cli::flags::AccountStoreFlags;
use crate::cli::keys::{shown_time, write_keys};
use crate::cli::numbers::number_in;
use crate::cli::output::{check_stdout_open, print_json, write_new_keys};
use crate::cli::restrictions::{RestrictionArgs, rights_label, write_restrictions};
use crate::cli::{CommandError, account_store};
use crate::notices::can_receive_notices;
use backup::BackupAction;

/// `postduif accounts …`
#[derive(Debug, Args)]
pub(super) struct AccountsArgs {
    #[command(subcommand)]
    action: AccountsAction,
    /// Print one line of JSON
    #[arg(long, global = true)]
    json: bool,
}

#[derive(Debug, Subcommand)]
enum AccountsAction {
    #[command(flatten)]
    Manage(AccountAction),
    #[command(flatten)]
    Backup(BackupAction),
}

#[derive(Debug, Subcommand)]
enum AccountAction {
    /// Create an account with one live and one test key, which have the same restrictions; the keys are shown once
    Create {
        /// E-mail address for notices; unique among open accounts
        #[arg(long, value_parser = parse_email)]
        email: Email,
        #[command(flatten)]
        plan: PlanArgs,
        #[command(flatten)]
        restrictions: RestrictionArgs,
    },
    /// List all accounts, closed ones included
    List,
    /// Show one account and its keys
    Show {
        /// Account id or e-mail address
        account: AccountRef,
    },
    /// Change an account's plan
    SetPlan {
        /// Account id or e-mail address
        account: AccountRef,
        #[command(flatten)]
        plan: PlanArgs,
    },
    /// Change an account's e-mail address; a notice goes to the old and the new one
    SetEmail {
        /// Account id or e-mail address
        account: AccountRef,
        /// The new address; unique among open accounts
        #[arg(long, value_parser = parse_email)]
        email: Email,
    },
    /// Close an account permanently and revoke its keys
    Close {
        /// Account id or e-mail address
        account: AccountRef,
    },
}

#[derive(Debug, Args)]
struct PlanArgs {
    /// free, starter, klein, standaard, plus, pro or enterprise
    #[arg(long)]
    plan: PlanName,
    /// Calls per second; only for the plan `enterprise`
    #[arg(long, value_name = "N", value_parser = number_in(NonZeroU32::MIN..=NonZeroU32::MAX))]
    calls_per_second: Option<NonZeroU32>,
    /// Calls per billing month; only for the plan `enterprise`
    #[arg(long, value_name = "N", value_parser = number_in(NonZeroU32::MIN..=NonZeroU32::MAX))]
    calls_per_month: Option<NonZeroU32>,
    /// Maximum number of lines per bulk request, by default 1000; only for the plan `enterprise`
    #[arg(long, value_name = "N", value_parser = number_in(NonZeroU16::MIN..=NonZeroU16::MAX))]
    bulk_max: Option<NonZeroU16>,
}

impl PlanArgs {
    fn resolve_plan(&self, plans: &Plans) -> Result<Plan, BadPlan> {
        let overrides = CustomLimits {
            calls_per_month: self.calls_per_month,
            calls_per_second: self.calls_per_second,
            bulk_max: self.bulk_max,
        };
        plans.resolve(self.plan, overrides)
    }
}

/// Runs one `accounts` command and prints the result to `out`.
pub(super) fn run(
    args: AccountsArgs,
    flags: &AccountStoreFlags,
    out: &mut dyn Write,
) -> Result<(), CommandError> {
    let json = args.json;
    match args.action {
        AccountsAction::Manage(action) => {
            let creates = matches!(action, AccountAction::Create { .. });
            if creates {
                check_stdout_open()?;
            }
            account_store::with_account_store(flags, creates, async |store| {
                manage(action, store, json, out).await
            })
        }
        AccountsAction::Backup(action) => {
            backup::run(&action, json, &account_store::load_config(flags)?, out)
        }
    }
}

async fn manage(
    action: AccountAction,
    store: &AccountStore,
    json: bool,
    out: &mut dyn Write,
) -> anyhow::Result<()> {
    match action {
        AccountAction::Create {
            email,
            plan,
            restrictions,
        } => {
            let new = NewAccount {
                email,
                plan: plan.resolve_plan(&store.plans())?,
                restrictions: restrictions.into(),
            };
            create(new, store, json, out).await
        }
        AccountAction::List => list(store, json, out).await,
        AccountAction::Show { account } => show(&account, store, json, out).await,
        AccountAction::SetPlan { account, plan } => {
            let account = set_plan(store, &account, plan.resolve_plan(&store.plans())?).await?;
            print_account(&account, json, out)
        }
        AccountAction::SetEmail { account, email } => {
            let account = set_email(store, &account, email, Timestamp::now()).await?;
            print_account(&account, json, out)
        }
        AccountAction::Close { account } => close(&account, store, json, out).await,
    }
}

async fn create(
    new: NewAccount,
    store: &AccountStore,
    json: bool,
    out: &mut dyn Write,
) -> anyhow::Result<()> {
    let restrictions = new.restrictions.clone();
    let created = create_account(store, new, Timestamp::now()).await?;
    let account = &created.account;
    let [live_key, test_key] = [created.live_key.reveal(), created.test_key.reveal()];
    let done = format!(
        "account {} with a live and a test key was created",
        account.id
    );
    let remedy = format!(
        "Replace each key that you need: `postduif keys list --account {}` shows their ids, and `postduif keys rotate ID --grace 0s` \
         replaces one",
        account.id
    );
    write_new_keys(out, &done, &remedy, |out| {
        if json {
            // The names and the order of the fields are documented, so they must not change.
            let output = json!({ "account": account, "live_key": live_key, "test_key": test_key });
            return print_json(&output, out);
        }
        write_account(account, out)?;
        writeln!(out, "live key  {live_key}")?;
        writeln!(out, "test key  {test_key}")?;
        writeln!(out, "both keys")?;
        writeln!(out, "    rights    {}", rights_label(&restrictions))?;
        write_restrictions(&restrictions, out)?;
        writeln!(
            out,
            "The keys are shown only once: the database has only their digests."
        )?;
        Ok(())
    })
}

async fn list(store: &AccountStore, json: bool, out: &mut dyn Write) -> anyhow::Result<()> {
    let accounts = list_accounts(store).await?;
    if json {
        return print_json(&accounts, out);
    }
    writeln!(
        out,
        "{:36}  {:10}  {:20}  {:20}  e-mail",
        "account", "plan", "created", "closed"
    )?;
    for account in &accounts {
        let closed = shown_time(account.closed_at);
        let (id, plan, created, email) = (
            account.id,
            account.plan.name(),
            account.created_at,
            &account.email,
        );
        writeln!(
            out,
            "{id:36}  {plan:10}  {created:20}  {closed:20}  {email}"
        )?;
    }
    Ok(())
}

async fn show(
    account_ref: &AccountRef,
    store: &AccountStore,
    json: bool,
    out: &mut dyn Write,
) -> anyhow::Result<()> {
    let account = get_account(store, account_ref).await?;
    let keys = list_keys(store, Some(account.id)).await?;
    if json {
        return print_json(&json!({ "account": account, "keys": keys }), out);
    }
    write_account(&account, out)?;
    writeln!(out)?;
    write_keys(&keys, out)
}

async fn close(
    account_ref: &AccountRef,
    store: &AccountStore,
    json: bool,
    out: &mut dyn Write,
) -> anyhow::Result<()> {
    let closed = close_account(store, account_ref, Timestamp::now()).await?;
    if json {
        let output = json!({ "account": closed.account, "revokedKeys": closed.revoked_keys });
        return print_json(&output, out);
    }
    write_account(&closed.account, out)?;
    writeln!(out, "keys revoked: {}", closed.revoked_keys)?;
    Ok(())
}

fn print_account(account: &Account, json: bool, out: &mut dyn Write) -> anyhow::Result<()> {
    match json {
        true => print_json(&json!({ "account": account }), out),
        false => write_account(account, out),
    }
}

fn write_account(account: &Account, out: &mut dyn Write) -> anyhow::Result<()> {
    let limits = account.plan.limits();
    writeln!(out, "account   {}", account.id)?;
    writeln!(out, "e-mail    {}", account.email)?;
    write!(out, "plan      {}: ", account.plan.name())?;
    write!(
        out,
        "{} calls a month, {} a second, ",
        limits.calls_per_month, limits.calls_per_second
    )?;
    match limits.bulk_max {
        Some(lines) => writeln!(out, "{lines} lines a bulk request")?,
        None => writeln!(out, "no bulk")?,
    }
    writeln!(out, "tag       {}", account.tag)?;
    writeln!(out, "created   {}", account.created_at)?;
    if let Some(at) = account.closed_at {
        writeln!(out, "closed    {at}")?;
    }
    Ok(())
}

/// Parses the e-mail address of an account that is created or changed. Rejects an address to which notices cannot be sent.
fn parse_email(text: &str) -> anyhow::Result<Email> {
    let email: Email = text.parse()?;
    ensure!(
        can_receive_notices(&email),
        "malformed e-mail address {text:?}; expected only the address, such as name@example.org"
    );
    Ok(email)
}

#[cfg(test)]
mod tests;
