//! Keeps all places in memory, in a packed table. One query reads hundreds of streets. With this table, reading a street takes two
//! memory accesses instead of one for each column. Streets of the same name, such as the Kerkstraat of each town, share their texts.

use std::collections::{HashMap, HashSet};

use tantivy::{DocId, SegmentReader};

use super::layout::{join_forms, split_forms};
use super::partial_forms::partial_forms;
use super::place_columns::PlaceColumns;
use super::street::{NameId, Street, StreetRank};
use super::towns::TownRank;
use crate::{StreetKey, spelling_key};

/// All places of an index, in the order of their documents.
pub(super) struct PlaceTable {
    rows: Vec<PlaceRow>,
    /// The town of each row. The rows contain the town too, but a filter by town is faster if it reads only this smaller list.
    towns: Vec<TownRank>,
    names: Vec<NameRow>,
    /// The texts of `names`, in the same order: each name, followed by its forms, the spelling keys of the forms, and its partial forms.
    texts: String,
}

struct PlaceRow {
    key: u64,
    address_count: u32,
    /// [`TownRank::NONE`] if the place is a town, or lacks a value that a street must have.
    town: TownRank,
    name: NameId,
    /// Whether no other row has the street's key. If so, the whole street is in this town.
    in_one_town: bool,
}

/// Where the texts of a name are in `PlaceTable::texts`. The partial forms end where the next name starts.
struct NameRow {
    name_start: u32,
    forms_start: u32,
    keys_start: u32,
    partial_forms_start: u32,
}

#[derive(Clone)]
struct NameTexts<'a> {
    name: &'a str,
    /// The folded spellings of the name, joined with a separator.
    forms: &'a str,
    /// The spelling key of each form, joined like the forms.
    keys: &'a str,
    /// Each [partial form](partial_forms), followed by its spelling key. All of them are joined like the forms.
    partial_forms: &'a str,
}

/// A form of a name, to be compared with a typed text.
#[derive(Debug, Clone, Copy)]
pub(super) struct NameForm<'a> {
    /// The folded form.
    pub(super) text: &'a str,
    /// The spelling key of the form.
    pub(super) key: &'a str,
    /// Whether the name lacks its article or initials in this form, see [`partial_forms`].
    pub(super) is_partial: bool,
}

/// Where a form of a name and its key are in `PlaceTable::texts`. Reading a form by its position takes one memory access, instead of one for
/// the place, one for the name and one for the texts.
#[derive(Debug, Clone, Copy)]
pub(super) struct FormPosition {
    text: [u32; 2],
    key: [u32; 2],
    is_partial: bool,
}

impl<'a> NameTexts<'a> {
    /// The forms, then the partial forms.
    fn name_forms(self) -> impl Iterator<Item = NameForm<'a>> {
        let whole = split_forms(self.forms).zip(split_forms(self.keys));
        let mut partial = split_forms(self.partial_forms);
        let partial = std::iter::from_fn(move || Some((partial.next()?, partial.next()?)));
        let form = |is_partial| {
            move |(text, key)| NameForm {
                text,
                key,
                is_partial,
            }
        };
        whole.map(form(false)).chain(partial.map(form(true)))
    }
}

impl PlaceTable {
    pub(super) fn read(segment: &SegmentReader) -> tantivy::Result<Self> {
        let columns = PlaceColumns::open(segment)?;
        let (names, forms) = (&columns.names, &columns.forms);
        let mut table = Self {
            rows: Vec::new(),
            towns: Vec::new(),
            names: Vec::new(),
            texts: String::new(),
        };
        let mut known_names = HashMap::new();
        for document in 0..segment.max_doc() {
            let ordinals = (names.ordinal(document), forms.ordinal(document));
            let name = *known_names.entry(ordinals).or_insert_with(|| {
                table.add_name(
                    names.get(document).map_or("", |text| text),
                    forms.get(document).map_or("", |text| text),
                )
            });
            let street = columns.street(document);
            table.rows.push(PlaceRow {
                key: street.as_ref().map_or(0, |street| street.key.get()),
                address_count: street.as_ref().map_or(0, |street| street.address_count),
                town: street.map_or(TownRank::NONE, |street| street.town),
                name,
                in_one_town: true,
            });
        }
        table.towns = table.rows.iter().map(|row| row.town).collect();
        table.mark_streets_in_one_town();
        Ok(table)
    }

