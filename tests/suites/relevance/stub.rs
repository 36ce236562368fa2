//! The plainest type-ahead there is, to try the suite on: every word is the beginning of a word of the street or the town, and
//! the last number is the house number. It knows no typo, no abbreviation and no postcode.

use std::collections::BTreeMap;
use std::sync::Arc;

use postduif_schema::{Address, AddressIndex};

use super::subject::{Suggestion, SuggestionKind};
use super::text::{mail_line, suffix, without_marks};

/// All streets with their addresses, in memory.
pub(crate) struct Stub {
    streets: Vec<Street>,
}

struct Street {
    words: Vec<String>,
    addresses: Vec<Address>,
}

impl Stub {
    pub(crate) fn of(index: &AddressIndex) -> Self {
        let mut streets: BTreeMap<(Arc<str>, Arc<str>), Vec<Address>> = BTreeMap::new();
        for address in index.iter() {
            let address = address.expect("a sound index");
            let key = (address.street.clone(), address.city.clone());
            streets.entry(key).or_default().push(address);
        }
        let street = |((street, city), mut addresses): ((Arc<str>, Arc<str>), Vec<Address>)| {
            addresses.sort_by(Address::listing_order);
            Street {
                words: words(&format!("{street} {city}")),
                addresses,
            }
        };
        Self {
            streets: streets.into_iter().map(street).collect(),
        }
    }

    pub(crate) fn suggest(&self, typed: &str, limit: usize) -> Vec<Suggestion> {
        let typed = words(typed);
        let number = typed
            .iter()
            .rposition(|word| word.starts_with(|c: char| c.is_ascii_digit()));
        let found = self.streets.iter().flat_map(|street| {
            let whole = street.fits(&typed).then(|| street.suggestion());
            let at = number.map(|at| street.at(&typed, at)).unwrap_or_default();
            whole.into_iter().chain(at)
        });
        found.take(limit).collect()
    }
}

impl Street {
    fn fits(&self, typed: &[String]) -> bool {
        let known = |word: &String| self.words.iter().any(|known| known.starts_with(word));
        typed.iter().all(known)
    }

    /// The addresses at the number that stands in one place of the words, when the others name this street.
    fn at(&self, typed: &[String], place: usize) -> Vec<Suggestion> {
        let others: Vec<String> = [&typed[..place], &typed[place + 1..]].concat();
        if others.is_empty() || !self.fits(&others) {
            return Vec::new();
        }
        let numbered = |address: &&Address| {
            let number = format!("{}{}", address.number, suffix(address));
            number.eq_ignore_ascii_case(&typed[place])
        };
        let found = self.addresses.iter().filter(numbered);
        found.map(of_address).collect()
    }

    fn suggestion(&self) -> Suggestion {
        let first = &self.addresses[0];
        Suggestion {
            kind: SuggestionKind::Street,
            label: format!("{}, {}", first.street, first.city),
            id: None,
            postcode: None,
            ..of_address(first)
        }
    }
}

fn of_address(address: &Address) -> Suggestion {
    Suggestion {
        kind: SuggestionKind::Address,
        label: mail_line(address),
        postcode: Some(address.postcode),
        street: Some(address.street.clone()),
        city: Some(address.city.clone()),
        id: Some(address.id),
    }
}

fn words(text: &str) -> Vec<String> {
    let folded = without_marks(text).to_lowercase();
    let words = folded.split(|c: char| !c.is_alphanumeric());
    words
        .filter(|word| !word.is_empty())
        .map(str::to_owned)
        .collect()
}
