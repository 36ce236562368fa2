//! Compares the answers of a service whose cache earlier requests have filled with the answers of a service without a cache.

use std::hash::{DefaultHasher, Hash as _, Hasher as _};

use anyhow::ensure;

use crate::client::Client;
use crate::process::Service;
use crate::server_metrics::ServerMetrics;
use crate::table::Table;
use crate::turns::PreparedScenario;
use crate::wrk;

/// The number of requests that are compared.
const COMPARED_REQUESTS: usize = 100_000;

/// Requests, each with a hash of the answer from a service that has answered most of these requests before.
pub(crate) struct CachedAnswers(Vec<(Vec<u8>, u64)>);

impl CachedAnswers {
    /// Sends requests to a service that has answered them before. Adds the share of cache hits to the table.
    pub(crate) fn read(
        ready: &[PreparedScenario],
        service: &Service,
        table: &mut Table,
    ) -> anyhow::Result<Self> {
        let metrics = ServerMetrics::fetch(service.address("admin"))?;
        let count =
            |kind: &str| metrics.sum(&format!("postduif_suggestion_cache_{kind}_total"), &[]);
        let (hits, misses) = (count("hits"), count("misses"));
        let percent = 100.0 * hits / (hits + misses);
        let line = format!("traffic: {percent:.1}% of the calls found their places in the cache");
        table.add_detail("trafficHitPercent", &percent, line)?;
        let mut requests = Vec::new();
        for ready in ready {
            requests.extend(wrk::requests(ready.table())?);
        }
        requests.truncate(COMPARED_REQUESTS);
        let mut client = Client::new(service.address("live"));
        let mut answers = Vec::with_capacity(requests.len());
        for request in requests {
            let answer = hash(client.send(&request)?.body);
            answers.push((request, answer));
        }
        Ok(Self(answers))
    }

    /// Sends the same requests to a service without a cache. The bodies must be equal, byte for byte.
    pub(crate) fn compare(self, plain: &Service) -> anyhow::Result<()> {
        let mut client = Client::new(plain.address("live"));
        for (request, kept) in self.0 {
            let is_same = hash(client.send(&request)?.body) == kept;
            let request = String::from_utf8_lossy(&request);
            let first = request.lines().next().unwrap_or_default();
            ensure!(
                is_same,
                "{first}: the answers with and without the cache differ"
            );
        }
        Ok(())
    }
}

fn hash(body: &[u8]) -> u64 {
    let mut hasher = DefaultHasher::new();
    body.hash(&mut hasher);
    hasher.finish()
}
