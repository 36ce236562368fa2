//! Chooses the address to suggest if the entered address does not exist.
//!
//! Source: decisions.md, section Validation. Assumption: several addresses at the suggested number are ranked by how many entered
//! names they have, then by how near their suffix is, then by the order of bulk look-ups (`cmp_by_preference`). If no address has both
//! the entered street and the entered city, an address with one of the two is suggested.

use postduif_schema::{Address, AddressKind, HouseNumber, Postcode, fold, squash, squashed};

use super::address_lookup::AddressLookup;
use super::entered_address::EnteredAddress;
use super::entered_names::EnteredNames;
use super::suffix_distance::SuffixDistance;
use super::suffix_fit::SuffixFit;
use crate::search::{
    Agreement, NameAgreement, NumberAgreement, PostcodeAgreement, SuffixMatch, Weights, split_type,
};

/// The address that is most similar to the entered one. `addresses` are all at the same number. `None` if `addresses` is empty.
pub(crate) fn closest_at_number(
    entered: &EnteredAddress<'_>,
    addresses: Vec<Address>,
) -> Option<Address> {
    let with_misses = addresses.into_iter().map(|address| {
        let names = entered.names.compare_with_address(&address);
        let suffix = SuffixDistance::between(entered.suffix, &address);
        ((names.mismatch().count(), suffix), address)
    });
    let closest = with_misses.min_by(|(a, one), (b, other)| {
        let by_misses = a.cmp(b);
        by_misses.then_with(|| entered.suffix.cmp_by_preference(one, other))
    });
    closest.map(|(_, address)| address)
}

/// The closest of the found addresses, which are all at the entered number. `None` if they are in several streets.
pub(crate) fn closest_in_one_street(
    entered: &EnteredAddress<'_>,
    found: Vec<Address>,
) -> Option<Address> {
    let mut others = found.iter().skip(1);
    let is_unclear = others.any(|other| other.street_id != found[0].street_id);
    closest_at_number(entered, found).filter(|_| !is_unclear)
}

/// Chooses the address with the entered suffix, among the addresses of `fit` with the fewest wrong names. `None` if `fit` has no address,
/// or if several of these addresses have the entered parts but none has exactly the entered suffix.
pub(crate) fn choose_fitting(entered: &EnteredAddress<'_>, mut fit: SuffixFit) -> Option<Address> {
    let mismatches = |address: &Address| {
        let names = entered.names.compare_with_address(address);
        names.mismatch().count()
    };
    let all = fit.exact.iter().chain(&fit.partial);
    let fewest = all.map(mismatches).min()?;
    fit.exact.retain(|address| mismatches(address) == fewest);
    fit.partial.retain(|address| mismatches(address) == fewest);
    if fit.exact.is_empty() {
        let only = fit.partial.pop();
        return only.filter(|_| fit.partial.is_empty());
    }
    closest_at_number(entered, fit.exact)
}

/// Whether an address is a house although a post-office box was entered.
pub(crate) fn is_house_for_po_box(entered: &EnteredAddress<'_>, address: &Address) -> bool {
    entered.is_po_box() && address.kind != AddressKind::Postbus
}

/// The address in a postcode whose number is nearest to the entered number. `None` if the postcode has no address.
pub(crate) fn address_at_nearest_number<B: AddressLookup>(
    entered: &EnteredAddress<'_>,
    postcode: Postcode,
    lookup: &B,
) -> Result<Option<Address>, B::Error> {
    let entered_number = entered.number.get();
    let distance = |number: &HouseNumber| {
        let difference = number.get().abs_diff(entered_number);
        (difference, *number)
    };
    let numbers = lookup.house_numbers_in(postcode)?.into_iter();
    let Some(number) = numbers.min_by_key(distance) else {
        return Ok(None);
    };
    let addresses = lookup.addresses_at_number(postcode, number)?;
    Ok(closest_at_number(entered, addresses))
}

