//! Keeps the dictionary of a column of names in memory. Reading one name through tantivy's dictionary takes 12 µs, so a generation
//! loads all names when it opens.

use std::sync::Arc;

use tantivy::columnar::{Column, ColumnIndex};
use tantivy::{DocId, SegmentReader};

/// A text column with its dictionary in memory.
pub(crate) struct NameColumn {
    ordinals: Column<u64>,
    texts: Vec<Arc<str>>,
}

impl NameColumn {
    pub(crate) fn open(segment: &SegmentReader, name: &str) -> tantivy::Result<Self> {
        let Some(column) = segment.fast_fields().str(name)? else {
            return Ok(Self {
                ordinals: Column::build_empty_column(segment.max_doc()),
                texts: Vec::new(),
            });
        };
        let mut texts = Vec::with_capacity(column.dictionary().num_terms());
        let mut terms = column.dictionary().stream()?;
        while terms.advance() {
            let text = std::str::from_utf8(terms.key()).map_err(|_| {
                tantivy::TantivyError::InternalError(format!(
                    "the dictionary of column {name:?} is not UTF-8"
                ))
            })?;
            texts.push(text.into());
        }
        drop(terms);
        Ok(Self {
            ordinals: column.ords().clone(),
            texts,
        })
    }

    /// The name in a document.
    pub(crate) fn get(&self, document: DocId) -> Option<&Arc<str>> {
        let ordinal = usize::try_from(read_value(&self.ordinals, document)?).ok()?;
        self.texts.get(ordinal)
    }

    /// The ordinal of a document's name; `None` if the document has no name.
    pub(crate) fn ordinal(&self, document: DocId) -> Option<u32> {
        let ordinal = read_value(&self.ordinals, document)?;
        let place = usize::try_from(ordinal).ok()?;
        (place < self.texts.len())
            .then(|| u32::try_from(ordinal).ok())
            .flatten()
    }

    pub(crate) fn text(&self, ordinal: u32) -> &Arc<str> {
        let place = usize::try_from(ordinal).ok();
        let text = place.and_then(|place| self.texts.get(place));
        text.expect("an ordinal of this dictionary")
    }
}

/// The value of a document; `None` if the column has no value for it. Most columns have a value for every document; from these columns
/// the value is read without a look-up in the column's index.
pub(crate) fn read_value(column: &Column<u64>, document: DocId) -> Option<u64> {
    match column.index {
        ColumnIndex::Full => Some(column.values.get_val(document)),
        _ => column.first(document),
    }
}
