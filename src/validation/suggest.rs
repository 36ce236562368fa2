//! Chooses the address to suggest if the entered address does not exist.
//!
//! Source: decisions.md, section Validation. Assumption: several addresses at the suggested number are ranked by how many entered
//! names they have, then by how near their suffix is, then by the order of preference that v3 uses too. If no address has both
//! the entered street and the entered city, an address with one of the two is suggested.

use postduif_schema::{Address, HouseNumber, Postcode};

use super::address_lookup::AddressLookup;
use super::entered_address::EnteredAddress;
use crate::search::{
    EnteredPostcode, NameAgreement, NamedAddressQuery, NumberAgreement, SuffixMatch, Weights,
};

/// The address that is most similar to the entered one. `None` if `addresses` is empty. They are all at the same number.
pub(crate) fn closest_at_number(
    entered: &EnteredAddress<'_>,
    addresses: Vec<Address>,
) -> Option<Address> {
    addresses.into_iter().min_by(|a, b| {
        let misses = |address| {
            (
                entered
                    .names
                    .compare_with_address(address)
                    .mismatch()
                    .count(),
                entered.suffix.distance_to(address),
            )
        };
        misses(a)
            .cmp(&misses(b))
            .then_with(|| a.cmp_by_preference(b))
    })
}

/// The address in a postcode whose number is nearest to the entered number. `None` if the postcode has no address.
pub(crate) fn nearest_number<B: AddressLookup>(
    entered: &EnteredAddress<'_>,
    postcode: Postcode,
    lookup: &B,
) -> Result<Option<Address>, B::Error> {
    let entered_number = entered.number.get();
    let distance = |number: &HouseNumber| {
        let difference = number.get().abs_diff(entered_number);
        (difference, difference % 2, *number)
    };
    match lookup
        .house_numbers_in(postcode)?
        .into_iter()
        .min_by_key(distance)
    {
        Some(number) => Ok(closest_at_number(
            entered,
            lookup.addresses_at_number(postcode, number)?,
        )),
        None => Ok(None),
    }
}

/// The address that agrees best with the entered fields, if it agrees better than `known`. `None` if there is no such address
/// or another house agrees equally well. Only addresses in a similar street are compared, in a similar city or near the
/// entered postcode.
pub(crate) fn better_by_name<B: AddressLookup>(
    entered: &EnteredAddress<'_>,
    known: Option<&Address>,
    lookup: &B,
) -> Result<Option<Address>, B::Error> {
    let Some(street) = entered.names.street() else {
        return Ok(None);
    };
    let postcode = EnteredPostcode::new(entered.postcode);
    let query = NamedAddressQuery {
        street,
        city: entered.names.city(),
        postcode: postcode.as_ref(),
        number: entered.number,
    };
    let score = |address: Address| -> ScoredAddress {
        (score_address(entered, postcode.as_ref(), &address), address)
    };
    let least = known.map_or((false, MIN_SCORE_BY_NAME), |known| {
        score_address(entered, postcode.as_ref(), known)
    });
    let exact = lookup.addresses_by_exact_name(&query)?.into_iter();
    let same: Vec<ScoredAddress> = exact.map(score).filter(|((same, _), _)| *same).collect();
    if !same.is_empty() {
        // Street, city, number and suffix are all as entered. An address with a similar name cannot agree better.
        return Ok(only_best(same, least));
    }
    for (street, city) in entered.other_names() {
        let query = NamedAddressQuery {
            street,
            city: Some(city),
            ..query
        };
        let exact = lookup.addresses_by_exact_name(&query)?.into_iter();
        let known = |address: &Address| known.is_none_or(|known| known.id != address.id);
        let scored: Vec<ScoredAddress> = exact.filter(known).map(score).collect();
        if !scored.is_empty() {
            return Ok(only_best(scored, (false, f32::NEG_INFINITY)));
        }
    }
    let candidates = lookup.addresses_by_name(&query)?.into_iter();
    Ok(only_best(candidates.map(score).collect(), least))
}

/// An address with its score, see [`score_address`].
type ScoredAddress = ((bool, f32), Address);

