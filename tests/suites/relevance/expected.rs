//! Describes the place that a query must find, and decides whether a suggestion matches it.

use std::fmt;
use std::sync::Arc;

use postduif_schema::{Address, AddressIndex, Postcode};

use super::tested_index::{SearchSuggestion, SuggestionKind};
use super::text::suffix;

/// The place that a query must find. Names are spelled as in the register. If no town is given, every town matches.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Expected {
    /// A street, or any address in this street.
    Street {
        street: Arc<str>,
        city: Option<Arc<str>>,
    },
    /// An address at a number. If no suffix is given, every suffix matches. Case is ignored.
    Address {
        street: Arc<str>,
        city: Option<Arc<str>>,
        number: u32,
        suffix: Option<String>,
    },
    /// A town, but no place within it.
    City(Arc<str>),
    /// Any place with this postcode.
    Postcode(Postcode),
    /// Any place whose postcode has these four digits.
    Area(u32),
}

impl Expected {
    /// Expects the street of an address.
    pub(crate) fn street(address: &Address) -> Self {
        Self::Street {
            street: address.street.clone(),
            city: Some(address.city.clone()),
        }
    }

    /// Expects this address. Another address whose text is the same also matches.
    pub(crate) fn address(address: &Address) -> Self {
        Self::Address {
            street: address.street.clone(),
            city: Some(address.city.clone()),
            number: address.number.get(),
            suffix: Some(suffix(address)),
        }
    }

    /// Expects any address at the number of this address, with any letter and addition.
    pub(crate) fn number(address: &Address) -> Self {
        Self::Address {
            street: address.street.clone(),
            city: Some(address.city.clone()),
            number: address.number.get(),
            suffix: None,
        }
    }

    /// The same place, but in any town.
    pub(crate) fn in_any_town(self) -> Self {
        match self {
            Self::Street { street, .. } => Self::Street { street, city: None },
            Self::Address {
                street,
                number,
                suffix,
                ..
            } => Self::Address {
                street,
                city: None,
                number,
                suffix,
            },
            other => other,
        }
    }

    /// Whether a suggestion is the expected place. For an address, the id decides and not the label.
    pub(crate) fn is_met_by(
        &self,
        suggestion: &SearchSuggestion<'_>,
        index: &AddressIndex,
    ) -> bool {
        match self {
            Self::Street { street, city } => {
                suggestion.kind != SuggestionKind::City
                    && suggestion.street == Some(&**street)
                    && (city.is_none() || suggestion.city == city.as_deref())
            }
            Self::Address { .. } => {
                let known = suggestion
                    .id
                    .and_then(|id| index.get_by_id(id).ok().flatten());
                suggestion.kind == SuggestionKind::Address
                    && known.is_some_and(|address| self.is_of(&address))
            }
            Self::City(city) => {
                suggestion.kind == SuggestionKind::City && suggestion.city == Some(&**city)
            }
            Self::Postcode(postcode) => suggestion.postcode == Some(*postcode),
            Self::Area(digits) => suggestion
                .postcode
                .is_some_and(|postcode| postcode.digits() == *digits),
        }
    }

    /// Whether an address is the expected address, or is in the expected place.
    pub(crate) fn is_of(&self, address: &Address) -> bool {
        let is_in_street = |street: &Arc<str>, city: &Option<Arc<str>>| {
            address.street == *street && city.as_ref().is_none_or(|city| address.city == *city)
        };
        match self {
            Self::Street { street, city } => is_in_street(street, city),
            Self::Address {
                street,
                city,
                number,
                suffix: meant,
            } => {
                let same = |meant: &String| meant.eq_ignore_ascii_case(&suffix(address));
                is_in_street(street, city)
                    && address.number.get() == *number
                    && meant.as_ref().is_none_or(same)
            }
            Self::City(city) => address.city == *city,
            Self::Postcode(postcode) => address.postcode == *postcode,
            Self::Area(digits) => address.postcode.digits() == *digits,
        }
    }
}

impl fmt::Display for Expected {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let town = |city: &Option<Arc<str>>| city.clone().unwrap_or_else(|| "any town".into());
        match self {
            Self::Street { street, city } => write!(f, "street {street}, {}", town(city)),
            Self::Address {
                street,
                city,
                number,
                suffix,
            } => {
                let suffix = match suffix.as_deref() {
                    None => " (any)".to_owned(),
                    Some("") => String::new(),
                    Some(suffix) => format!(" {suffix}"),
                };
                write!(f, "address {street} {number}{suffix}, {}", town(city))
            }
            Self::City(city) => write!(f, "town {city}"),
            Self::Postcode(postcode) => write!(f, "postcode {postcode}"),
            Self::Area(digits) => write!(f, "postcodes {digits}"),
        }
    }
}