/// The address that agrees best with the entered fields, if it agrees better than `found_so_far`. `None` if there is no such address, or if an
/// address in another street or postcode agrees equally well. Compares only addresses in streets with a similar name, in a similar city or
/// near the entered postcode. If `found_so_far` is in the entered street at the entered postcode, compares only addresses in that street and city.
pub(crate) fn find_better_by_name<B: AddressLookup>(
    entered: &EnteredAddress<'_>,
    found_so_far: Option<&Address>,
    lookup: &B,
) -> Result<Option<Address>, B::Error> {
    let Some(street) = entered.names.street() else {
        return Ok(None);
    };
    // If no city was entered, the street is looked for in the city of `found_so_far`.
    let known_city = found_so_far.map(|known| &*known.city);
    let query = entered.query(street, entered.names.city().or(known_city));
    let score = |address: Address| -> ScoredAddress { (score_address(entered, &address), address) };
    let least = found_so_far.map_or((false, MIN_SCORE_BY_NAME), |known| {
        score_address(entered, known)
    });
    let exact = lookup.addresses_by_exact_name(&query)?.into_iter();
    let exact = exact.map(score);
    let (mut same, others): (Vec<_>, Vec<_>) = exact.partition(|((same, _), _)| *same);
    // `found_so_far` agrees in everything but the city, so the entered city is probably wrong. This holds even if the entered city has the same
    // street and number, unless its postcode there is nearly the entered one: then the postcode is probably wrong.
    let is_city_wrong = found_so_far.is_some_and(|known| agrees_except_city(entered, known));
    if is_city_wrong {
        same.retain(|(_, address)| {
            let postcode = entered.typed_postcode.as_ref();
            postcode.is_some_and(|typed| typed.compare(address.postcode).is_some())
        });
    }
    // Hengelo is also the everyday name of Hengelo (Gld).
    let has_whole_city = |address: &Address| {
        let entered = entered.names.city().map(fold);
        entered.is_some_and(|city| squash([&*city]) == squashed(&address.city))
    };
    if same.iter().any(|(_, address)| has_whole_city(address)) {
        same.retain(|(_, address)| has_whole_city(address));
    }
    if is_city_wrong || !same.is_empty() {
        // Street, city, number and suffix are all as entered. An address with a similar name cannot agree better.
        return Ok(only_best(same, least));
    }
    let lacks_suffix =
        |(_, address): &ScoredAddress| lacks_only_suffix(&entered.agreement(address));
    let without_suffix: Vec<_> = others.into_iter().filter(lacks_suffix).collect();
    if entered.suffix.is_empty() && !without_suffix.is_empty() {
        // Similar names are not searched: nothing but the suffix was left out, and the postcode was mistyped.
        return Ok(only_best(without_suffix, least));
    }
    if let Some(found) = better_with_swapped_names(entered, found_so_far, lookup)? {
        return Ok(found);
    }
    let known_street = found_so_far.filter(|known| has_entered_postcode_and_street(entered, known));
    let has_number = |known: &&Address| {
        let number = entered.agreement(known).number;
        matches!(number, NumberAgreement::Same(_))
    };
    let known_at_number = found_so_far.filter(has_number);
    let known_has_suffix = known_at_number.is_some() && !entered.suffix.is_empty();
    let known_at_postcode =
        known_at_number.filter(|known| entered.postcode == Some(known.postcode));
    let is_candidate = |address: &Address| {
        let agreement = entered.agreement(address);
        let lacks_suffix = known_has_suffix && agreement.number == NumberAgreement::OtherSuffix;
        let may_replace = |known| outweighs_known(entered, street, known, (address, &agreement));
        !lacks_suffix
            && known_at_postcode.is_none_or(may_replace)
            && known_street.is_none_or(|known| has_entered_street_and_city(entered, known, address))
    };
    let has_city = |known: &&Address| !entered.names.compare_with_address(known).mismatch().city;
    let known_names = known_street.filter(has_city);
    let candidates = match known_names {
        // Every candidate is in the street and the city of `found_so_far`, so similar names are not searched.
        Some(known) => {
            let query = entered.query(&known.street, Some(&known.city));
            lookup.addresses_by_exact_name(&query)?
        }
        None => lookup.addresses_by_name(&query)?,
    };
    let candidates = candidates.into_iter().filter(is_candidate);
    let scored = candidates.map(score).collect();
    Ok(only_best(scored, least))
}

