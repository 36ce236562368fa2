//! Sends a mixed load to every endpoint: mostly type-ahead, and rarely bulk. Deliveries remove addresses while the load runs, so
//! every 404 is checked afterwards.

use std::sync::{Arc, Mutex};

use postduif_schema::{Address, AddressIndex};
use serde_json::json;

use crate::client::Response;
use crate::open_loop::ResponseCheck;
use crate::paths;
use crate::typing::Typist;

/// One in this many requests is a bulk request.
const BULK_EVERY: usize = 100;
const BULK_LINES: usize = 100;

pub(crate) struct Mix {
    pub(crate) requests: Vec<Vec<u8>>,
    subjects: Arc<[Address]>,
    /// The indices of requests that were answered with 404.
    missing: Arc<Mutex<Vec<usize>>>,
}

impl Mix {
    /// Makes one request for each address.
    pub(crate) fn new(sample: Vec<Address>, key: &str) -> Self {
        let mut typist = Typist::new();
        let requests = sample
            .iter()
            .enumerate()
            .map(|(at, address)| request(at, address, &sample, &mut typist, key));
        Self {
            requests: requests.collect(),
            subjects: sample.into(),
            missing: Arc::default(),
        }
    }

    /// A check of responses that accepts successes and records each 404.
    pub(crate) fn response_check(&self) -> ResponseCheck {
        let missing = self.missing.clone();
        Arc::new(move |at, answer: &Response<'_>| match answer.status {
            200..300 => Ok(()),
            404 => {
                missing
                    .lock()
                    .expect("no thread panics while it holds the lock")
                    .push(at);
                Ok(())
            }
            status => Err(format!(
                "{status}: {}",
                String::from_utf8_lossy(answer.body)
            )),
        })
    }

    /// Counts the recorded 404s for addresses that exist in both generations, the previous one and the one that is served now.
    /// Clears the record.
    pub(crate) fn wrongly_missing(&self, generations: [&AddressIndex; 2]) -> anyhow::Result<usize> {
        let mut missing = self
            .missing
            .lock()
            .expect("no thread panics while it holds the lock");
        let missing = std::mem::take(&mut *missing);
        let mut wrong = 0;
        for at in missing {
            let [before, now] = generations.map(|index| self.is_there(at, index));
            wrong += usize::from(before? && now?);
        }
        Ok(wrong)
    }

    /// Whether a generation contains the address of a request.
    fn is_there(&self, at: usize, index: &AddressIndex) -> anyhow::Result<bool> {
        let Address {
            id,
            postcode,
            number,
            ..
        } = self.subjects[at];
        Ok(match self.requests[at].starts_with(b"GET /v3/") {
            true => !index.find_by_number(postcode, number)?.is_empty(),
            false => index.get_by_id(id)?.is_some(),
        })
    }
}

fn request(
    at: usize,
    address: &Address,
    sample: &[Address],
    typist: &mut Typist,
    key: &str,
) -> Vec<u8> {
    if at.is_multiple_of(BULK_EVERY) {
        let lines = sample.iter().cycle().skip(at).take(BULK_LINES);
        let lines = lines.map(
            |line| json!({"postcode": line.postcode.to_string(), "number": line.number.get()}),
        );
        let body = json!({ "addresses": lines.collect::<Vec<_>>() }).to_string();
        return paths::post("/v1/bulk/lookup", key, &body);
    }
    let get = |path: String| paths::get(&path, key);
    match at % 10 {
        0 | 1 => get(paths::v3(address)),
        2 => get(paths::by_number(address)),
        3 => get(paths::by_id(address)),
        4 => get(paths::by_postcode(address)),
        5 => get(paths::near(address, 10)),
        6 => paths::post(
            "/v1/validate",
            key,
            &paths::validation_with_wrong_postcode(address),
        ),
        _ => match typist.keystroke(address) {
            Some(typed) => get(paths::autocomplete(&typed)),
            None => get(paths::v3(address)),
        },
    }
}
