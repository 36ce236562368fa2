//! Builds the answer for a row: whether its address is right, the mistakes found, and the address in the register.

use postduif_schema::{Address, AddressKind, Postcode};
use serde::{Deserialize, Serialize};

use super::score::{DOUBT_FACTOR, Evidence, MAX_NOT_FOUND_SCORE};
use crate::check::lines::AddressEntry;
use crate::check::reason::{FieldName, FieldReason, Mistake};
use crate::search::{
    Agreement, LookupError, NameAgreement, NamedAddressQuery, NumberAgreement, PostcodeAgreement,
    SuffixMatch,
};
use crate::snapshot::Snapshot;
use crate::validation::{AddressLookup as _, EnteredAddress};

postduif_schema::named_enum! {
    /// How well the address of a row agrees with the register, the best first.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
    #[serde(rename_all = "snake_case")]
    pub enum CheckStatus {
        /// The address exists as entered.
        Ok = "ok",
        /// The address exists, and some fields were wrong or missing.
        Corrected = "corrected",
        /// Several addresses fit equally well.
        Ambiguous = "ambiguous",
        /// The address does not exist. The answer may give the nearest one.
        NotFound = "not_found",
        /// The row has no address.
        Unreadable = "unreadable",
    }
}

/// The answer for a row.
#[derive(Debug, Clone, PartialEq)]
pub struct RowAnswer {
    /// Whether the register has the address as entered, or how far the answer is from it.
    pub status: CheckStatus,
    /// The mistakes found. Those from comparing each field with the address come first, in the order of the fields. Those of other checks
    /// follow.
    pub reasons: Vec<FieldReason>,
    /// The register's address; `None` if none was found.
    pub address: Option<Address>,
    /// How likely it is that `address` was meant, from 0 to 1.
    pub score: f64,
    /// The address fields that were read from the row; `None` if the row has no address.
    pub(in crate::check) entry: Option<AddressEntry>,
}

/// Compares an entry with the address that was found for it, and returns the answer.
pub(super) fn answer_for_address(
    entry: AddressEntry,
    address: Address,
    evidence: &Evidence,
    snapshot: &Snapshot,
) -> RowAnswer {
    // Some generations have no post-office boxes, and a house must never be suggested for a box.
    if entry.to_entered().is_po_box() && address.kind != AddressKind::Postbus {
        let reason = FieldReason::new(FieldName::Street, Mistake::NotFound);
        return RowAnswer::not_found(vec![reason], entry);
    }
    let agreement = &evidence.agreement;
    let mut reasons = reasons(&entry, agreement, snapshot);
    let doubt = entry.doubt;
    reasons.extend(doubt);
    let has_equal_match = evidence.has_equal_match();
    let is_range = doubt.is_some_and(|doubt| doubt.mistake == Mistake::SeveralFit);
    let is_ambiguous = has_equal_match || is_range || evidence.fitting_addresses > 1;
    let has_number = matches!(agreement.number, NumberAgreement::Same(_));
    let is_found = has_number && evidence.identifies_address();
    let only_spelling = |reason: &FieldReason| reason.mistake == Mistake::Spelling;
    let status = if !is_found {
        CheckStatus::NotFound
    } else if is_ambiguous {
        CheckStatus::Ambiguous
    } else if reasons.iter().all(only_spelling) {
        CheckStatus::Ok
    } else {
        CheckStatus::Corrected
    };
    let score = evidence.score() * doubt.map_or(1.0, |_| DOUBT_FACTOR);
    if is_found && has_equal_match {
        reasons.push(FieldReason::new(FieldName::Row, Mistake::SeveralFit));
    }
    RowAnswer {
        status,
        reasons,
        score: match status {
            CheckStatus::NotFound => score.min(MAX_NOT_FOUND_SCORE),
            _ => score,
        },
        address: Some(address),
        entry: Some(entry),
    }
}

/// Counts the addresses at this house number that fit the entry as well as `address` does. Several may fit if the letter or the
/// addition was not entered, or was entered with other leading zeros.
pub(super) fn count_fitting_addresses(
    entered: &EnteredAddress<'_>,
    address: &Address,
    snapshot: &Snapshot,
) -> Result<usize, LookupError> {
    let agreement = entered.agreement(address);
    let partial = [SuffixMatch::Prefix, SuffixMatch::Equivalent].map(NumberAgreement::Same);
    if !partial.contains(&agreement.number) {
        return Ok(1);
    }
    let there = snapshot.addresses_at_number(address.postcode, address.number)?;
    let fits = |other: &&Address| {
        let other = entered.agreement(other);
        (other.number, other.street, other.town)
            == (agreement.number, agreement.street, agreement.town)
    };
    Ok(there.iter().filter(fits).count().max(1))
}

/// Finds the address with the nearest number in the entered street and city. `None` for a post-office box, without a street, or if no
/// address is found.
pub(super) fn nearest_number(
    entered: &EnteredAddress<'_>,
    snapshot: &Snapshot,
) -> Result<Option<Address>, LookupError> {
    let Some(street) = entered.names.street().filter(|_| !entered.is_po_box()) else {
        return Ok(None);
    };
    snapshot.nearest_number(&NamedAddressQuery {
        street,
        city: entered.names.city(),
        postcode: None,
        number: entered.number,
    })
}