/// Whether street, city and number are as entered, the postcode has one mistake, and the address has a suffix, of which a part was entered or
/// nothing.
fn lacks_only_suffix(agreement: &Agreement) -> bool {
    let names = (agreement.street, agreement.town);
    is_nearly_same(agreement.postcode)
        && names == (NameAgreement::Same, NameAgreement::Same)
        && agreement.number == NumberAgreement::Same(SuffixMatch::Prefix)
}

fn is_nearly_same(postcode: PostcodeAgreement) -> bool {
    matches!(
        postcode,
        PostcodeAgreement::UsualSlip | PostcodeAgreement::Near(1)
    )
}

/// Searches with street and city swapped. `None` if no address has the swapped names. The inner value is the best of these
/// addresses, if it is better than `found_so_far`, which may be one of them.
#[expect(
    clippy::option_option,
    reason = "`Some(None)`: found, but not better; `None`: not found"
)]
fn better_with_swapped_names<B: AddressLookup>(
    entered: &EnteredAddress<'_>,
    found_so_far: Option<&Address>,
    lookup: &B,
) -> Result<Option<Option<Address>>, B::Error> {
    let Some((city, street)) = entered.names.street().zip(entered.names.city()) else {
        return Ok(None);
    };
    let swapped =
        entered.with_names_and_suffix(EnteredNames::new(Some(street), Some(city)), entered.suffix);
    let found = lookup.addresses_by_exact_name(&entered.query(street, Some(city)))?;
    if found.is_empty() {
        return Ok(None);
    }
    let score = |address: &Address| score_address(&swapped, address);
    let least = found_so_far.map_or((false, f32::NEG_INFINITY), score);
    let scored = found.into_iter().map(|address| (score(&address), address));
    Ok(Some(only_best(scored.collect(), least)))
}

/// Whether a known address has the entered postcode and exactly the entered street. Then a similar street elsewhere was not meant.
fn has_entered_postcode_and_street(entered: &EnteredAddress<'_>, known: &Address) -> bool {
    let is_at_postcode = entered.postcode == Some(known.postcode);
    is_at_postcode && entered.names.compare_with_address(known).street == NameAgreement::Same
}

/// Whether a known address has the entered postcode, exactly the entered street, and the entered number with its suffix. The city is not
/// compared.
fn agrees_except_city(entered: &EnteredAddress<'_>, known: &Address) -> bool {
    let agreement = entered.agreement(known);
    agreement.number == NumberAgreement::Same(SuffixMatch::Exact)
        && has_entered_postcode_and_street(entered, known)
}

/// Whether a candidate with a similar street may replace `known`, which is at the entered postcode and number. `street` is the entered
/// street, folded. A short name resembles some street in any town by chance: Hofstraat for `Foostraat`. So the street must be the same,
/// sound alike, or have few mistakes, relative to the number of letters before the street type. Any other agreement, such as a part of the
/// name, counts as one mistake. More mistakes are allowed if the first letter agrees, which people seldom mistype, or if `known` is
/// doubtful: its city is not the entered one, or the entered postcode is nearly that of the candidate.
fn outweighs_known(
    entered: &EnteredAddress<'_>,
    street: &str,
    known: &Address,
    (address, agreement): (&Address, &Agreement),
) -> bool {
    let is_in_other_city = entered.names.compare_with_address(known).mismatch().city;
    let is_known_doubtful = is_in_other_city || is_nearly_same(agreement.postcode);
    let other = fold(&address.street);
    let (mistakes, begins_alike) = match agreement.street {
        NameAgreement::Same | NameAgreement::SoundsAlike => return true,
        NameAgreement::Mistyped(mistakes) => (mistakes, street.get(..1) == other.get(..1)),
        _ => (1, false),
    };
    let letters_per_mistake = match (begins_alike, is_known_doubtful) {
        (true, _) => 3,
        (false, true) => 4,
        (false, false) => 6,
    };
    let letters = letters_before_type(street).max(letters_before_type(&other));
    usize::from(mistakes) * letters_per_mistake <= letters
}

