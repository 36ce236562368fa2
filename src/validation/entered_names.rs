//! Compares entered street and city names with the register's spelling.
//!
//! Source: decisions.md, section Validation. Case, spaces, marks and hyphens are ignored. An abbreviation of a name is correct,
//! and so is the everyday name of a city, such as Den Haag.

use std::sync::{Arc, Mutex, PoisonError};

use postduif_schema::{
    Address, SimilarText, alternative_town_names, fold, is_area, squash, squashed,
};

use super::name_mismatch::NameMismatch;
use super::name_numbers::have_same_numbers;
use super::umlauts::write_out_umlauts;
use crate::search::{
    NameAgreement, ShortenedCompound, decode_text, is_abbreviation, is_part_of_name,
    similar_spellings,
};

/// The entered street and city. Both are folded once, for all comparisons. An empty name counts as not entered, because web forms also send
/// fields that were left empty.
#[derive(Debug, Default)]
pub struct EnteredNames {
    street: Option<EnteredName>,
    city: Option<EnteredName>,
    /// The text before a bracket or a comma in the city, folded. Folding removes these marks.
    city_before_mark: Option<String>,
    /// The agreement with the names of the addresses that were compared last. Hundreds of addresses at one number have the same names.
    compared: Mutex<Vec<(ComparedNames, NamesAgreement)>>,
}

/// The street, city, municipality and province of an address.
type ComparedNames = [Arc<str>; 4];

/// Maximum number of agreements that are kept.
const MAX_COMPARED: usize = 16;

/// How the entered names agree with those of an address.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct NamesAgreement {
    pub(crate) street: NameAgreement,
    pub(crate) city: NameAgreement,
}

/// Maximum number of characters of an entered name that are compared. A longer name is cut. The cut name still equals no name in the
/// register, because the longest one has 80 characters.
const MAX_NAME_CHARS: usize = 200;

/// Maximum number of bytes of an entered name that are decoded.
const MAX_NAME_BYTES: usize = 8 * MAX_NAME_CHARS;

/// Maximum number of words of an entered name that are compared, for the same reason. The longest name in the register has 13 words.
const MAX_NAME_WORDS: usize = 24;

/// Maximum number of words at the end of a city that may name its municipality or province. The longest name of a municipality has four
/// words, and a label may come first.
const MAX_AREA_WORDS: usize = 6;

/// A word that occurs in no name. It is appended to a name that was cut, so that the cut name equals no other name.
const CUT_MARKER: &str = "qqqqqqqqqqqqqqqq";

#[derive(Debug)]
struct EnteredName {
    folded: String,
    squashed: String,
    /// The spellings to compare: the name as entered, the name with its abbreviations written out, and the name with letters in place of
    /// misread digits.
    similar: Vec<SimilarText>,
}

impl EnteredNames {
    /// Folds street and city as received.
    pub fn new(street: Option<&str>, city: Option<&str>) -> Self {
        Self {
            street: street.and_then(EnteredName::new),
            city: city.and_then(EnteredName::new),
            city_before_mark: city.and_then(before_mark),
            compared: Mutex::default(),
        }
    }

    /// Whether neither street nor city was entered.
    pub(crate) fn is_empty(&self) -> bool {
        self.street.is_none() && self.city.is_none()
    }

    /// The entered street, folded.
    pub(crate) fn street(&self) -> Option<&str> {
        self.street.as_ref().map(|name| &*name.folded)
    }

    /// The entered city, folded.
    pub(crate) fn city(&self) -> Option<&str> {
        self.city.as_ref().map(|name| &*name.folded)
    }

    /// The text before a bracket or a comma in the entered city, folded. `None` if the city has neither.
    pub(super) fn city_before_mark(&self) -> Option<&str> {
        self.city_before_mark.as_deref()
    }

