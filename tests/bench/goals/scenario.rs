//! Makes the requests of each goal, for addresses from the whole generation, and checks their responses.

use std::net::SocketAddr;

use anyhow::{Context as _, ensure};
use postduif_schema::{Address, AddressIndex, Postcode};
use serde_json::{Value, json};

use crate::chance::Chance;
use crate::client::Client;
use crate::dense::addresses_in_dense_squares;
use crate::goal::Goal;
use crate::paths;
use crate::typing::Typist;
use crate::typing_session::{TypingSessions, text_with_slip};

/// The maximum number of different requests per scenario, which is more than fits into any cache.
pub(crate) const REQUESTS: usize = 120_000;
/// The number of responses that are checked before the measurement.
const CHECKED_RESPONSES: usize = 200;
const LINES: usize = 1_000;

/// One kind of request.
pub(crate) struct Scenario {
    pub(crate) goal: Goal,
    pub(crate) requests: Vec<Vec<u8>>,
    /// The number of lines in each request.
    pub(crate) lines: usize,
    /// The addresses of the first requests. The responses to these requests are checked.
    subjects: Vec<Address>,
    is_right: fn(&Address, &Value) -> bool,
}

/// Makes the requests.
pub(crate) struct Maker<'a> {
    pub(crate) index: &'a AddressIndex,
    pub(crate) sample: &'a [Address],
    pub(crate) key: &'a str,
}

impl Maker<'_> {
    /// The scenario of a goal; `None` if the goal is not measured by sending requests.
    pub(crate) fn scenario(&self, goal: Goal) -> anyhow::Result<Option<Scenario>> {
        Ok(Some(match goal {
            Goal::V3 => self.each(goal, paths::v3, |address, answer| {
                is_at_number(address, answer)
            }),
            Goal::Number => self.each(goal, paths::by_number, |address, answer| {
                all(answer, |found| is_at_number(address, found))
            }),
            Goal::Id => self.each(goal, paths::by_id, |address, answer| {
                answer["data"]["id"] == address.id.to_string()
            }),
            Goal::Postcode => self.each(goal, paths::by_postcode, |address, answer| {
                all(answer, |found| {
                    found["postcode"] == address.postcode.to_string()
                })
            }),
            Goal::TypeAhead => {
                let mut typist = Typist::new();
                self.autocomplete(goal, |address| typist.keystroke(address))
            }
            Goal::TypeAheadSlip => {
                let mut chance = Chance::seeded(1);
                self.autocomplete(goal, |address| text_with_slip(address, &mut chance))
            }
            Goal::TypeAheadTraffic => self.sessions(),
            Goal::Reverse => self.reverse(),
            Goal::Bulk => self.bulk(),
            Goal::Validate => self.validate()?,
            Goal::Start | Goal::Memory | Goal::Disk | Goal::Build | Goal::Delivery => {
                return Ok(None);
            }
        }))
    }

    fn each(
        &self,
        goal: Goal,
        path: impl Fn(&Address) -> String,
        is_right: fn(&Address, &Value) -> bool,
    ) -> Scenario {
        let request = |address| paths::get(&path(address), self.key);
        let requests = self.sample.iter().map(request).collect();
        Scenario::new(goal, requests, self.sample.iter(), is_right)
    }

    fn autocomplete(
        &self,
        goal: Goal,
        mut text: impl FnMut(&Address) -> Option<String>,
    ) -> Scenario {
        let typed = self.sample.iter().filter_map(|address| {
            let path = paths::autocomplete(&text(address)?);
            Some((paths::get(&path, self.key), address))
        });
        let (requests, subjects): (_, Vec<&Address>) = typed.unzip();
        let is_list = |_: &Address, answer: &Value| answer["data"].is_array();
        Scenario::new(goal, requests, subjects.into_iter(), is_list)
    }

    /// The texts of typing sessions, one session for each address in the sample. Each town is typed as often as it has addresses
    /// there.
    fn sessions(&self) -> Scenario {
        let mut typing = TypingSessions::new();
        let sessions = self.sample.iter().flat_map(|address| {
            let texts = typing.texts(address);
            texts.into_iter().map(move |text| (text, address))
        });
        let (texts, subjects): (Vec<String>, Vec<&Address>) = sessions.unzip();
        let request = |text: &String| paths::get(&paths::autocomplete(text), self.key);
        let requests = texts.iter().map(request).collect();
        let is_list = |_: &Address, answer: &Value| answer["data"].is_array();
        let subjects = subjects.into_iter();
        Scenario::new(Goal::TypeAheadTraffic, requests, subjects, is_list)
    }

    /// Requests for four points around each address in a dense place.
    fn reverse(&self) -> Scenario {
        let mut chance = Chance::seeded(1);
        let dense = addresses_in_dense_squares(self.sample);
        let around = (0..4).flat_map(|_| dense.iter().copied());
        let asked = around.map(|address| {
            let path = paths::around(address, [0; 2].map(|_| offset(&mut chance)), 10);
            (paths::get(&path, self.key), address)
        });
        let (requests, subjects): (_, Vec<&Address>) = asked.unzip();
        let is_right = |_: &Address, answer: &Value| {
            answer["meta"]["radius"] == 1000 && answer["meta"]["count"] == 10
        };
        Scenario::new(Goal::Reverse, requests, subjects.into_iter(), is_right)
    }

    fn bulk(&self) -> Scenario {
        let line = |address: &Address| json!({"postcode": address.postcode.to_string(), "number": address.number.get()});
        let lines: Vec<Value> = self.sample.iter().map(line).collect();
        let bodies = lines.chunks_exact(LINES.min(lines.len()).max(1));
        let requests = bodies.map(|lines| {
            let body = json!({ "addresses": lines }).to_string();
            paths::post("/v1/bulk/lookup", self.key, &body)
        });
        let scenario = Scenario::new(
            Goal::Bulk,
            requests.collect(),
            self.sample.iter(),
            |_, answer| answer["meta"]["found"] == answer["meta"]["requested"],
        );
        Scenario {
            lines: LINES.min(lines.len()),
            ..scenario
        }
    }

    /// Requests for each address with one wrong character in its postcode, so that the postcode does not exist. Half of the
    /// requests contain street and town.
    fn validate(&self) -> anyhow::Result<Scenario> {
        let mut chance = Chance::seeded(1);
        let mut requests = Vec::with_capacity(self.sample.len());
        for address in self.sample {
            let mut body = match chance.below(2) {
                0 => json!({}),
                _ => json!({"street": &*address.street, "city": &*address.city}),
            };
            body["postcode"] = self
                .wrong_postcode(address, &mut chance)?
                .to_string()
                .into();
            body["number"] = address.number.get().into();
            requests.push(paths::post("/v1/validate", self.key, &body.to_string()));
        }
        let is_right = |_: &Address, answer: &Value| answer["data"]["valid"] == false;
        let subjects = self.sample.iter();
        Ok(Scenario::new(Goal::Validate, requests, subjects, is_right))
    }

    /// A postcode that does not exist and differs from the address's postcode in one character.
    fn wrong_postcode(&self, address: &Address, chance: &mut Chance) -> anyhow::Result<Postcode> {
        for _ in 0..1_000 {
            let mut wrong = address.postcode.ascii();
            let at = chance.below(wrong.len());
            wrong[at] = match at {
                0 => b'1' + u8::try_from(chance.below(9))?,
                1..4 => b'0' + u8::try_from(chance.below(10))?,
                _ => b'A' + u8::try_from(chance.below(26))?,
            };
            let text = String::from_utf8_lossy(&wrong);
            if let Ok(wrong) = text.parse::<Postcode>()
                && self.index.house_numbers_in_postcode(wrong)?.is_empty()
            {
                return Ok(wrong);
            }
        }
        anyhow::bail!(
            "every postcode tried in place of {} exists",
            address.postcode
        )
    }
}

