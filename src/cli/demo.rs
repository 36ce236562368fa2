//! `postduif demo`: the whole way on a made-up town, from a delivery to answers.

use std::io::Write;
use std::net::SocketAddr;
use std::path::Path;

use anyhow::{Context as _, anyhow};
use jiff::Timestamp;
use postduif_indexer::Build;
use postduif_schema::{Address, Generation};
use tokio::runtime;

use super::flags::DemoFlags;
use super::serve;
use super::serve::Hangup;
use super::{Failure, account_store, index};
use crate::accounts::{
    AccountRef, Environment, Ledger, NewAccount, NewKey, OwnNumbers, PlanName, Restrictions,
};
use crate::config::Config;

/// The bundled town and its post-office boxes; testdata/README.md describes how they are made.
const TOWN: &[u8] = include_bytes!("../../testdata/town.zip");
const PO_BOXES: &[u8] = include_bytes!("../../testdata/po-boxes.csv");
const EMAIL: &str = "demo@example.org";

/// Indexes the town and serves it until told to stop. Without `--data` nothing of it stays.
pub(super) fn run(flags: &DemoFlags, out: &mut dyn Write) -> Result<(), Failure> {
    let temporary = tempfile::tempdir().context("making a temporary folder")?;
    let read = flags.reader_in(&temporary.path().join("data"));
    let (config, _) = read()?;
    build_town(temporary.path(), &config)?;
    let example = example(&config)?;
    let keys = make_keys(&config)?;
    serve::serve_until_stopped(read, Hangup::Ends, |addresses| {
        print(&example, &keys, addresses, out)
    })
}

fn build_town(folder: &Path, config: &Config) -> Result<(), Failure> {
    let [extract, po_boxes] =
        [("town.zip", TOWN), ("po-boxes.csv", PO_BOXES)].map(|(name, bytes)| {
            let path = folder.join(name);
            std::fs::write(&path, bytes)
                .with_context(|| path.display().to_string())
                .map(|()| path)
        });
    let build = Build {
        extract: extract?,
        po_boxes: Some(po_boxes?),
        municipalities: None,
        accept_fewer: false,
    };
    index::build(&build, &config.data).map(drop)
}

/// An address to try.
fn example(config: &Config) -> Result<Address, Failure> {
    let current = config
        .data
        .current()
        .context("looking for the town")?
        .context("the town was just published")?;
    let generation = Generation::open(&config.data.generation_path(current), current)
        .context("opening the town")?;
    let first = generation
        .addresses
        .iter()
        .next()
        .ok_or_else(|| anyhow!("the town has no address"))?;
    Ok(first.context("reading the town")?)
}

/// What the demonstration prints.
struct Keys {
    live: String,
    sandbox: String,
    /// A live key that every page may use: the test page checks addresses with it, and a POST tells its page.
    page: String,
}

fn make_keys(config: &Config) -> Result<Keys, Failure> {
    let runtime = runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .context("starting the runtime")?;
    Ok(runtime.block_on(async {
        let ledger = account_store::open(config).await?;
        let keys = keys(&ledger).await;
        ledger.close().await;
        keys
    })?)
}

async fn keys(ledger: &Ledger) -> anyhow::Result<Keys> {
    let email: AccountRef = EMAIL.parse()?;
    let (live, sandbox) = own_keys(ledger, &email).await?;
    let any_page = Restrictions {
        origins: "*".parse()?,
        ..Restrictions::default()
    };
    let page = new_key(ledger, &email, Environment::Live, any_page).await?;
    Ok(Keys {
        live,
        sandbox,
        page,
    })
}