    /// Compares the names with those of an address. If the entered city is the municipality of the address, returns `Area` for the
    /// city.
    pub(crate) fn compare_with_address(&self, address: &Address) -> NamesAgreement {
        let names = [
            &address.street,
            &address.city,
            &address.municipality,
            &address.province,
        ];
        let mut compared = self.compared.lock().unwrap_or_else(PoisonError::into_inner);
        let known = compared.iter().find(|(known, _)| known.each_ref() == names);
        if let Some((_, agreement)) = known {
            return *agreement;
        }
        if compared.len() == MAX_COMPARED {
            compared.clear();
        }
        let agreement = self.compare_all_names(address);
        compared.push((names.map(Arc::clone), agreement));
        agreement
    }

    fn compare_all_names(&self, address: &Address) -> NamesAgreement {
        let names = self.compare(&address.street, &address.city);
        let Some(entered) = self
            .city
            .as_ref()
            .filter(|_| names.city != NameAgreement::Same)
        else {
            return names;
        };
        let city = match names.city {
            // Borger-Odoorn is a municipality, and Borger a city in it.
            _ if entered.is_municipality(address) => NameAgreement::Area,
            _ if entered.is_city_and_area(address) || entered.is_city_without_area(address) => {
                NameAgreement::Same
            }
            city => city,
        };
        NamesAgreement { city, ..names }
    }

    /// Compares the names with a street and a city of the register.
    pub(crate) fn compare(&self, street: &str, city: &str) -> NamesAgreement {
        let compare_city = |entered: &EnteredName| {
            let agreements = city_names(city).map(|name| entered.compare(name));
            agreements.min().unwrap_or(NameAgreement::Different)
        };
        let compare_street = |entered: &EnteredName| entered.compare_street(street);
        let street = self.street.as_ref().map(compare_street);
        let city = self.city.as_ref().map(compare_city);
        NamesAgreement {
            street: street.unwrap_or(NameAgreement::NotGiven),
            city: city.unwrap_or(NameAgreement::NotGiven),
        }
    }

    /// Which of the entered names differ from a street and a city of the register.
    pub(crate) fn mismatch(&self, street: &str, city: &str) -> NameMismatch {
        let is_city = |entered: &EnteredName| city_names(city).any(|name| entered.is_same(name));
        let differs = |name: &Option<EnteredName>, is_same: &dyn Fn(&EnteredName) -> bool| {
            name.as_ref().is_some_and(|entered| !is_same(entered))
        };
        NameMismatch {
            street: differs(&self.street, &|entered| entered.is_same(street)),
            city: differs(&self.city, &is_city),
        }
    }

    /// Whether the entered street equals `form`, a folded form of the name of a street. Spaces are ignored.
    pub(crate) fn is_street_form(&self, form: &str) -> bool {
        let street = self.street.as_ref();
        street.is_some_and(|entered| entered.squashed == squash([form]))
    }
}

impl EnteredName {
    fn new(text: &str) -> Option<Self> {
        // Exports of web shops have names such as `&#039;s-Gravenhage`.
        let text = text.trim();
        let read = &text[..text.floor_char_boundary(MAX_NAME_BYTES)];
        let decoded = decode_text(read);
        let head: String = decoded.chars().take(MAX_NAME_CHARS).collect();
        let mut words: Vec<String> = fold(&head).split(' ').map(str::to_owned).collect();
        words.retain(|word| !word.is_empty());
        // Folding makes up to 18 letters of one.
        let mut bytes = 0;
        let kept = words.iter().take(MAX_NAME_WORDS).take_while(|word| {
            bytes += word.len();
            bytes <= MAX_NAME_CHARS
        });
        let kept = kept.count();
        let is_cut = read.len() < text.len() || head.len() < decoded.len();
        if is_cut || kept < words.len() {
            words.truncate(kept);
            words.push(CUT_MARKER.to_owned());
        }
        (!words.is_empty()).then(|| Self {
            squashed: squash(words.iter().map(String::as_str)),
            similar: similar_spellings(&words),
            folded: words.join(" "),
        })
    }

    /// Whether a name of the register is the entered one, or the other one's abbreviation.
    fn is_same(&self, name: &str) -> bool {
        let is_same = |name: &str| {
            squash([name]) == self.squashed
                || have_same_numbers(&self.folded, name)
                || is_abbreviation(&self.folded, name)
                || is_abbreviation(name, &self.folded)
        };
        is_same(&fold(name)) || write_out_umlauts(name).is_some_and(|name| is_same(&fold(&name)))
    }