impl Scenario {
    fn new<'a>(
        goal: Goal,
        requests: Vec<Vec<u8>>,
        subjects: impl Iterator<Item = &'a Address>,
        is_right: fn(&Address, &Value) -> bool,
    ) -> Self {
        Self {
            goal,
            requests,
            lines: 1,
            subjects: subjects.take(CHECKED_RESPONSES).cloned().collect(),
            is_right,
        }
    }

    /// Checks the first responses, so that the bench does not measure the speed of wrong responses.
    pub(crate) fn check(&self, server: SocketAddr) -> anyhow::Result<()> {
        let mut client = Client::new(server);
        for (request, subject) in self.requests.iter().zip(&self.subjects) {
            let answer = client.send(request)?;
            let body: Value =
                serde_json::from_slice(answer.body).context("the body is not JSON")?;
            let right = answer.status == 200 && (self.is_right)(subject, &body);
            let request = String::from_utf8_lossy(request);
            let first = request.lines().next().unwrap_or_default();
            ensure!(
                right,
                "{first} about {} {}: {body}",
                subject.postcode,
                subject.number
            );
        }
        Ok(())
    }
}

fn is_at_number(address: &Address, found: &Value) -> bool {
    found["postcode"] == address.postcode.to_string() && found["number"] == address.number.get()
}

/// Whether the response has results and `fits` is true for all of them.
fn all(answer: &Value, fits: impl Fn(&Value) -> bool) -> bool {
    let found = answer["data"].as_array();
    found.is_some_and(|found| !found.is_empty() && found.iter().all(fits))
}

/// A random offset of up to about forty metres, in units of 10⁻⁷ degree.
fn offset(chance: &mut Chance) -> i32 {
    i32::try_from(chance.below(10_000)).unwrap_or_default() - 5_000
}
