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
use super::serve::{self, Hangup};
use super::{Failure, index, ledger};
use crate::access::{
    AccountRef, Environment, Ledger, NewAccount, NewKey, OwnNumbers, PlanName, Restrictions,
};
use crate::config::Config;

/// The town and its post-office boxes, made by `postduif synth`; see testdata/README.md.
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

/// A live and a sandbox key.
fn make_keys(config: &Config) -> Result<[String; 2], Failure> {
    let runtime = runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .context("starting the runtime")?;
    Ok(runtime.block_on(async {
        let ledger = ledger::open(config).await?;
        let keys = keys(&ledger).await;
        ledger.close().await;
        keys
    })?)
}

async fn keys(ledger: &Ledger) -> anyhow::Result<[String; 2]> {
    let email: AccountRef = EMAIL.parse()?;
    if ledger.account(&email).await.is_err() {
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
        return Ok([&opened.live_key, &opened.test_key].map(|key| key.reveal().to_owned()));
    }
    let mut keys = [const { String::new() }; 2];
    for (key, environment) in keys.iter_mut().zip([Environment::Live, Environment::Test]) {
        let new = NewKey {
            account: email.clone(),
            environment,
            restrictions: Restrictions::default(),
        };
        *key = ledger
            .create_key(new, Timestamp::now())
            .await?
            .1
            .reveal()
            .to_owned();
    }
    Ok(keys)
}

fn print(
    example: &Address,
    [live_key, test_key]: &[String; 2],
    [live, sandbox]: [SocketAddr; 2],
    out: &mut dyn Write,
) -> anyhow::Result<()> {
    writeln!(
        out,
        "\npostduif serves a made-up town at http://{live} and its sandbox at http://{sandbox}.\n"
    )?;
    writeln!(
        out,
        "live key     {live_key}\nsandbox key  {test_key}\n\nTry:"
    )?;
    let curl = |key: &str| format!("  curl -H 'X-Api-Key: {key}'");
    for (path, options) in calls(example) {
        writeln!(out, "{} 'http://{live}{path}'{options}", curl(live_key))?;
    }
    let sandboxed = "/v3/lookup/6545CA/29";
    writeln!(out, "{} 'http://{sandbox}{sandboxed}'", curl(test_key))?;
    writeln!(out, "\nCtrl-C stops it.")?;
    Ok(out.flush()?)
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
