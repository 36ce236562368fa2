//! What is asked: paths of addresses spread over the whole generation.

use std::net::SocketAddr;

use anyhow::Context as _;
use percent_encoding::{NON_ALPHANUMERIC, utf8_percent_encode};
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
    let located = sample.iter().filter(|address| address.location.is_some());
    let located: Vec<Address> = located.cloned().collect();
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
        scenario("v1 type-ahead", postduif, &sample, typed),
        scenario("v1 reverse, 10", postduif, &located, |address| {
            near(address, 10)
        }),
        scenario("v1 reverse, 50", postduif, &located, |address| {
            near(address, 50)
        }),
        submission("v1 validate, mistyped", postduif, &sample, mistyped),
        bulk("v1 bulk, 1,000 lines", postduif, &sample),
    ];
    Ok((scenarios, addresses))
}

/// What stands in the field at some moment while an address is typed: from the third letter to the last.
fn typed(address: &Address) -> String {
    let Address {
        street,
        number,
        city,
        ..
    } = address;
    let whole = format!("{street} {number} {city}");
    let letters = whole.chars().count();
    // From the third on, because a space at the end does not count.
    let moment = usize::try_from(address.id.get()).unwrap_or_default() % (letters - 2) + 3;
    let typed: String = whole.chars().take(moment).collect();
    let typed = utf8_percent_encode(typed.trim(), NON_ALPHANUMERIC);
    format!("/v1/autocomplete?q={typed}")
}

/// Some thirty metres from an address.
fn near(address: &Address, limit: u32) -> String {
    let lon_lat = address.location.map(|location| location.lon_lat);
    let [lon, lat] = lon_lat.map_or([5.0, 52.0], |place| [place.lon_deg(), place.lat_deg()]);
    let (lon, lat) = (lon + 0.0003, lat - 0.0002);
    format!("/v1/reverse?lat={lat}&lon={lon}&limit={limit}")
}

/// An address whose postcode ends in the next letter.
fn mistyped(address: &Address) -> String {
    let mut postcode = address.postcode.ascii();
    postcode[5] = if postcode[5] == b'Z' {
        b'A'
    } else {
        postcode[5] + 1
    };
    let postcode = String::from_utf8_lossy(&postcode);
    let number = address.number;
    format!("{{\"postcode\":\"{postcode}\",\"number\":{number}}}")
}

fn bulk(name: &'static str, child: &Child, sample: &[Address]) -> Scenario {
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
    name: &'static str,
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
    let (key, length) = (&child.key, body.len());
    let head = format!(
        "POST {path} HTTP/1.1\r\nHost: bench\r\n{KEY_HEADER}: {key}\r\nContent-Type: application/json\r\n"
    );
    format!("{head}Content-Length: {length}\r\n\r\n{body}").into_bytes()
}

impl Scenario {
    fn of(name: &'static str, child: &Child, requests: Vec<Vec<u8>>) -> Self {
        Self {
            name,
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
    let requests = sample.iter().map(|address| request(address).into_bytes());
    Scenario::of(name, child, requests.collect())
}
