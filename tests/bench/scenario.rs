//! What is asked: paths of addresses spread over the whole generation.

use std::net::SocketAddr;

use anyhow::Context as _;
use postduif::index::Snapshot;
use postduif_schema::{ADDRESSES, Address, AddressIndex, DataFolder};

use crate::paths::{self, near};
use crate::server::Child;

/// How many different paths each scenario has.
const PATHS: usize = 20_000;

/// One kind of request to one server.
pub(crate) struct Scenario {
    pub(crate) name: String,
    pub(crate) server: SocketAddr,
    pub(crate) process: u32,
    /// Whole requests, ready to be sent.
    pub(crate) requests: Vec<Vec<u8>>,
}

/// Every scenario, the bare server first, and how many addresses there are. Each server of postduif has an end for the names of
/// its scenarios; they take turns.
pub(crate) fn all(
    data: &DataFolder,
    bare: &Child,
    servers: &[(&str, Child)],
) -> anyhow::Result<(Vec<Scenario>, u64)> {
    let generation = data.current()?.context("no generation is published")?;
    let addresses = Snapshot::open(data, generation, None)?.address_count();
    let sample = sample(&AddressIndex::open(
        &data.generation_path(generation).join(ADDRESSES),
    )?)?;
    let mut scenarios: Vec<Scenario> = servers
        .iter()
        .flat_map(|(end, server)| of(server, end, &sample))
        .collect();
    // The same scenario of all servers, then the next one.
    let each = scenarios.len() / servers.len().max(1);
    let mut turns: Vec<_> = scenarios.drain(..).enumerate().collect();
    turns.sort_by_key(|(at, _)| at % each);
    let bare = scenario("bare axum", bare, &sample, paths::v3);
    let turns = turns.into_iter().map(|(_, scenario)| scenario);
    Ok((std::iter::once(bare).chain(turns).collect(), addresses))
}

/// What is asked of a server of postduif.
fn of(postduif: &Child, end: &str, sample: &[Address]) -> Vec<Scenario> {
    let located = sample.iter().filter(|address| address.location.is_some());
    let located: Vec<Address> = located.cloned().collect();
    let mut scenarios = vec![
        scenario("v3 look-up", postduif, sample, paths::v3),
        scenario("v1 by number", postduif, sample, paths::by_number),
        scenario("v1 by id", postduif, sample, paths::by_id),
        scenario("v1 postcode", postduif, sample, paths::by_postcode),
        scenario("v1 summary", postduif, sample, |address| {
            format!("/v1/postcodes/{}", address.postcode)
        }),
        scenario("v1 type-ahead", postduif, sample, paths::typed),
        scenario("v1 reverse, 10", postduif, &located, |address| {
            near(address, 10)
        }),
        scenario("v1 reverse, 50", postduif, &located, |address| {
            near(address, 50)
        }),
        submission("v1 validate, mistyped", postduif, sample, paths::mistyped),
        bulk("v1 bulk, 1,000 lines", postduif, sample),
    ];
    for scenario in &mut scenarios {
        scenario.name.push_str(end);
    }
    scenarios
}

fn bulk(name: &str, child: &Child, sample: &[Address]) -> Scenario {
    let line = |address: &Address| {
        let Address {
            postcode, number, ..
        } = address;
        format!("{{\"postcode\":\"{postcode}\",\"number\":{number}}}")
    };
    let lines: Vec<String> = sample.iter().map(line).collect();
    let bodies = lines.chunks(1_000).map(|lines| {
        let body = format!("{{\"addresses\":[{}]}}", lines.join(","));
        post("/v1/bulk/lookup", child, &body)
    });
    Scenario::of(name, child, bodies.collect())
}

fn submission(
    name: &str,
    child: &Child,
    sample: &[Address],
    body: impl Fn(&Address) -> String,
) -> Scenario {
    let bodies = sample
        .iter()
        .map(|address| post("/v1/validate", child, &body(address)));
    Scenario::of(name, child, bodies.collect())
}

fn post(path: &str, child: &Child, body: &str) -> Vec<u8> {
    paths::post(path, &child.key, body)
}

impl Scenario {
    fn of(name: &str, child: &Child, requests: Vec<Vec<u8>>) -> Self {
        Self {
            name: name.to_owned(),
            server: child.address,
            process: child.process(),
            requests,
        }
    }
}

/// Addresses spread evenly over the index, then shuffled by a step that shares no factor with their number.
fn sample(index: &AddressIndex) -> anyhow::Result<Vec<Address>> {
    let step = usize::try_from(index.len())?.div_ceil(PATHS).max(1);
    let spread: Vec<Address> = index.iter().step_by(step).collect::<Result<_, _>>()?;
    Ok((0..spread.len())
        .map(|at| spread[at * 7919 % spread.len()].clone())
        .collect())
}

fn scenario(
    name: &str,
    child: &Child,
    sample: &[Address],
    path: impl Fn(&Address) -> String,
) -> Scenario {
    let request = |address| paths::get(&path(address), &child.key);
    let requests = sample.iter().map(request);
    Scenario::of(name, child, requests.collect())
}
