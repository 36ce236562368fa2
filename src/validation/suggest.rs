//! Which address to suggest for one that does not exist.
//!
//! Source: decisions, Validation. Assumption: of several addresses at the suggested number the one is taken that has the
//! names as entered, then the suffix that is nearest, then the one that is preferred everywhere. Where
//! street and city do not both fit anywhere, one of the two is better than none.

use postduif_schema::{Address, HouseNumber, Postcode};

use super::postcode_correction::Typed;
use super::verdict::{AddressBook, EnteredAddress};

/// Of the addresses at one number the one that is closest to what was entered; none of none.
pub(crate) fn closest(entered: &EnteredAddress<'_>, there: Vec<Address>) -> Option<Address> {
    there.into_iter().min_by(|a, b| {
        let misses = |address| {
            (
                entered.names.wrong_at(address).count(),
                entered.suffix.distance(address),
            )
        };
        misses(a)
            .cmp(&misses(b))
            .then_with(|| a.preference_order(b))
    })
}

/// The address of a postcode at the number nearest to the one entered; none when the postcode does not exist.
pub(crate) fn nearest<B: AddressBook>(
    entered: &EnteredAddress<'_>,
    postcode: Postcode,
    book: &B,
) -> Result<Option<Address>, B::Error> {
    let asked = entered.number.get();
    let far = |number: &HouseNumber| {
        let difference = number.get().abs_diff(asked);
        (difference, difference % 2, *number)
    };
    match book.numbers_in(postcode)?.into_iter().min_by_key(far) {
        Some(number) => Ok(closest(entered, book.at_number(postcode, number)?)),
        None => Ok(None),
    }
}

/// The address that was meant, in an existing postcode that differs by at most two characters from the one entered: the
/// first of those whose names fit best that has the number, or else the first of them.
pub(crate) fn elsewhere<B: AddressBook>(
    entered: &EnteredAddress<'_>,
    book: &B,
) -> Result<Option<Address>, B::Error> {
    let Some(typed) = Typed::new(entered.postcode) else {
        return Ok(None);
    };
    let mut passed_by = Vec::new();
    for candidate in typed.candidates(book.postcodes()) {
        let wrong_names = fewest_wrong_names(entered, candidate.postcode, book);
        if wrong_names == 0
            && let Some(meant) = at_number(entered, candidate.postcode, book)?
        {
            return Ok(Some(meant));
        }
        passed_by.push((wrong_names, candidate.postcode));
    }
    // Stable: among equals the candidates' own order stays.
    passed_by.sort_by_key(|&(wrong_names, _)| wrong_names);
    let Some(&(fewest, first)) = passed_by.first() else {
        return Ok(None);
    };
    let best = passed_by
        .iter()
        .take_while(|&&(wrong_names, _)| wrong_names == fewest);
    // Those without a wrong name were asked for the number above.
    for &(_, postcode) in best.filter(|_| fewest > 0) {
        if let Some(meant) = at_number(entered, postcode, book)? {
            return Ok(Some(meant));
        }
    }
    nearest(entered, first, book)
}

fn at_number<B: AddressBook>(
    entered: &EnteredAddress<'_>,
    postcode: Postcode,
    book: &B,
) -> Result<Option<Address>, B::Error> {
    Ok(closest(entered, book.at_number(postcode, entered.number)?))
}