/// The number of letters of a folded name before its type: 4 for `kerkstraat`. All letters if the name has no type.
fn letters_before_type(name: &str) -> usize {
    let squashed = squash([name]);
    split_type(&squashed).map_or(squashed.len(), |(stem, _)| stem.len())
}

/// Whether an address has the entered street and city. If the city is missing or not exact, the address must be in the city of `known`.
fn has_entered_street_and_city(
    entered: &EnteredAddress<'_>,
    known: &Address,
    address: &Address,
) -> bool {
    let names = entered.names.compare_with_address(address);
    let is_in_known_city =
        (&address.city, &address.municipality) == (&known.city, &known.municipality);
    let has_city = match names.city {
        NameAgreement::Same => true,
        NameAgreement::Different => false,
        _ => is_in_known_city,
    };
    names.street == NameAgreement::Same && has_city
}

/// An address with its score, see [`score_address`].
type ScoredAddress = ((bool, f32), Address);

/// The address with the highest score above `least`. `None` if an address in another street or postcode has the same score.
fn only_best(mut scored: Vec<ScoredAddress>, least: (bool, f32)) -> Option<Address> {
    scored.retain(|(score, _)| *score > least);
    scored.sort_by(|(a, one), (b, other)| {
        let by_score = b.0.cmp(&a.0).then_with(|| b.1.total_cmp(&a.1));
        by_score.then_with(|| one.cmp_by_preference(other))
    });
    let (best, first) = scored.first()?;
    let equals = scored.iter().filter(|(score, _)| score == best);
    // Addresses in the same street and postcode with the same score do not make the choice unclear, because the preferred one is first.
    let mut elsewhere = equals.filter(|(_, other)| !is_in_same_street_and_postcode(first, other));
    let is_unclear = elsewhere.next().is_some();
    let first = scored.into_iter().next().filter(|_| !is_unclear)?;
    Some(first.1)
}

/// The highest score of an address in another street or postcode than `chosen`. `None` if no such address is similar to the entered one.
///
/// # Errors
/// When the addresses cannot be read.
pub fn best_other_score<B: AddressLookup>(
    entered: &EnteredAddress<'_>,
    chosen: &Address,
    lookup: &B,
) -> Result<Option<f32>, B::Error> {
    let mut others = Vec::new();
    if let Some(postcode) = entered.postcode {
        others = lookup.addresses_at_number(postcode, entered.number)?;
    }
    if let Some(street) = entered.names.street() {
        let query = entered.query(street, entered.names.city());
        others.extend(lookup.addresses_by_name(&query)?);
    }
    let others = others
        .iter()
        .filter(|other| !is_in_same_street_and_postcode(chosen, other));
    let scores = others.map(|other| score_address(entered, other).1);
    Ok(scores.max_by(f32::total_cmp))
}

/// Minimum score of a suggestion if there is no known address to compare it with. It is the score of an address that has the
/// entered city and number, and a street that differs by two typing errors.
const MIN_SCORE_BY_NAME: f32 = 57.0;

fn is_in_same_street_and_postcode(one: &Address, other: &Address) -> bool {
    one.street == other.street && one.city == other.city && one.postcode == other.postcode
}

/// Scores an address. The first value is whether street, city, number and suffix are all as entered, and the second the points
/// of the agreement. The first value is compared first, so a different postcode cannot outweigh it.
fn score_address(entered: &EnteredAddress<'_>, address: &Address) -> (bool, f32) {
    let agreement = entered.agreement(address);
    let has_same_names =
        (agreement.street, agreement.town) == (NameAgreement::Same, NameAgreement::Same);
    let is_same = has_same_names && agreement.number == NumberAgreement::Same(SuffixMatch::Exact);
    (is_same, Weights::VALIDATION.score_agreement(&agreement))
}
