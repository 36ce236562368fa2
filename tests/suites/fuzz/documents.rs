//! One document of a delivery, read by the readers that build and apply use.

use jiff::civil::date;
use postduif_indexer::{DocumentKind, MutationPeriod};

/// The first byte selects the kind of document that the rest is read as.
pub(super) fn documents(bytes: &[u8]) {
    let Some((&which, document)) = bytes.split_first() else {
        return;
    };
    let period = MutationPeriod {
        from: date(2021, 9, 15),
        to: date(2021, 9, 16),
    };
    let kind = [
        DocumentKind::Objects,
        DocumentKind::Mutations(period),
        DocumentKind::Relations,
        DocumentKind::Header,
    ][usize::from(which & 3)];
    match kind.count_records("document.xml", document) {
        // A record takes more than one byte.
        Ok(count) => assert!(count < document.len() as u64, "{count} records"),
        Err(error) => {
            assert!(error.offset <= document.len() as u64, "{error}");
            let text = error.to_string();
            assert!(text.starts_with("document.xml, byte "), "{text}");
            assert!(text.len() < 1000, "{} bytes: {text}", text.len());
        }
    }
}