/// Whether the entered postcode is not that of `address`, but another postcode of the same street.
pub(super) fn has_street_at_postcode(
    entered: &EnteredAddress<'_>,
    address: &Address,
    snapshot: &Snapshot,
) -> bool {
    let Some(postcode) = entered.postcode else {
        return false;
    };
    let mut streets = snapshot.streets_in_postcode(postcode);
    postcode != address.postcode && streets.any(|names| names == (&*address.street, &*address.city))
}

/// The mistakes in the fields of the entry, compared with the address that was found.
fn reasons(entry: &AddressEntry, agreement: &Agreement, snapshot: &Snapshot) -> Vec<FieldReason> {
    let name = |text: Option<&str>, name| match name {
        NameAgreement::Same => None,
        NameAgreement::NotGiven => text.map(|_| Mistake::Missing),
        _ => Some(Mistake::Different),
    };
    let number = match agreement.number {
        NumberAgreement::Same(_) | NumberAgreement::OtherSuffix => None,
        NumberAgreement::NotGiven | NumberAgreement::Missing => Some(Mistake::NotFound),
    };
    let addition = match agreement.number {
        NumberAgreement::Same(SuffixMatch::Equivalent) => Some(Mistake::Spelling),
        NumberAgreement::Same(SuffixMatch::Prefix) => Some(Mistake::Missing),
        NumberAgreement::OtherSuffix => Some(Mistake::NotFound),
        _ => None,
    };
    let postcode = match agreement.postcode {
        PostcodeAgreement::Same => None,
        _ => postcode_mistake(entry, snapshot),
    };
    let all = [
        (FieldName::Postcode, postcode),
        (FieldName::Number, number),
        (FieldName::Addition, addition),
        (
            FieldName::Street,
            name(entry.street.as_deref(), agreement.street),
        ),
        (FieldName::City, name(entry.city.as_deref(), agreement.town)),
    ];
    let wrong = all.into_iter();
    wrong
        .filter_map(|(field, mistake)| Some(FieldReason::new(field, mistake?)))
        .collect()
}

/// The mistake in an entered postcode that is not the postcode of the address. `None` if the table has no postcode column.
fn postcode_mistake(entry: &AddressEntry, snapshot: &Snapshot) -> Option<Mistake> {
    let text = entry.postcode.as_deref()?;
    Some(match Postcode::from_input(text) {
        _ if text.trim().is_empty() => Mistake::Missing,
        Err(_) => Mistake::Malformed,
        Ok(postcode) if snapshot.postcodes().contains(postcode) => Mistake::Different,
        Ok(_) => Mistake::NotFound,
    })
}

/// The reasons if no address is found: a mistake in the postcode, and a city or else a street that the register does not have. If neither
/// applies, the reason is `NotFound` for the row.
pub(super) fn reasons_without_address(
    entry: &AddressEntry,
    snapshot: &Snapshot,
) -> Vec<FieldReason> {
    let postcode = postcode_mistake(entry, snapshot);
    let postcode = postcode.filter(|mistake| *mistake != Mistake::Different);
    let [street, city] = [&entry.street, &entry.city]
        .map(|text| text.as_deref().filter(|text| !text.trim().is_empty()));
    let name = match (city.map(|city| snapshot.has_town(city)), street) {
        (Some(false), _) => Some(FieldName::City),
        (Some(true), Some(_)) => Some(FieldName::Street),
        _ => None,
    };
    let postcode = postcode.map(|mistake| FieldReason::new(FieldName::Postcode, mistake));
    let name = name.map(|field| FieldReason::new(field, Mistake::NotFound));
    match (postcode, name) {
        (None, None) => vec![FieldReason::new(FieldName::Row, Mistake::NotFound)],
        reasons => [reasons.0, reasons.1].into_iter().flatten().collect(),
    }
}

impl RowAnswer {
    /// The answer for a row without an address.
    pub(in crate::check) fn unreadable(reason: FieldReason) -> Self {
        Self {
            status: CheckStatus::Unreadable,
            reasons: vec![reason],
            address: None,
            score: 0.0,
            entry: None,
        }
    }

    /// The answer for a row with an address in another country.
    pub(super) fn other_country() -> Self {
        let reason = FieldReason::new(FieldName::Country, Mistake::Different);
        Self {
            status: CheckStatus::NotFound,
            ..Self::unreadable(reason)
        }
    }

    /// The answer for an entry with an address that does not exist.
    pub(super) fn not_found(reasons: Vec<FieldReason>, entry: AddressEntry) -> Self {
        Self {
            status: CheckStatus::NotFound,
            reasons,
            address: None,
            score: 0.0,
            entry: Some(entry),
        }
    }

    /// The reasons as one text, separated by spaces.
    pub fn reason_text(&self) -> String {
        let reasons = self.reasons.iter().map(ToString::to_string);
        reasons.collect::<Vec<_>>().join(" ")
    }
}
