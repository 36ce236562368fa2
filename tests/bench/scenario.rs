//! What is asked: paths of addresses spread over the whole generation.

use std::net::SocketAddr;

use anyhow::Context as _;
use postduif::index::Snapshot;
use postduif_schema::{ADDRESSES, Address, AddressIndex, DataFolder};

use crate::server::{Child, KEY_HEADER};

/// How many different paths each scenario has.
const PATHS: usize = 20_000;

/// One kind of request to one server.
pub(crate) struct Scenario {
    pub(crate) name: &'static str,
    pub(crate) server: SocketAddr,
    pub(crate) process: u32,
    /// Whole requests, ready to be sent.
    pub(crate) requests: Vec<Vec<u8>>,
}

/// Every scenario, the bare server first, and how many addresses there are.
pub(crate) fn all(
    data: &DataFolder,
    bare: &Child,
    postduif: &Child,
) -> anyhow::Result<(Vec<Scenario>, u64)> {
    let generation = data.current()?.context("no generation is published")?;
    let addresses = Snapshot::open(data, generation, None)?.address_count();
    let sample = sample(&AddressIndex::open(
        &data.generation_path(generation).join(ADDRESSES),
    )?)?;
    let v3 = |address: &Address| format!("/v3/lookup/{}/{}", address.postcode, address.number);
    let number = |address: &Address| {
        format!(
            "/v1/addresses?postcode={}&number={}",
            address.postcode, address.number
        )
    };
    let scenarios = vec![
        scenario("bare axum", bare, &sample, v3),
        scenario("v3 look-up", postduif, &sample, v3),
        scenario("v1 by number", postduif, &sample, number),
        scenario("v1 by id", postduif, &sample, |address| {
            format!("/v1/addresses/{}", address.id)
        }),
        scenario("v1 postcode", postduif, &sample, |address| {
            format!("/v1/addresses?postcode={}", address.postcode)
        }),
        scenario("v1 summary", postduif, &sample, |address| {
            format!("/v1/postcodes/{}", address.postcode)
        }),
    ];
    Ok((scenarios, addresses))
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
    name: &'static str,
    child: &Child,
    sample: &[Address],
    path: impl Fn(&Address) -> String,
) -> Scenario {
    let request = |address| {
        format!(
            "GET {} HTTP/1.1\r\nHost: bench\r\n{KEY_HEADER}: {}\r\n\r\n",
            path(address),
            child.key
        )
    };
    let requests = sample
        .iter()
        .map(|address| request(address).into_bytes())
        .collect();
    Scenario {
        name,
        server: child.address,
        process: child.process(),
        requests,
    }
}