    fn compare(&self, name: &str) -> NameAgreement {
        if self.is_same(name) {
            return NameAgreement::Same;
        }
        let folded = fold(name);
        let distance = |similar: &SimilarText| similar.distance(&folded);
        let edits = self.similar.iter().filter_map(distance).min();
        edits.map_or(NameAgreement::Different, |edits| {
            NameAgreement::from_edits(edits, false)
        })
    }

    fn is_municipality(&self, address: &Address) -> bool {
        self.squashed == squashed(&address.municipality)
    }

    /// Whether the entered city is the city of `address`, followed by the municipality, the province or the country of that address.
    fn is_city_and_area(&self, address: &Address) -> bool {
        let words: Vec<&str> = self.folded.split(' ').collect();
        let is_city = |words: &[&str]| {
            let entered = squash(words.iter().copied());
            let mut names = city_names(&address.city);
            names.any(|name| squashed(name) == entered)
        };
        let first = words.len().saturating_sub(MAX_AREA_WORDS).max(1);
        (first..words.len()).any(|at| {
            let (city, area) = words.split_at(at);
            is_area(area, &address.municipality, &address.province) && is_city(city)
        })
    }

    /// Whether the city of `address` is the entered city followed by the municipality or the province: Nieuwlande Coevorden if `Nieuwlande`
    /// was entered.
    fn is_city_without_area(&self, address: &Address) -> bool {
        let known = fold(&address.city);
        // The end of the name of a municipality is not its area: `s` is not 's-Gravenhage.
        let municipality = match known == fold(&address.municipality) {
            true => "",
            false => &address.municipality,
        };
        let words: Vec<&str> = known.split(' ').collect();
        (1..words.len()).any(|at| {
            let (city, area) = words.split_at(at);
            is_area(area, municipality, &address.province)
                && squash(city.iter().copied()) == self.squashed
        })
    }

    /// Whether `name` is the entered name followed by one word that is shorter than the entered name: `vaart nz` if `Vaart` was entered.
    /// `name` is folded.
    fn lacks_one_short_word_of(&self, name: &str) -> bool {
        let rest = name.strip_prefix(&self.folded);
        let word = rest.and_then(|rest| rest.strip_prefix(' '));
        word.is_some_and(|word| !word.contains(' ') && word.len() < self.folded.len())
    }

    /// Like [`compare`](Self::compare), but also recognizes an entered name that is only a part of the street name, or a shortened form of
    /// it.
    fn compare_street(&self, name: &str) -> NameAgreement {
        let agreement = self.compare(name);
        if agreement == NameAgreement::Same {
            return agreement;
        }
        let name = fold(name);
        let words: Vec<String> = self.folded.split(' ').map(str::to_owned).collect();
        let shortened = ShortenedCompound::from_words(&words);
        let shortened = shortened.and_then(|shortened| shortened.agreement(&name));
        let is_part = || is_part_of_name(&words, &name) || self.lacks_one_short_word_of(&name);
        match shortened {
            Some(shortened) if shortened < agreement => shortened,
            _ if agreement > NameAgreement::Mistyped(1) && (shortened.is_some() || is_part()) => {
                NameAgreement::Partial
            }
            _ => agreement,
        }
    }
}

/// The text before the first bracket or comma, folded. `None` if there is no such mark, or if the text is too long for a name.
fn before_mark(text: &str) -> Option<String> {
    let (before, _) = text.split_once(['(', ','])?;
    (before.len() <= MAX_NAME_CHARS).then(|| fold(&decode_text(before)))
}

/// The register's name of a city, and its alternative names.
fn city_names(city: &str) -> impl Iterator<Item = &str> {
    let others = alternative_town_names(city).iter();
    std::iter::once(city).chain(others.copied())
}

impl NamesAgreement {
    /// Which names differ. A name that was not entered never differs.
    pub(crate) fn mismatch(self) -> NameMismatch {
        let differs = |name| !matches!(name, NameAgreement::Same | NameAgreement::NotGiven);
        NameMismatch {
            street: differs(self.street),
            city: differs(self.city),
        }
    }
}

#[cfg(test)]
mod tests;
