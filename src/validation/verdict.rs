//! The result of a validation, and which further readings of the entered address it leaves open.
//!
//! Source: contract.md, section POST /v1/validate; decisions.md, section Validation.

use postduif_schema::Address;

use super::entered_address::EnteredAddress;
use super::entered_names::EnteredNames;
use super::name_mismatch::NameMismatch;
use crate::search::NameAgreement;

/// The result of a validation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Verdict {
    /// The address exists.
    Valid(Address),
    /// The number exists in the postcode, but street or city is not as entered.
    FieldMismatch {
        /// The address at the postcode and number.
        address: Address,
        /// The entered names that differ from the names of `suggestion` or, without a suggestion, from those of `address`.
        mismatch: NameMismatch,
        /// Another address that agrees better with the entered fields than `address` does.
        suggestion: Option<Address>,
    },
    /// The postcode exists, but the number or its suffix does not. Holds the nearest address in the postcode, or another address that
    /// agrees better with the entered fields.
    NumberNotFound(Address),
    /// The postcode does not exist. Holds an address with the same or similar names, or an address in a similar postcode.
    PostcodeNotFound(Address),
    /// The text is not a postcode. Holds an address with the same or similar names, or an address in a similar postcode; `None` if neither
    /// was found.
    InvalidPostcode(Option<Address>),
    /// The address does not exist, and none is similar enough to suggest.
    NotFound,
}

impl Verdict {
    /// The address that the answer puts forward: the suggestion or, without one, the address that was found.
    pub(crate) fn best_address(&self) -> Option<&Address> {
        match self {
            Self::Valid(address)
            | Self::NumberNotFound(address)
            | Self::PostcodeNotFound(address)
            | Self::InvalidPostcode(Some(address)) => Some(address),
            Self::FieldMismatch {
                address,
                suggestion,
                ..
            } => Some(suggestion.as_ref().unwrap_or(address)),
            Self::InvalidPostcode(None) | Self::NotFound => None,
        }
    }

    /// Whether this verdict has no address, or one that differs from the entered one in both street and number. An address with the entered
    /// street or number is then likelier.
    pub(super) fn lacks_similar_address(&self, entered: &EnteredAddress<'_>) -> bool {
        self.best_address().is_none_or(|best| {
            let names = entered.names.compare_with_address(best);
            best.number != entered.number && names.street == NameAgreement::Different
        })
    }

    /// Whether to look for the entered street and number in another city. True if this verdict has no address, or if its address has
    /// another number and another street. If no usable postcode was entered, a difference in number, street or city is enough. Never true
    /// if the entered postcode and number exist.
    pub(super) fn may_be_in_other_city(&self, entered: &EnteredAddress<'_>) -> bool {
        let Some(best) = self.best_address() else {
            return true;
        };
        match self {
            Self::FieldMismatch { .. } => false,
            Self::InvalidPostcode(_) => {
                let names = entered.names.compare_with_address(best);
                entered.typed_postcode.is_none()
                    && (best.number != entered.number
                        || names.street == NameAgreement::Different
                        || names.city != NameAgreement::Same)
            }
            _ => self.lacks_similar_address(entered),
        }
    }

    /// This verdict, suggesting `address`.
    pub(super) fn with_suggestion(self, address: Address, entered: &EnteredNames) -> Self {
        match self {
            Self::InvalidPostcode(_) => Self::InvalidPostcode(Some(address)),
            Self::PostcodeNotFound(_) | Self::NotFound => Self::PostcodeNotFound(address),
            Self::Valid(_) | Self::NumberNotFound(_) => Self::NumberNotFound(address),
            Self::FieldMismatch { address: known, .. } => Self::FieldMismatch {
                address: known,
                mismatch: entered.compare_with_address(&address).mismatch(),
                suggestion: Some(address),
            },
        }
    }

    /// This verdict with further names marked as wrong, because they have words that are not a part of the name.
    pub(super) fn with_wrong_names(self, wrong: NameMismatch) -> Self {
        let (address, mismatch, suggestion) = match self {
            Self::Valid(address) => (address, NameMismatch::default(), None),
            Self::FieldMismatch {
                address,
                mismatch,
                suggestion,
            } => (address, mismatch, suggestion),
            other => return other,
        };
        Self::FieldMismatch {
            address,
            mismatch: mismatch.union(wrong),
            suggestion,
        }
    }
}
