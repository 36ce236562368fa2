//! Checks that a pick list works: both the label of a suggestion and the text that it leaves in the input field find the suggestion
//! again.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use postduif::search::{SearchSuggestion, SuggestionKind};
use postduif_schema::Address;

use super::places;
use crate::app::TestApp;
use crate::relevance::suite::TestedIndex;
use crate::relevance::{Extract, real_extract, town};

/// The maximum number of addresses, and of streets, to type back. The demo town has fewer, so the test types all of them back.
const TYPED: usize = 4000;

/// The addresses of an index, and how many addresses have each label, ignoring case. Some labels occur twice in the register.
struct Known<'a> {
    tested: &'a TestedIndex,
    addresses: Vec<Address>,
    labelled: BTreeMap<String, usize>,
}

fn suggested(address: &Address) -> SearchSuggestion<'_> {
    SearchSuggestion::from_address(&address.listing_key(), (&address.street, &address.city))
}

impl<'a> Known<'a> {
    fn from_index(tested: &'a TestedIndex) -> Self {
        let addresses: Result<Vec<Address>, _> = tested.addresses.iter().collect();
        let addresses = addresses.expect("a sound index");
        let mut labelled = BTreeMap::new();
        for address in &addresses {
            *labelled
                .entry(suggested(address).label().to_lowercase())
                .or_insert(0) += 1;
        }
        Self {
            tested,
            addresses,
            labelled,
        }
    }

    /// An evenly spread sample of the addresses.
    fn sample(&self) -> impl Iterator<Item = &Address> {
        let step = self.addresses.len().div_ceil(TYPED);
        self.addresses.iter().step_by(step)
    }

    /// The distinct pairs of street and town, or an evenly spread sample of them.
    fn streets(&self) -> Vec<[Arc<str>; 2]> {
        let pair = |address: &Address| [address.street.clone(), address.city.clone()];
        let pairs: BTreeSet<_> = self.addresses.iter().map(pair).collect();
        let step = pairs.len().div_ceil(TYPED);
        pairs.into_iter().step_by(step).collect()
    }

    /// Types each text of a suggestion; returns one line for each text whose first suggestion is another one.
    fn disappeared(&self, suggestion: &SearchSuggestion<'_>) -> Vec<String> {
        let texts = BTreeSet::from([suggestion.label(), &suggestion.value]);
        let of = |text: &&str| {
            let came = self.tested.suggest(text);
            let label = suggestion.label().to_lowercase();
            let double = self.labelled.get(&label) > Some(&1);
            let back = came.first().is_some_and(|first| {
                first == suggestion || double && first.label().to_lowercase() == label
            });
            let labels: Vec<_> = came.iter().map(SearchSuggestion::label).take(3).collect();
            (!back).then(|| format!("{text:?} brings {labels:?}"))
        };
        texts.iter().filter_map(of).collect()
    }

    #[track_caller]
    fn check_addresses(&self) {
        let suggestions = self.sample().map(suggested);
        let disappeared: Vec<String> = suggestions
            .flat_map(|address| self.disappeared(&address))
            .collect();
        assert!(
            disappeared.is_empty(),
            "{} texts do not find their suggestion: {disappeared:#?}",
            disappeared.len()
        );
    }

    /// Checks that the name of each street with its town suggests the street, and that the name of the town suggests towns. Typing
    /// back any of these suggestions must find it again.
    #[track_caller]
    fn check_streets(&self) {
        let mut disappeared = Vec::new();
        for [street, city] in self.streets() {
            let came = self.tested.suggest(&format!("{street}, {city}"));
            let is_street = |came: &&SearchSuggestion<'_>| {
                came.kind == SuggestionKind::Street
                    && came.street == Some(&*street)
                    && came.city == Some(&*city)
            };
            match came.iter().find(is_street) {
                Some(street) => disappeared.extend(self.disappeared(street)),
                None => disappeared.push(format!("{street}, {city} is not suggested")),
            }
            let towns = self.tested.suggest(&city);
            let towns = towns
                .iter()
                .filter(|came| came.kind == SuggestionKind::City);
            disappeared.extend(towns.flat_map(|town| self.disappeared(town)));
        }
        let disappeared: BTreeSet<String> = disappeared.into_iter().collect();
        assert!(
            disappeared.is_empty(),
            "{} texts do not find their suggestion: {disappeared:#?}",
            disappeared.len()
        );
    }

    /// Checks that a postcode suggests its streets, and that typing back each suggestion finds the street within the postcode.
    #[track_caller]
    fn check_postcodes(&self) {
        let mut disappeared = Vec::new();
        for address in self.sample() {
            let came = self.tested.suggest(&address.postcode.to_string());
            let streets = came
                .iter()
                .filter(|came| came.kind == SuggestionKind::Street);
            let mut there = 0;
            for street in streets {
                assert_eq!(street.postcode, Some(address.postcode));
                disappeared.extend(self.disappeared(street));
                there += 1;
            }
            assert!(there > 0, "{} has no street", address.postcode);
        }
        let disappeared: BTreeSet<String> = disappeared.into_iter().collect();
        assert!(
            disappeared.is_empty(),
            "{} texts do not find their suggestion: {disappeared:#?}",
            disappeared.len()
        );
    }

    #[track_caller]
    fn check(&self) {
        self.check_addresses();
        self.check_streets();
        self.check_postcodes();
    }
}

#[test]
fn a_suggestion_typed_back_comes_first_among_towns_of_one_name() {
    Known::from_index(&TestedIndex::in_memory(&places::addresses())).check();
}

#[test]
fn a_suggestion_typed_back_comes_first_in_the_demo_town() {
    Known::from_index(town()).check();
}

#[test]
fn a_suggestion_typed_back_comes_first_in_real_extracts() {
    for extract in [Extract::Weesp, Extract::Doesburg] {
        if let Some(tested) = real_extract(extract) {
            Known::from_index(tested).check();
        }
    }
}

#[tokio::test]
async fn the_id_of_a_suggestion_finds_the_suggested_address() {
    let known = Known::from_index(town());
    let app = TestApp::from_addresses(&known.addresses);
    let mut followed = BTreeSet::new();
    for address in known.sample().step_by(10) {
        let typed = format!("{}+{}", address.postcode, address.number);
        let reply = app.get(&format!("/v1/autocomplete?q={typed}")).await;
        let body: serde_json::Value = serde_json::from_slice(&reply.body).expect("JSON");
        for suggestion in body["data"].as_array().expect("a list") {
            let is_address = suggestion["type"] == "address";
            assert_eq!(suggestion["id"].is_string(), is_address, "{suggestion}");
            let Some(id) = suggestion["id"].as_str() else {
                continue;
            };
            let found = app.get(&format!("/v1/addresses/{id}")).await;
            let found: serde_json::Value = serde_json::from_slice(&found.body).expect("JSON");
            for field in ["id", "postcode", "street", "city"] {
                assert_eq!(found["data"][field], suggestion[field], "{suggestion}");
            }
            followed.insert(id.to_owned());
        }
    }
    assert!(followed.len() > 400, "only {} ids", followed.len());
}
