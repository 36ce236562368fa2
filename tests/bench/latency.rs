//! Measures each kind of request inside the process: from the request in memory to the finished body, including the key check and
//! the JSON.
//!
//! Each request runs three times, and the shortest time is used, which excludes most other work of the machine. Type-ahead requests
//! are sent letter by letter, as people type.

use std::io::Write as _;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use anyhow::Context as _;
use axum::body::{Body, to_bytes};
use axum::http::Request;
use percent_encoding::{NON_ALPHANUMERIC, utf8_percent_encode};
use postduif::snapshot::Snapshot;
use postduif_schema::{ADDRESSES_DIR, Address, AddressIndex, DataFolder};

use crate::chance::Chance;
use crate::in_process::Service;
use crate::keystrokes;
use crate::suite::sample::draw;

#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// Data folder with a published generation; by default the bundled town
    #[arg(long)]
    data: Option<PathBuf>,
    /// Addresses per kind of request
    #[arg(long, default_value_t = 500)]
    queries: usize,
    /// Seed of the addresses
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// How many of the slowest requests of each kind to print
    #[arg(long, default_value_t = 0)]
    show_slowest: usize,
}

/// The requests of one kind, and the number of lines in each request.
struct Kind {
    name: String,
    requests: Vec<RequestSpec>,
    lines: u32,
}

struct RequestSpec {
    path: String,
    body: Option<String>,
}

pub(crate) fn run(arguments: &Arguments) -> anyhow::Result<()> {
    let temporary = tempfile::tempdir()?;
    let data = match &arguments.data {
        Some(data) => DataFolder::new(data),
        None => crate::country::bundled_town(temporary.path())?,
    };
    let generation = data
        .current_generation()?
        .context("no generation is published")?;
    let index = AddressIndex::open(&data.generation_path(generation).join(ADDRESSES_DIR))?;
    let kinds = kinds(&index, arguments)?;
    let mut out = std::io::stdout();
    writeln!(
        out,
        "{} addresses, minimum of three, in microseconds\n",
        index.len()
    )?;
    drop(index);
    let service = Service::new(Snapshot::open(&data, generation, None)?);
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .enable_time()
        .build()?;
    writeln!(
        out,
        "{:<34} {:>7} {:>8} {:>8} {:>8} {:>8}",
        "kind", "requests", "mean", "p50", "p99", "max"
    )?;
    for kind in kinds {
        let times = runtime.block_on(time(&service, &kind))?;
        row(&kind, &times, &mut out)?;
        slowest(&kind, &times, arguments.show_slowest, &mut out)?;
    }
    Ok(())
}

async fn time(service: &Service, kind: &Kind) -> anyhow::Result<Vec<Duration>> {
    let mut times = Vec::with_capacity(kind.requests.len());
    for asked in &kind.requests {
        let mut least = Duration::MAX;
        for _ in 0..3 {
            let request = asked.request(&service.key)?;
            let start = Instant::now();
            let response = service.http.handle(request, None).await;
            let duration = start.elapsed();
            anyhow::ensure!(
                response.status().is_success(),
                "{}: {}",
                asked.path,
                response.status()
            );
            to_bytes(response.into_body(), usize::MAX).await?;
            least = least.min(duration);
        }
        times.push(least);
    }
    Ok(times)
}

fn slowest(
    kind: &Kind,
    times: &[Duration],
    most: usize,
    out: &mut dyn std::io::Write,
) -> anyhow::Result<()> {
    let mut order: Vec<usize> = (0..times.len()).collect();
    order.sort_unstable_by_key(|&at| std::cmp::Reverse(times[at]));
    for &at in order.iter().take(most) {
        let path = percent_encoding::percent_decode_str(&kind.requests[at].path);
        let path: String = path.decode_utf8_lossy().chars().take(100).collect();
        writeln!(out, "    {:>8.1} {path}", times[at].as_secs_f64() * 1e6)?;
    }
    Ok(())
}

fn row(kind: &Kind, times: &[Duration], out: &mut dyn std::io::Write) -> anyhow::Result<()> {
    let mut times = times.to_vec();
    times.sort_unstable();
    let count = u32::try_from(times.len()).context("there are 2³² requests or more")?;
    let us = |time: Duration| time.as_secs_f64() * 1e6 / f64::from(kind.lines);
    let at = |permille: usize| times.get(times.len() * permille / 1000).copied();
    let mean = times.iter().sum::<Duration>() / count.max(1);
    let columns = [Some(mean), at(500), at(990), times.last().copied()];
    write!(out, "{:<34} {count:>7}", kind.name)?;
    for time in columns {
        write!(out, " {:>8.1}", us(time.unwrap_or_default()))?;
    }
    Ok(writeln!(out)?)
}

impl RequestSpec {
    fn get(path: String) -> Self {
        Self { path, body: None }
    }

    fn autocomplete(text: &str) -> Self {
        let text = utf8_percent_encode(text, NON_ALPHANUMERIC);
        Self::get(format!("/v1/autocomplete?q={text}"))
    }

    fn post(path: &str, body: String) -> Self {
        Self {
            path: path.into(),
            body: Some(body),
        }
    }

    fn request(&self, key: &str) -> anyhow::Result<Request<Body>> {
        let request = Request::builder()
            .uri(&self.path)
            .header("Host", "localhost")
            .header("X-Api-Key", key);
        Ok(match &self.body {
            None => request.body(Body::empty())?,
            Some(body) => request
                .method("POST")
                .header("Content-Type", "application/json")
                .body(Body::from(body.clone()))?,
        })
    }
}