    fn add_name(&mut self, name: &str, forms: &str) -> NameId {
        let id = u32::try_from(self.names.len()).expect("fewer names than 2³²");
        let keys: Vec<String> = split_forms(forms).map(spelling_key).collect();
        let partial_forms_and_keys: Vec<String> = split_forms(forms)
            .flat_map(partial_forms)
            .flat_map(|form| {
                let key = spelling_key(&form);
                [form.into_owned(), key]
            })
            .collect();
        let name_start = self.text_end();
        self.texts.push_str(name);
        let forms_start = self.text_end();
        self.texts.push_str(forms);
        let keys_start = self.text_end();
        self.texts.push_str(&join_forms(&keys));
        let partial_forms_start = self.text_end();
        self.texts.push_str(&join_forms(&partial_forms_and_keys));
        self.names.push(NameRow {
            name_start,
            forms_start,
            keys_start,
            partial_forms_start,
        });
        NameId(id)
    }

    /// Sets `in_one_town` of every row. A street that is in two towns has two rows with the same key.
    fn mark_streets_in_one_town(&mut self) {
        let mut keys: Vec<u64> = self.rows.iter().map(|row| row.key).collect();
        keys.sort_unstable();
        let twice = keys.windows(2).filter(|pair| pair[0] == pair[1]);
        let twice: HashSet<u64> = twice.map(|pair| pair[0]).collect();
        for row in &mut self.rows {
            row.in_one_town = !twice.contains(&row.key);
        }
    }

    fn text_end(&self) -> u32 {
        u32::try_from(self.texts.len()).expect("the names of a country are some megabytes")
    }

    fn row(&self, document: DocId) -> Option<&PlaceRow> {
        self.rows.get(usize::try_from(document).ok()?)
    }

    /// The street in this document; `None` if the document is a town.
    pub(super) fn street(&self, document: DocId) -> Option<Street<'_>> {
        let row = self
            .row(document)
            .filter(|row| row.town != TownRank::NONE)?;
        let NameTexts { name, forms, .. } = self.texts(row.name);
        Some(Street {
            rank: StreetRank(document),
            key: StreetKey::from_number(row.key),
            address_count: row.address_count.into(),
            town: row.town,
            in_one_town: row.in_one_town,
            name_id: row.name,
            name,
            forms,
        })
    }

    /// The town of the street in this document; `None` if the document is a town.
    pub(super) fn town(&self, document: DocId) -> Option<TownRank> {
        let town = self.towns.get(usize::try_from(document).ok()?).copied();
        town.filter(|town| *town != TownRank::NONE)
    }

    /// The folded spellings of a place's name.
    pub(super) fn forms(&self, document: DocId) -> impl Iterator<Item = &str> {
        let forms = self.row(document).map(|row| self.texts(row.name).forms);
        split_forms(forms.unwrap_or_default())
    }

    /// The forms of a place's name with their spelling keys. The partial forms come last.
    pub(super) fn name_forms(&self, document: DocId) -> impl Iterator<Item = NameForm<'_>> {
        let texts = self.row(document).map(|row| self.texts(row.name));
        texts.into_iter().flat_map(NameTexts::name_forms)
    }

    /// The position of a form that this table returned.
    pub(super) fn form_position(&self, form: NameForm<'_>) -> FormPosition {
        let range = |text: &str| {
            let start = text.as_ptr().addr() - self.texts.as_ptr().addr();
            [start, start + text.len()].map(|at| u32::try_from(at).unwrap_or_default())
        };
        FormPosition {
            text: range(form.text),
            key: range(form.key),
            is_partial: form.is_partial,
        }
    }

    /// The form at a position.
    pub(super) fn form(&self, position: FormPosition) -> NameForm<'_> {
        let text = |[start, end]: [u32; 2]| &self.texts[start as usize..end as usize];
        NameForm {
            text: text(position.text),
            key: text(position.key),
            is_partial: position.is_partial,
        }
    }

    /// The name of a place; `None` if there is no such place.
    pub(super) fn name_id(&self, document: DocId) -> Option<NameId> {
        self.row(document).map(|row| row.name)
    }

    pub(super) fn forms_of_every_name(
        &self,
    ) -> impl Iterator<Item = impl Iterator<Item = NameForm<'_>>> {
        let names = (0..).map(NameId).take(self.names.len());
        names.map(|name| self.texts(name).name_forms())
    }

    fn texts(&self, name: NameId) -> NameTexts<'_> {
        let at = name.index();
        let NameRow {
            name_start,
            forms_start,
            keys_start,
            partial_forms_start,
        } = self.names[at];
        let next = self.names.get(at + 1);
        let end = next.map_or(self.texts.len(), |next| next.name_start as usize);
        let starts = [name_start, forms_start, keys_start, partial_forms_start];
        let [name_start, forms_start, keys_start, partial_forms_start] =
            starts.map(|at| at as usize);
        NameTexts {
            name: &self.texts[name_start..forms_start],
            forms: &self.texts[forms_start..keys_start],
            keys: &self.texts[keys_start..partial_forms_start],
            partial_forms: &self.texts[partial_forms_start..end],
        }
    }

    /// Number of places.
    pub(super) fn len(&self) -> usize {
        self.rows.len()
    }
}
