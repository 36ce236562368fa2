//! What is known of each place in memory, packed: one question asks it of thousands of streets, so a street costs two places in
//! memory and not one for each of its columns.

use std::collections::HashSet;

use tantivy::{DocId, SegmentReader};

use super::layout::FORM_END;
use super::towns::TownNumber;
use crate::StreetKey;
use crate::columns::Names;

/// Every place, by its document.
pub(super) struct Table {
    rows: Vec<Row>,
    /// The names, each with its forms behind it, in the order of the rows.
    texts: String,
}

/// One place. Its texts end where those of the next one begin.
struct Row {
    key: u64,
    addresses: u32,
    /// None where the place is a town, or lacks what a street must have.
    town: TownNumber,
    name: u32,
    forms: u32,
    /// No other place has its key: the whole street lies in this town.
    alone: bool,
}

/// What a table says of one street.
pub(super) struct Entry<'a> {
    pub(super) key: StreetKey,
    pub(super) addresses: u64,
    pub(super) town: TownNumber,
    pub(super) alone: bool,
    pub(super) name: &'a str,
    pub(super) forms: &'a str,
}

impl Table {
    pub(super) fn read(segment: &SegmentReader) -> tantivy::Result<Self> {
        let numbers = |name| segment.fast_fields().u64(name);
        let (keys, addresses, towns) =
            (numbers("street")?, numbers("addresses")?, numbers("town")?);
        let names = Names::open(segment, "name")?;
        let forms = Names::open(segment, "forms")?;
        let mut table = Self {
            rows: Vec::new(),
            texts: String::new(),
        };
        for place in 0..segment.max_doc() {
            let small = |number: Option<u64>| number.and_then(|number| u32::try_from(number).ok());
            let (key, town) = (keys.first(place), small(towns.first(place)));
            let (name, addresses) = (names.borrow(place), small(addresses.first(place)));
            let is_street = key.is_some() && name.is_some() && addresses.is_some();
            let town = town.filter(|_| is_street);
            let begin = table.end();
            table.texts.push_str(name.unwrap_or_default());
            let row = Row {
                key: key.unwrap_or_default(),
                addresses: addresses.unwrap_or_default(),
                town: town.map_or(TownNumber::NONE, TownNumber),
                name: begin,
                forms: table.end(),
                alone: true,
            };
            table
                .texts
                .push_str(forms.borrow(place).unwrap_or_default());
            table.rows.push(row);
        }
        table.mark_shared();
        Ok(table)
    }

    /// Some streets lie in two towns.
    fn mark_shared(&mut self) {
        let mut keys: Vec<u64> = self.rows.iter().map(|row| row.key).collect();
        keys.sort_unstable();
        let twice = keys.windows(2).filter(|pair| pair[0] == pair[1]);
        let twice: HashSet<u64> = twice.map(|pair| pair[0]).collect();
        for row in &mut self.rows {
            row.alone = !twice.contains(&row.key);
        }
    }

    fn end(&self) -> u32 {
        u32::try_from(self.texts.len()).expect("the names of a country are some megabytes")
    }

    fn row(&self, place: DocId) -> Option<&Row> {
        self.rows.get(usize::try_from(place).ok()?)
    }

    /// What is known of a street; none for a town.
    pub(super) fn street(&self, place: DocId) -> Option<Entry<'_>> {
        let row = self.row(place).filter(|row| row.town != TownNumber::NONE)?;
        Some(Entry {
            key: StreetKey::from_number(row.key),
            addresses: row.addresses.into(),
            town: row.town,
            alone: row.alone,
            name: &self.texts[row.name as usize..row.forms as usize],
            forms: self.forms_of(place, row),
        })
    }

    /// The town that a street lies in; none for a town.
    pub(super) fn town(&self, place: DocId) -> Option<TownNumber> {
        let town = self.row(place).map(|row| row.town);
        town.filter(|town| *town != TownNumber::NONE)
    }

    /// The folded forms of a place's name.
    pub(super) fn forms(&self, place: DocId) -> impl Iterator<Item = &str> {
        let forms = self.row(place).map(|row| self.forms_of(place, row));
        split(forms.unwrap_or_default())
    }

    fn forms_of(&self, place: DocId, row: &Row) -> &str {
        let next = self.row(place + 1);
        let end = next.map_or(self.texts.len(), |next| next.name as usize);
        &self.texts[row.forms as usize..end]
    }

    /// How many places there are.
    pub(super) fn len(&self) -> usize {
        self.rows.len()
    }
}

/// The forms of a name, one by one.
pub(super) fn split(forms: &str) -> impl Iterator<Item = &str> {
    forms.split(FORM_END)
}
