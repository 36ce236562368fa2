//! Reads the service's metrics from its admin listener. Source: Prometheus documentation, Exposition formats.

use std::net::SocketAddr;

use anyhow::{Context as _, ensure};

use crate::client::Client;

/// All metrics at one moment.
pub(crate) struct ServerMetrics(String);

/// For increasing bounds in seconds, the number of responses that took at most as long as the bound. The last bound is infinite.
#[derive(Debug, Clone, Default)]
pub(crate) struct Histogram(Vec<(f64, f64)>);

impl ServerMetrics {
    pub(crate) fn fetch(admin: SocketAddr) -> anyhow::Result<Self> {
        let mut client = Client::new(admin);
        let answer = client.send(b"GET /metrics HTTP/1.1\r\nHost: bench\r\n\r\n")?;
        ensure!(answer.status == 200, "/metrics answers {}", answer.status);
        Ok(Self(String::from_utf8(answer.body.to_vec())?))
    }

    /// The sum of a counter over all series whose labels contain each of these texts.
    pub(crate) fn sum(&self, name: &str, labels: &[&str]) -> f64 {
        let fitting = self.values(name, labels);
        fitting.map(|(_, value)| value).sum()
    }

    /// The histogram of response times of a route.
    pub(crate) fn latencies(&self, route: &str) -> Histogram {
        let route = format!("route=\"{route}\"");
        let labels = [&*route];
        let buckets = self.values("postduif_request_seconds_bucket", &labels);
        let bounds = buckets.filter_map(|(labels, count)| {
            let (_, after) = labels.split_once("le=\"")?;
            let (bound, _) = after.split_once('"')?;
            Some((bound.parse().ok()?, count))
        });
        Histogram(bounds.collect())
    }

    fn values(&self, name: &str, wanted: &[&str]) -> impl Iterator<Item = (&str, f64)> {
        self.0.lines().filter_map(move |line| {
            let labelled = line.strip_prefix(name)?;
            let (labels, value) = labelled.rsplit_once(' ')?;
            let whole = labels.is_empty() || labels.starts_with('{');
            let fits = whole && wanted.iter().all(|wanted| labels.contains(wanted));
            Some((labels, value.parse().ok()?)).filter(|_| fits)
        })
    }
}

impl Histogram {
    /// The counts that were added after `before`.
    pub(crate) fn since(&self, before: &Self) -> Self {
        let count_before = |bound: f64| {
            let same = before.0.iter().find(|(other, _)| *other == bound);
            same.map_or(0.0, |(_, count)| *count)
        };
        let since = self.0.iter();
        Self(
            since
                .map(|&(bound, count)| (bound, count - count_before(bound)))
                .collect(),
        )
    }

    /// Adds the counts of another period.
    pub(crate) fn add(&mut self, other: &Self) {
        if self.0.is_empty() {
            self.0.clone_from(&other.0);
            return;
        }
        for ((_, count), (_, more)) in self.0.iter_mut().zip(&other.0) {
            *count += more;
        }
    }

    /// The share of responses that took at most `seconds`. A bucket must end at exactly this bound.
    pub(crate) fn share_within(&self, seconds: f64) -> anyhow::Result<f64> {
        let all = self.0.last().map_or(0.0, |(_, count)| *count);
        let bucket = self.0.iter().find(|(bound, _)| *bound == seconds);
        let (_, count) = bucket.with_context(|| format!("no bucket ends at {seconds} s"))?;
        ensure!(all > 0.0, "nothing was recorded");
        Ok(count / all)
    }

    /// The given quantile of the response times in seconds, interpolated linearly within a bucket.
    pub(crate) fn quantile(&self, share: f64) -> f64 {
        let all = self.0.last().map_or(0.0, |(_, count)| *count);
        let (mut low, mut below) = (0.0, 0.0);
        for &(bound, count) in &self.0 {
            if count >= share * all && bound.is_finite() {
                return low + (bound - low) * (share * all - below) / (count - below).max(1.0);
            }
            (low, below) = (bound, count);
        }
        f64::INFINITY
    }
}
