//! Defines a street as the index of places returns it.

use tantivy::DocId;

use super::layout::split_forms;
use super::towns::TownRank;
use crate::StreetKey;

/// A street by its position in the index. The index has the towns first, and then the streets in descending order of weight.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct StreetRank(pub(super) DocId);

/// Identifies a name and its forms within an index. Streets of the same name in different towns share one id.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct NameId(pub(super) u32);

impl NameId {
    pub(super) fn index(self) -> usize {
        self.0 as usize
    }
}

/// The part of a street that is in one town.
#[derive(Debug, Clone, Copy)]
pub struct Street<'a> {
    /// The rank of the street.
    pub rank: StreetRank,
    /// The key of the street's addresses.
    pub key: StreetKey,
    /// The street's name as the register spells it; `Postbus` for the post-office boxes of a town.
    pub name: &'a str,
    /// Identifies the name. All streets with the same name and the same forms have the same id.
    pub name_id: NameId,
    /// The town of the street.
    pub town: TownRank,
    /// Number of the street's addresses in `town`.
    pub address_count: u64,
    /// Whether the whole street is in `town`.
    pub in_one_town: bool,
    pub(super) forms: &'a str,
}

impl<'a> Street<'a> {
    /// The folded spellings of the street's name. The first is the register's spelling.
    pub fn forms(&self) -> impl Iterator<Item = &'a str> {
        split_forms(self.forms)
    }
}
