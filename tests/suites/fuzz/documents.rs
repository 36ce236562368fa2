//! Fuzzes one document of a delivery with the readers of `index build` and `index apply`.

use jiff::civil::date;
use postduif_indexer::{Day, DocumentKind, MutationPeriod};

/// The first byte selects the kind of document; the other bytes are the document.
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
        DocumentKind::Relations(Day::from(period.to)),
        DocumentKind::Header,
    ][usize::from(which & 3)];
    match kind.count_records("document.xml", document) {
        // Each record is longer than one byte, so there are fewer records than bytes.
        Ok(count) => assert!(count < document.len() as u64, "{count} records"),
        Err(error) => {
            assert!(error.offset <= document.len() as u64, "{error}");
            let text = error.to_string();
            assert!(text.starts_with("document.xml, byte "), "{text}");
            assert!(text.len() < 1000, "{} bytes: {text}", text.len());
        }
    }
}
