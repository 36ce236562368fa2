//! Measures the alternative to `postduif check`: a loop over `/v1/validate`, first on one connection, then on one connection per
//! core.

use std::io::Write;
use std::net::SocketAddr;
use std::num::NonZeroUsize;
use std::thread;
use std::time::{Duration, Instant};

use anyhow::ensure;
use postduif_schema::DataFolder;
use serde_json::json;

use crate::client::Client;
use crate::customer_files::CustomerRow;
use crate::process::{self, Service};
use crate::speed::rate_text;
use crate::{cpu, paths};

/// The quota of the account, which is more calls than any run makes.
const CALLS_PER_MONTH: u32 = 4_000_000_000;

/// Sends a request for each row. Builds all requests before the measurement, so that the client costs as little as possible.
pub(crate) fn run(
    data: &DataFolder,
    rows: &[CustomerRow],
    out: &mut impl Write,
) -> anyhow::Result<()> {
    let [key, _] = process::open_enterprise(data.path(), CALLS_PER_MONTH);
    let requests: Vec<Vec<u8>> = rows.iter().map(|row| request(row, &key)).collect();
    let service = Service::start(data.path(), &[]);
    let cores = thread::available_parallelism().map_or(1, NonZeroUsize::get);
    for connections in [1, cores] {
        let before = total_processor_time(&service)?;
        let started = Instant::now();
        send_all(service.address("live"), &requests, connections)?;
        let text = rate_text(
            rows.len(),
            started.elapsed(),
            total_processor_time(&service)? - before,
        );
        writeln!(
            out,
            "loop over /v1/validate: {} rows, connections: {connections}: {text}, of service and client",
            rows.len()
        )?;
    }
    Ok(())
}

/// The processor time of the service and of this process together.
fn total_processor_time(service: &Service) -> anyhow::Result<Duration> {
    Ok(cpu::processor_time(service.id())? + cpu::processor_time(std::process::id())?)
}

fn request(row: &CustomerRow, key: &str) -> Vec<u8> {
    let [postcode, number, letter, addition, street, city] = &row.cells;
    let body = json!({"postcode": postcode, "number": number, "letter": letter, "addition": addition, "street": street, "city": city});
    paths::post("/v1/validate", key, &body.to_string())
}

/// Divides the requests among the connections. Each connection sends its requests one after the other.
fn send_all(server: SocketAddr, requests: &[Vec<u8>], connections: usize) -> anyhow::Result<()> {
    let part = requests.len().div_ceil(connections);
    thread::scope(|scope| {
        let clients: Vec<_> = requests
            .chunks(part)
            .map(|part| scope.spawn(|| send_part(server, part)))
            .collect();
        clients
            .into_iter()
            .try_for_each(|client| client.join().expect("a client does not panic"))
    })
}

fn send_part(server: SocketAddr, requests: &[Vec<u8>]) -> anyhow::Result<()> {
    let mut client = Client::new(server);
    for request in requests {
        let answer = client.send(request)?;
        ensure!(
            answer.status == 200,
            "{}",
            String::from_utf8_lossy(answer.body)
        );
    }
    Ok(())
}