/// The account's first two keys, or two more of an account that is there already.
async fn own_keys(ledger: &Ledger, email: &AccountRef) -> anyhow::Result<(String, String)> {
    if ledger.account(email).await.is_err() {
        let plan = ledger.plans().plan(PlanName::Pro, OwnNumbers::default())?;
        let opened = ledger
            .create_account(
                NewAccount {
                    email: EMAIL.parse()?,
                    plan,
                    restrictions: Restrictions::default(),
                },
                Timestamp::now(),
            )
            .await?;
        let [live, sandbox] = [opened.live_key, opened.test_key];
        return Ok((live.reveal().to_owned(), sandbox.reveal().to_owned()));
    }
    let servers = Restrictions::default;
    Ok((
        new_key(ledger, email, Environment::Live, servers()).await?,
        new_key(ledger, email, Environment::Test, servers()).await?,
    ))
}

async fn new_key(
    ledger: &Ledger,
    account: &AccountRef,
    environment: Environment,
    restrictions: Restrictions,
) -> anyhow::Result<String> {
    let new = NewKey {
        account: account.clone(),
        environment,
        restrictions,
    };
    let (_, key) = ledger.create_key(new, Timestamp::now()).await?;
    Ok(key.reveal().to_owned())
}

fn print(
    example: &Address,
    keys: &Keys,
    [live, sandbox]: [SocketAddr; 2],
    out: &mut dyn Write,
) -> anyhow::Result<()> {
    writeln!(
        out,
        "\npostduif serves a made-up town at http://{live} and its sandbox at http://{sandbox}.\n"
    )?;
    writeln!(
        out,
        "live key     {}\nsandbox key  {}\npage         http://{live}/#key={}&q={}\n\nTry:",
        keys.live,
        keys.sandbox,
        keys.page,
        first_words(example)
    )?;
    let curl = |key: &str| format!("  curl -H 'X-Api-Key: {key}'");
    for (path, options) in calls(example) {
        writeln!(out, "{} 'http://{live}{path}'{options}", curl(&keys.live))?;
    }
    let sandboxed = "/v3/lookup/6545CA/29";
    writeln!(out, "{} 'http://{sandbox}{sandboxed}'", curl(&keys.sandbox))?;
    writeln!(out, "\nCtrl-C stops it.")?;
    Ok(out.flush()?)
}

/// What the page is to look for first, as a part of its address.
fn first_words(example: &Address) -> String {
    format!("{}+{}", example.postcode, example.number)
}

/// A call of each endpoint that has an answer: path, then further options of curl.
fn calls(example: &Address) -> Vec<(String, String)> {
    let Address {
        id,
        postcode,
        number,
        street,
        city,
        ..
    } = example;
    // In single quotes no single quote can stand; people type either.
    let town: String = city.chars().take(4).collect();
    let typed = format!("{street} {number} {town}").replace('\'', "’");
    // Letters for figures that look like them, as people type them.
    let mistyped = postcode.to_string().replacen('1', "I", 1);
    let look_ups = [
        format!("/v3/lookup/{postcode}/{number}"),
        format!("/v1/addresses?postcode={postcode}&number={number}"),
        format!("/v1/addresses/{id}"),
        format!("/v1/postcodes/{postcode}"),
    ];
    let place = example.location.map(|location| {
        let (lon, lat) = (location.lon_lat.lon_deg(), location.lon_lat.lat_deg());
        format!("/v1/reverse?lat={lat}&lon={lon}&limit=3")
    });
    let line = |postcode: &str| format!("{{\"postcode\":\"{postcode}\",\"number\":{number}}}");
    let lines = format!("{{\"addresses\":[{}]}}", line(&postcode.to_string()));
    let with_options = [
        (
            "/v1/autocomplete",
            format!(" --get --data-urlencode 'q={typed}'"),
        ),
        ("/v1/validate", format!(" --json '{}'", line(&mistyped))),
        ("/v1/bulk/lookup", format!(" --json '{lines}'")),
    ];
    let plain = look_ups.into_iter().chain(place);
    plain
        .map(|path| (path, String::new()))
        .chain(with_options.map(|(path, options)| (path.to_owned(), options)))
        .collect()
}