/// The address with the highest score above `least`. `None` if an address of another house has the same score.
fn only_best(mut scored: Vec<ScoredAddress>, least: (bool, f32)) -> Option<Address> {
    scored.retain(|(score, _)| *score > least);
    scored.sort_by(|(a, one), (b, other)| {
        let by_score = b.0.cmp(&a.0).then_with(|| b.1.total_cmp(&a.1));
        by_score.then_with(|| one.cmp_by_preference(other))
    });
    let (best, first) = scored.first()?;
    let equals = scored.iter().filter(|(score, _)| score == best);
    // Addresses of the same house with the same score do not make the choice unclear, because the preferred one is first.
    let mut elsewhere = equals.filter(|(_, other)| !is_same_house(first, other));
    let is_unclear = elsewhere.next().is_some();
    let first = scored.into_iter().next().filter(|_| !is_unclear)?;
    Some(first.1)
}

/// The highest score of an address that is not in the same house as `chosen`. `None` if no other house is similar to the entered
/// address.
///
/// # Errors
/// When the addresses cannot be read.
pub fn best_other_score<B: AddressLookup>(
    entered: &EnteredAddress<'_>,
    chosen: &Address,
    lookup: &B,
) -> Result<Option<f32>, B::Error> {
    let postcode = EnteredPostcode::new(entered.postcode);
    let mut others = Vec::new();
    if let Ok(postcode) = Postcode::from_input(entered.postcode) {
        others = lookup.addresses_at_number(postcode, entered.number)?;
    }
    if let Some(street) = entered.names.street() {
        others.extend(lookup.addresses_by_name(&NamedAddressQuery {
            street,
            city: entered.names.city(),
            postcode: postcode.as_ref(),
            number: entered.number,
        })?);
    }
    let others = others.iter().filter(|other| !is_same_house(chosen, other));
    let scores = others.map(|other| score_address(entered, postcode.as_ref(), other).1);
    Ok(scores.max_by(f32::total_cmp))
}

/// Minimum score of a suggestion if there is no known address to compare it with. It is the score of an address that has the
/// entered city and number, and a street that differs by two typing errors.
const MIN_SCORE_BY_NAME: f32 = 57.0;

fn is_same_house(one: &Address, other: &Address) -> bool {
    one.street == other.street && one.city == other.city && one.postcode == other.postcode
}

/// Scores an address. The first value is whether street, city, number and suffix are all as entered, and the second the points
/// of the agreement. The first value is compared first, so a different postcode cannot outweigh it.
fn score_address(
    entered: &EnteredAddress<'_>,
    postcode: Option<&EnteredPostcode>,
    address: &Address,
) -> (bool, f32) {
    let agreement = entered.agreement_with_postcode(postcode, address);
    let has_same_names =
        (agreement.street, agreement.town) == (NameAgreement::Same, NameAgreement::Same);
    let is_same = has_same_names && agreement.number == NumberAgreement::Same(SuffixMatch::Exact);
    (is_same, Weights::VALIDATION.score_agreement(&agreement))
}

/// The address that was probably meant if the postcode does not exist. Searches by street and city first, and then in existing postcodes
/// that differ by at most two characters. Among the postcodes whose names differ least, chooses the first that has the number. If none has
/// the number, chooses the first of them.
pub(crate) fn other_postcode<B: AddressLookup>(
    entered: &EnteredAddress<'_>,
    lookup: &B,
) -> Result<Option<Address>, B::Error> {
    match better_by_name(entered, None, lookup)? {
        Some(address) => Ok(Some(address)),
        None => near_postcode(entered, lookup),
    }
}

fn near_postcode<B: AddressLookup>(
    entered: &EnteredAddress<'_>,
    lookup: &B,
) -> Result<Option<Address>, B::Error> {
    let Some(entered_postcode) = EnteredPostcode::new(entered.postcode) else {
        return Ok(None);
    };
    let mut without_number = Vec::new();
    for candidate in entered_postcode.candidates(lookup.postcodes()) {
        let mismatches = fewest_name_mismatches(entered, candidate.postcode, lookup);
        if mismatches == 0
            && let Some(address) = suggest_at_number(entered, candidate.postcode, lookup)?
        {
            return Ok(Some(address));
        }
        without_number.push((mismatches, candidate.postcode));
    }
    // The sort is stable, so candidates with equally many mismatches stay in their order.
    without_number.sort_by_key(|&(differing, _)| differing);
    let Some(&(fewest, first)) = without_number.first() else {
        return Ok(None);
    };
    let best = without_number
        .iter()
        .take_while(|&&(differing, _)| differing == fewest);
    // If no name differs, the loop above has already looked for the number in these postcodes.
    for &(_, postcode) in best.filter(|_| fewest > 0) {
        if let Some(address) = suggest_at_number(entered, postcode, lookup)? {
            return Ok(Some(address));
        }
    }
    nearest_number(entered, first, lookup)
}

