//! Chooses the address to suggest if the entered postcode does not exist or is not a postcode.
//!
//! Source: decisions.md, section Validation.

use postduif_schema::{Address, Postcode};
use rustc_hash::FxHashMap;

use super::address_lookup::AddressLookup;
use super::entered_address::EnteredAddress;
use super::suggest::{
    address_at_nearest_number, closest_at_number, find_better_by_name, is_house_for_po_box,
};
use crate::search::NameAgreement;

/// The address that was probably meant if the postcode does not exist. Searches by street and city first, and then in existing postcodes
/// that differ by at most two characters. Of these, only the postcodes in which the fewest of the entered names differ are considered.
/// Chooses the first of them that has the number or, if none has it, the first.
pub(crate) fn suggest_in_other_postcode<B: AddressLookup>(
    entered: &EnteredAddress<'_>,
    lookup: &B,
) -> Result<Option<Address>, B::Error> {
    let suggested = match find_better_by_name(entered, None, lookup)? {
        Some(address) => Some(address),
        None => suggest_near_postcode(entered, lookup)?
            .filter(|address| agrees_by_name(entered, address)),
    };
    Ok(suggested.filter(|address| !is_house_for_po_box(entered, address)))
}

/// True if the street agrees, or if no street was entered and the city does not differ. A differing street passes only if no city was
/// entered: otherwise number and city alone would fit any street.
fn agrees_by_name(entered: &EnteredAddress<'_>, address: &Address) -> bool {
    let names = entered.names.compare_with_address(address);
    match names.street {
        NameAgreement::Different => names.city == NameAgreement::NotGiven,
        NameAgreement::NotGiven => names.city != NameAgreement::Different,
        _ => true,
    }
}

fn suggest_near_postcode<B: AddressLookup>(
    entered: &EnteredAddress<'_>,
    lookup: &B,
) -> Result<Option<Address>, B::Error> {
    let Some(typed_postcode) = &entered.typed_postcode else {
        return Ok(None);
    };
    let mut without_number = Vec::new();
    let mut compared = FxHashMap::default();
    for candidate in typed_postcode.candidates(lookup.postcodes()) {
        let mismatches = fewest_name_mismatches(entered, candidate.postcode, lookup, &mut compared);
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
    address_at_nearest_number(entered, first, lookup)
}

fn suggest_at_number<B: AddressLookup>(
    entered: &EnteredAddress<'_>,
    postcode: Postcode,
    lookup: &B,
) -> Result<Option<Address>, B::Error> {
    let addresses = lookup.addresses_at_number(postcode, entered.number)?;
    Ok(closest_at_number(entered, addresses))
}

/// How many of the entered names differ from the street and the city of the best-matching street in a postcode. `compared` keeps the numbers
/// for each street and city.
fn fewest_name_mismatches<'l, B: AddressLookup>(
    entered: &EnteredAddress<'_>,
    postcode: Postcode,
    lookup: &'l B,
    compared: &mut FxHashMap<(&'l str, &'l str), u8>,
) -> u8 {
    if entered.names.is_empty() {
        return 0;
    }
    let count = |(street, city): (&'l str, &'l str)| {
        let names = compared.entry((street, city));
        *names.or_insert_with(|| entered.names.mismatch(street, city).count())
    };
    let streets = lookup.streets_in_postcode(postcode);
    streets.map(count).min().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::NamedAddressQuery;
    use crate::validation::{EnteredNames, HouseNumberSuffix};
    use postduif_schema::{HouseNumber, PostcodeSet, fold};
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
            query: &NamedAddressQuery<'_>,
        ) -> Result<Vec<Address>, Infallible> {
            let named = self.addresses.iter().filter(|address| {
                fold(&address.street) == query.street
                    && query.city == Some(&*fold(&address.city))
                    && address.number == query.number
            });
            Ok(named.cloned().collect())
        }

        fn addresses_by_name(&self, _: &NamedAddressQuery<'_>) -> Result<Vec<Address>, Infallible> {
            panic!("similar names were searched");
        }

        fn addresses_in_other_cities(
            &self,
            _: &NamedAddressQuery<'_>,
        ) -> Result<Vec<Address>, Infallible> {
            Ok(Vec::new())
        }

        fn addresses_by_text(&self, _: &str) -> Result<Vec<Address>, Infallible> {
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

    #[test]
    fn similar_names_are_not_searched_if_only_the_suffix_was_left_out() {
        let postcode = "1234AB".parse().expect("a postcode");
        let number = HouseNumber::new(3).expect("a house number");
        let plain = Address::new_po_box(
            postcode,
            number,
            ["Wijk", "Wijk", "Utrecht"].map(Into::into),
        );
        let address = Address {
            street: "Dijk".into(),
            addition: "B".parse().ok(),
            ..plain
        };
        let names = EnteredNames::new(Some("Dijk"), Some("Wijk"));
        let suffix = HouseNumberSuffix::new(None, None);
        let entered = EnteredAddress::new("1234AC", number, suffix, names);
        let list = AddressList::new(vec![address.clone()]);
        let Ok(found) = suggest_in_other_postcode(&entered, &list);
        assert_eq!(found, Some(address));
    }

    /// Ranks a postcode as decisions.md says: by names, number, swap of neighbouring characters, distance and then postcode.
    fn rank(
        entered: &EnteredAddress<'_>,
        postcode: Postcode,
        list: &AddressList,
    ) -> Option<impl Ord> {
        let (typed, text) = (entered.postcode_text.as_bytes(), postcode.to_string());
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
            let number = HouseNumber::new(number).expect("a house number");
            let names = EnteredNames::new(names.0.as_deref(), names.1.as_deref());
            let entered = EnteredAddress::new(&postcode, number, HouseNumberSuffix::new(None, None), names);
            let all = list.addresses.iter().map(|address| address.postcode);
            let ranked = all.filter_map(|postcode| Some((rank(&entered, postcode, &list)?, postcode)));
            let expected = ranked.min_by(|a, b| a.0.cmp(&b.0)).map(|(_, postcode)| postcode);
            let Ok(found) = suggest_near_postcode(&entered, &list);
            prop_assert_eq!(found.map(|address| address.postcode), expected);
        }
    }
}