/// How many of the names as entered are wrong for the street of a postcode that fits best.
fn fewest_wrong_names<B: AddressBook>(
    entered: &EnteredAddress<'_>,
    postcode: Postcode,
    book: &B,
) -> u8 {
    if entered.names.are_empty() {
        return 0;
    }
    let streets = book.streets_in(postcode);
    let wrong = streets.map(|(street, city)| entered.names.wrong_for(street, city).count());
    wrong.min().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::validation::{HouseNumberSuffix, Names};
    use postduif_schema::PostcodeSet;
    use proptest::prelude::*;
    use std::convert::Infallible;

    /// A handful of addresses.
    struct Few {
        addresses: Vec<Address>,
        postcodes: PostcodeSet,
    }

    impl Few {
        fn of(addresses: Vec<Address>) -> Self {
            let postcodes = addresses.iter().map(|address| address.postcode).collect();
            Self {
                addresses,
                postcodes,
            }
        }

        fn within(&self, postcode: Postcode) -> impl Iterator<Item = &Address> {
            let all = self.addresses.iter();
            all.filter(move |address| address.postcode == postcode)
        }
    }

    impl AddressBook for Few {
        type Error = Infallible;

        fn postcodes(&self) -> &PostcodeSet {
            &self.postcodes
        }

        fn at_number(
            &self,
            postcode: Postcode,
            number: HouseNumber,
        ) -> Result<Vec<Address>, Infallible> {
            let there = self.within(postcode);
            Ok(there
                .filter(|address| address.number == number)
                .cloned()
                .collect())
        }

        fn numbers_in(&self, postcode: Postcode) -> Result<Vec<HouseNumber>, Infallible> {
            Ok(self
                .within(postcode)
                .map(|address| address.number)
                .collect())
        }

        fn streets_in(&self, postcode: Postcode) -> impl Iterator<Item = (&str, &str)> {
            let within = self.within(postcode);
            within.map(|address| (&*address.street, &*address.city))
        }
    }

    fn address() -> impl Strategy<Value = Address> {
        ("[12]{4}[AB]{2}", 1..4_u32, "[ds]", "[WM]").prop_map(|(postcode, number, street, city)| {
            let number = HouseNumber::new(number).expect("a house number");
            let place = [city.as_str(), "Gemeente", "Provincie"].map(Into::into);
            let plain = Address::of_box(postcode.parse().expect("a postcode"), number, place);
            Address {
                street: street.into(),
                ..plain
            }
        })
    }

    /// The rule of decisions, word for word and over all postcodes: names, number, swap or look-alike, distance, postcode.
    fn rank(entered: &EnteredAddress<'_>, postcode: Postcode, book: &Few) -> Option<impl Ord> {
        let (typed, text) = (entered.postcode.as_bytes(), postcode.to_string());
        let differ: Vec<usize> = (0..6)
            .filter(|&at| typed[at] != text.as_bytes()[at])
            .collect();
        let swap = match differ[..] {
            [a, b] => {
                b == a + 1 && typed[a] == text.as_bytes()[b] && typed[b] == text.as_bytes()[a]
            }
            _ => false,
        };
        let names = book
            .within(postcode)
            .map(|address| entered.names.wrong_at(address).count());
        let number = book
            .within(postcode)
            .any(|address| address.number == entered.number);
        (1..=2)
            .contains(&differ.len())
            .then(|| (names.min(), !number, !swap, differ.len(), postcode))
    }

    proptest! {
        #[test]
        fn the_suggestion_ranks_first_of_all_postcodes(
            addresses in prop::collection::vec(address(), 0..30),
            postcode in "[123]{4}[ABC]{2}",
            number in 1..5_u32,
            names in prop::option::of("[dsx]").prop_flat_map(|street| (Just(street), prop::option::of("[WMx]"))),
        ) {
            let book = Few::of(addresses);
            let entered = EnteredAddress {
                postcode: &postcode,
                number: HouseNumber::new(number).expect("a house number"),
                suffix: HouseNumberSuffix::new(None, None),
                names: Names::new(names.0.as_deref(), names.1.as_deref()),
            };
            let all = book.addresses.iter().map(|address| address.postcode);
            let ranked = all.filter_map(|postcode| Some((rank(&entered, postcode, &book)?, postcode)));
            let expected = ranked.min_by(|a, b| a.0.cmp(&b.0)).map(|(_, postcode)| postcode);
            let Ok(found) = elsewhere(&entered, &book);
            prop_assert_eq!(found.map(|address| address.postcode), expected);
        }
    }
}