fn kinds(index: &AddressIndex, arguments: &Arguments) -> anyhow::Result<Vec<Kind>> {
    let (typed, mistyped) = (keystrokes::typed_classes(), keystrokes::mistyped_classes());
    let (queries, seed) = (arguments.queries, arguments.seed);
    let mut kinds = Vec::new();
    for (class, cases) in draw(index, &typed, queries.min(200), seed) {
        let requests = cases.iter().flat_map(|case| letters(&case.typed)).collect();
        kinds.push(Kind::new(format!("typing: {}", class.name), requests));
    }
    for (class, cases) in draw(index, &mistyped, queries, seed) {
        let requests = cases
            .iter()
            .map(|case| RequestSpec::autocomplete(&case.typed))
            .collect();
        kinds.push(Kind::new(class.name.to_owned(), requests));
    }
    kinds.push(Kind::new("odd queries".into(), odd()));
    kinds.extend(of_addresses(&sample(index, queries, seed)?, seed));
    Ok(kinds)
}

/// One request for each text in the input field, from the second letter on.
fn letters(text: &str) -> impl Iterator<Item = RequestSpec> {
    let ends = text.char_indices().skip(1).map(|(at, c)| at + c.len_utf8());
    let typed = ends.map(|end| text[..end].trim());
    typed
        .filter(|typed| typed.chars().count() > 1)
        .map(RequestSpec::autocomplete)
}

/// Meaningless queries that some clients send.
fn odd() -> Vec<RequestSpec> {
    let texts = [
        "a b c d e f g h i j k l".to_owned(),
        "d v d v d v d v d v".to_owned(),
        "van der van de van den".to_owned(),
        "de de de de de de".to_owned(),
        "straat laan weg plein".to_owned(),
        "s 1 a 2 b 3 c 4 d".to_owned(),
        "1 1 1 1 1 1 1 1 1 1 1 1".to_owned(),
        "1000 1000 1000 1000".to_owned(),
        "xxxxx yyyyy zzzzz wwwww vvvvv uuuuu".to_owned(),
        "burgmeester vann dre straatweglaan noord".to_owned(),
        "burg prof dr mr van de str ln pl".to_owned(),
        "\u{202e}\u{200f}\u{0}\u{1}\u{7f} ab".to_owned(),
        "9".repeat(4_000),
        "a ".repeat(2_000),
        "kerkstraat ".repeat(900),
        "1234ab ".repeat(1_000),
        "é".repeat(1_500),
        "x".repeat(9_000),
    ];
    texts
        .iter()
        .map(|text| RequestSpec::autocomplete(text))
        .collect()
}

/// Addresses that are spread evenly over the index.
fn sample(index: &AddressIndex, wanted: usize, seed: u64) -> anyhow::Result<Vec<Address>> {
    let every = usize::try_from(index.len())? / wanted.max(1);
    let first = Chance::seeded(seed).below(every.max(1));
    let chosen = index.iter().skip(first).step_by(every.max(1));
    Ok(chosen.take(wanted).collect::<Result<_, _>>()?)
}

fn of_addresses(addresses: &[Address], seed: u64) -> Vec<Kind> {
    let mut chance = Chance::seeded(seed);
    let places: Vec<_> = addresses
        .iter()
        .filter_map(|address| address.location)
        .collect();
    let around = |limit: u32| {
        let near = places.iter().map(|place| {
            let (lon, lat) = (
                place.lon_lat.lon_deg() + 0.0003,
                place.lon_lat.lat_deg() - 0.0002,
            );
            RequestSpec::get(format!("/v1/reverse?lat={lat}&lon={lon}&limit={limit}"))
        });
        near.collect()
    };
    let mut validations = |mistype: bool, names: bool| {
        let entered = addresses.iter().map(|address| {
            let mut postcode = address.postcode.ascii();
            if mistype {
                postcode[5] = b'A' + u8::try_from(chance.below(26)).unwrap_or_default();
            }
            let names = match names {
                true => serde_json::json!({"street": &*address.street, "city": &*address.city}),
                false => serde_json::json!({}),
            };
            let mut body = names;
            body["postcode"] = String::from_utf8_lossy(&postcode).into_owned().into();
            body["number"] = address.number.get().into();
            RequestSpec::post("/v1/validate", body.to_string())
        });
        entered.collect()
    };
    let validate = [
        Kind::new("validate: correct".into(), validations(false, true)),
        Kind::new("validate: a wrong letter".into(), validations(true, false)),
        Kind::new(
            "validate: a wrong letter, names".into(),
            validations(true, true),
        ),
    ];
    let lines: Vec<_> = addresses.iter().cycle().take(1_000).collect();
    let lines: Vec<_> = lines
        .iter()
        .map(|address| serde_json::json!({"postcode": address.postcode, "number": address.number}))
        .collect();
    let bulk = serde_json::json!({ "addresses": lines }).to_string();
    let bulk = (0..20).map(|_| RequestSpec::post("/v1/bulk/lookup", bulk.clone()));
    let look_ups = addresses.iter().map(|address| {
        RequestSpec::get(format!(
            "/v3/lookup/{}/{}",
            address.postcode, address.number
        ))
    });
    let mut kinds = vec![
        Kind::new("v3 look-up".into(), look_ups.collect()),
        Kind::new("reverse, 10 in 1000 m".into(), around(10)),
        Kind::new("reverse, 50 in 1000 m".into(), around(50)),
    ];
    kinds.extend(validate);
    kinds.push(Kind {
        lines: 1_000,
        ..Kind::new(
            "bulk, per line, 1,000 lines in a request".into(),
            bulk.collect(),
        )
    });
    kinds
}

impl Kind {
    fn new(name: String, requests: Vec<RequestSpec>) -> Self {
        Self {
            name,
            requests,
            lines: 1,
        }
    }
}