fn suggest_at_number<B: AddressLookup>(
    entered: &EnteredAddress<'_>,
    postcode: Postcode,
    lookup: &B,
) -> Result<Option<Address>, B::Error> {
    Ok(closest_at_number(
        entered,
        lookup.addresses_at_number(postcode, entered.number)?,
    ))
}

/// How many of the entered names differ from the street and the city of the best-matching street in a postcode.
fn fewest_name_mismatches<B: AddressLookup>(
    entered: &EnteredAddress<'_>,
    postcode: Postcode,
    lookup: &B,
) -> u8 {
    if entered.names.is_empty() {
        return 0;
    }
    let streets = lookup.streets_in_postcode(postcode);
    let mismatches =
        streets.map(|(street, city)| entered.names.compare(street, city).mismatch().count());
    mismatches.min().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::validation::{EnteredNames, HouseNumberSuffix};
    use postduif_schema::PostcodeSet;
    use proptest::prelude::*;
    use std::convert::Infallible;

    /// Looks addresses up in a list.
    struct AddressList {
        addresses: Vec<Address>,
        postcodes: PostcodeSet,
    }

    impl AddressList {
        fn new(addresses: Vec<Address>) -> Self {
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

    impl AddressLookup for AddressList {
        type Error = Infallible;

        fn postcodes(&self) -> &PostcodeSet {
            &self.postcodes
        }

        fn addresses_at_number(
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

        fn house_numbers_in(&self, postcode: Postcode) -> Result<Vec<HouseNumber>, Infallible> {
            Ok(self
                .within(postcode)
                .map(|address| address.number)
                .collect())
        }

        fn addresses_by_exact_name(
            &self,
            _: &NamedAddressQuery<'_>,
        ) -> Result<Vec<Address>, Infallible> {
            Ok(Vec::new())
        }

        fn addresses_by_name(&self, _: &NamedAddressQuery<'_>) -> Result<Vec<Address>, Infallible> {
            Ok(Vec::new())
        }

        fn for_each_street_form(&self, _: &Address, _: &mut dyn FnMut(&str)) {}

        fn streets_in_postcode(&self, postcode: Postcode) -> impl Iterator<Item = (&str, &str)> {
            let within = self.within(postcode);
            within.map(|address| (&*address.street, &*address.city))
        }
    }

    fn address() -> impl Strategy<Value = Address> {
        ("[12]{4}[AB]{2}", 1..4_u32, "[ds]", "[WM]").prop_map(|(postcode, number, street, city)| {
            let number = HouseNumber::new(number).expect("a house number");
            let place = [city.as_str(), "Gemeente", "Provincie"].map(Into::into);
            let plain = Address::new_po_box(postcode.parse().expect("a postcode"), number, place);
            Address {
                street: street.into(),
                ..plain
            }
        })
    }

    /// Ranks a postcode as decisions.md says: by names, number, swap of neighbouring characters, distance and then postcode.
    fn rank(
        entered: &EnteredAddress<'_>,
        postcode: Postcode,
        list: &AddressList,
    ) -> Option<impl Ord> {
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
        let names = list.within(postcode).map(|address| {
            entered
                .names
                .compare_with_address(address)
                .mismatch()
                .count()
        });
        let number = list
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
            let list = AddressList::new(addresses);
            let entered = EnteredAddress {
                postcode: &postcode,
                number: HouseNumber::new(number).expect("a house number"),
                suffix: HouseNumberSuffix::new(None, None),
                names: EnteredNames::new(names.0.as_deref(), names.1.as_deref()),
            };
            let all = list.addresses.iter().map(|address| address.postcode);
            let ranked = all.filter_map(|postcode| Some((rank(&entered, postcode, &list)?, postcode)));
            let expected = ranked.min_by(|a, b| a.0.cmp(&b.0)).map(|(_, postcode)| postcode);
            let Ok(found) = near_postcode(&entered, &list);
            prop_assert_eq!(found.map(|address| address.postcode), expected);
        }
    }
}
