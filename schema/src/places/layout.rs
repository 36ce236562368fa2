//! Defines the fields of the tantivy index of places. No other module defines them.
//!
//! The index has one segment. The documents of the towns come first, then those of the streets, each in descending order of weight.
//! So the rank of a town is its document number.

use tantivy::schema::{
    FAST, Field, IndexRecordOption, NumericOptions, Schema, SchemaBuilder, TextFieldIndexing,
    TextOptions,
};

/// Handles of the place fields.
#[derive(Debug, Clone, Copy)]
pub(super) struct PlaceFields {
    /// Prefixes of a street's name that start at any of its words, folded and without spaces: `tuy` and `vantuy` for Van Tuyllaan. A prefix
    /// has at most [`MAX_PREFIX_CHARS`] characters.
    pub(super) prefixes: Field,
    /// The whole name of a street in each of its spellings, folded and without spaces: `vantuyllaan`.
    pub(super) whole_names: Field,
    /// The rank of a street's town; a term and a column, absent for a town.
    pub(super) town: Field,
    /// The postcodes of a street, as terms.
    pub(super) postcode: Field,
    /// The folded spellings of the name, separated by [`FORM_SEPARATOR`]. The first is the register's spelling.
    pub(super) forms: Field,
    pub(super) name: Field,
    pub(super) municipality: Field,
    pub(super) province: Field,
    /// [`StreetKey`](crate::StreetKey); absent for a town.
    pub(super) street: Field,
    /// Number of addresses.
    pub(super) addresses: Field,
}

/// Maximum length of an indexed prefix, in characters. For a longer typed text, the search looks up its first characters and then
/// compares the streets found with the whole text.
pub(super) const MAX_PREFIX_CHARS: usize = 24;

/// Separates two forms of a name; no folded name contains it.
pub(super) const FORM_SEPARATOR: char = '|';

/// Joins forms with [`FORM_SEPARATOR`].
pub(super) fn join_forms(forms: &[String]) -> String {
    forms.join(&FORM_SEPARATOR.to_string())
}

/// Splits joined forms at [`FORM_SEPARATOR`].
pub(super) fn split_forms(forms: &str) -> impl Iterator<Item = &str> + Clone {
    forms.split(FORM_SEPARATOR)
}

pub(super) fn place_layout() -> (Schema, PlaceFields) {
    let mut schema = Schema::builder();
    let term = NumericOptions::default().set_indexed();
    let fields = PlaceFields {
        prefixes: add_terms(&mut schema, "beginning"),
        whole_names: add_terms(&mut schema, "whole"),
        town: schema.add_u64_field("town", term.clone().set_fast()),
        postcode: schema.add_u64_field("postcode", term),
        forms: add_name(&mut schema, "forms"),
        name: add_name(&mut schema, "name"),
        municipality: add_name(&mut schema, "municipality"),
        province: add_name(&mut schema, "province"),
        street: schema.add_u64_field("street", FAST),
        addresses: schema.add_u64_field("addresses", FAST),
    };
    (schema.build(), fields)
}

/// Adds a field that indexes each text as one term. Frequencies are not stored.
fn add_terms(schema: &mut SchemaBuilder, name: &str) -> Field {
    let terms = TextFieldIndexing::default()
        .set_tokenizer("raw")
        .set_index_option(IndexRecordOption::Basic)
        .set_fieldnorms(false);
    schema.add_text_field(name, TextOptions::default().set_indexing_options(terms))
}

fn add_name(schema: &mut SchemaBuilder, name: &str) -> Field {
    schema.add_text_field(name, TextOptions::default().set_fast("raw"))
}
