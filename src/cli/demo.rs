//! `postduif demo`: indexes a made-up town, creates keys and serves the town.

use std::io::Write;
use std::net::SocketAddr;
use std::path::Path;

use anyhow::Context as _;
use jiff::Timestamp;
use postduif_indexer::Build;
use postduif_schema::Address;

use super::flags::DemoFlags;
use super::runtimes::new_current_thread_runtime;
use super::serve::{self, OnSighup};
use super::signals::DeferredTermination;
use super::{CommandError, account_store, index};
use crate::accounts::{
    AccountRef, AccountStore, CustomLimits, Environment, NewAccount, NewKey, PlanName,
    Restrictions, create_account, create_key, get_account,
};
use crate::config::Config;

/// The made-up town and its post-office boxes. testdata/README.md describes how they are made.
const TOWN_ZIP: &[u8] = include_bytes!("../../testdata/town.zip");
const PO_BOXES_CSV: &[u8] = include_bytes!("../../testdata/po-boxes.csv");
const EMAIL: &str = "demo@example.org";

/// Indexes the town and serves it until a signal. Without `--data`, all files are deleted at the end, also if SIGTERM or SIGINT
/// arrives before the town is served.
pub(super) fn run(flags: &DemoFlags, out: &mut dyn Write) -> Result<(), CommandError> {
    serve::limit_core_dumps();
    let termination = DeferredTermination::new().context("listening for signals")?;
    let temporary = tempfile::tempdir().context("creating a temporary folder")?;
    let load_config = flags.demo_config_loader(&temporary.path().join("data"));
    let (config, _) = load_config()?;
    build_town(temporary.path(), &config)?;
    termination.check()?;
    let example = example_address(&config)?;
    let keys = create_demo_keys(&config)?;
    serve::serve_until_stopped(load_config, OnSighup::Exit, |listeners| {
        // The service has its own signal handlers by now. A signal that arrived earlier is found here.
        termination.check()?;
        print_instructions(&example, &keys, listeners, out)
    })
}

fn build_town(folder: &Path, config: &Config) -> Result<(), CommandError> {
    let [extract, po_boxes] =
        [("town.zip", TOWN_ZIP), ("po-boxes.csv", PO_BOXES_CSV)].map(|(name, bytes)| {
            let path = folder.join(name);
            std::fs::write(&path, bytes)
                .with_context(|| path.display().to_string())
                .map(|()| path)
        });
    let build = Build {
        po_boxes: Some(po_boxes?),
        ..Build::new(extract?)
    };
    index::build_generation(&build, &config.data).map(drop)
}

/// The first address of the town, for the example requests.
fn example_address(config: &Config) -> Result<Address, CommandError> {
    let current = index::resolve_generation(None, &config.data)?;
    let generation = index::open_generation(&config.data, current)?;
    let first = generation.addresses.iter().next();
    let first = first.context("the town has no address")?;
    Ok(first.context("reading the generation")?)
}

/// The keys that the demonstration prints. The test page does not use these keys, but the public live key.
struct DemoKeys {
    live: String,
    sandbox: String,
}

fn create_demo_keys(config: &Config) -> Result<DemoKeys, CommandError> {
    let runtime = new_current_thread_runtime()?;
    Ok(runtime.block_on(async {
        let store = account_store::open(config).await?;
        let keys = create_account_keys(&store).await;
        store.close().await;
        keys
    })?)
}

/// Creates an account with two keys. If the account already exists, creates two more keys for it.
async fn create_account_keys(store: &AccountStore) -> anyhow::Result<DemoKeys> {
    let email: AccountRef = EMAIL.parse()?;
    if get_account(store, &email).await.is_err() {
        let plan = store
            .plans()
            .resolve(PlanName::Pro, CustomLimits::default())?;
        let created = create_account(
            store,
            NewAccount {
                email: EMAIL.parse()?,
                plan,
                restrictions: Restrictions::default(),
            },
            Timestamp::now(),
        )
        .await?;
        return Ok(DemoKeys {
            live: created.live_key.reveal().to_owned(),
            sandbox: created.test_key.reveal().to_owned(),
        });
    }
    Ok(DemoKeys {
        live: create_demo_key(store, &email, Environment::Live).await?,
        sandbox: create_demo_key(store, &email, Environment::Test).await?,
    })
}

async fn create_demo_key(
    store: &AccountStore,
    account: &AccountRef,
    environment: Environment,
) -> anyhow::Result<String> {
    let new = NewKey {
        account_ref: account.clone(),
        environment,
        restrictions: Restrictions::default(),
    };
    let (_, key) = create_key(store, new, Timestamp::now()).await?;
    Ok(key.reveal().to_owned())
}

fn print_instructions(
    example: &Address,
    keys: &DemoKeys,
    [live, sandbox]: [SocketAddr; 2],
    out: &mut dyn Write,
) -> anyhow::Result<()> {
    writeln!(
        out,
        "\npostduif serves a made-up town at http://{live} and its sandbox at http://{sandbox}.\n"
    )?;
    writeln!(
        out,
        "live key     {}\nsandbox key  {}\npage         http://{live}/#q={}+{}\n\nTry:",
        keys.live, keys.sandbox, example.postcode, example.number
    )?;
    let curl = |key: &str| format!("  curl -H 'X-Api-Key: {key}'");
    for (path, options) in example_requests(example) {
        writeln!(out, "{} 'http://{live}{path}'{options}", curl(&keys.live))?;
    }
    let sandboxed = "/v3/lookup/6545CA/29";
    writeln!(out, "{} 'http://{sandbox}{sandboxed}'", curl(&keys.sandbox))?;
    writeln!(out, "\nCtrl-C stops it.")?;
    Ok(out.flush()?)
}

/// An example request for each endpoint: the path, and further options of curl.
fn example_requests(example: &Address) -> Vec<(String, String)> {
    let Address {
        id,
        postcode,
        number,
        street,
        city,
        ..
    } = example;
    // A shell string in single quotes cannot contain `'`. So `’` replaces it, which the search treats as the same character.
    let town: String = city.chars().take(4).collect();
    let typed = format!("{street} {number} {town}").replace('\'', "’");
    // Replace a digit by a letter that looks like it, which is a common typing error.
    let mistyped = postcode.to_string().replacen('1', "I", 1);
    let look_ups = [
        format!("/v3/lookup/{postcode}/{number}"),
        format!("/v1/addresses?postcode={postcode}&number={number}"),
        format!("/v1/addresses/{id}"),
        format!("/v1/postcodes/{postcode}"),
    ];
    let reverse = example.location.map(|location| {
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
    let plain = look_ups.into_iter().chain(reverse);
    plain
        .map(|path| (path, String::new()))
        .chain(with_options.map(|(path, options)| (path.to_owned(), options)))
        .collect()
}
