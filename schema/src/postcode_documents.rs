//! Finds the documents of a postcode in one segment of an index.

use std::ops::Range;

use tantivy::DocId;

use crate::Postcode;

/// All postcodes of a segment in order, with their documents.
pub(crate) struct PostcodeDocuments {
    postcodes: Vec<Postcode>,
    /// For each postcode its documents, including deleted documents. `None` if the documents are not adjacent in the order of house
    /// number.
    documents: Vec<Option<Range<DocId>>>,
    /// For each combination of four digits, the index of its first postcode. The last entry is the number of postcodes. Few
    /// postcodes have the same digits, so a look-up reads only a few neighbouring cache lines.
    starts: Vec<usize>,
}

/// Where the documents of a postcode are.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum PostcodePlace {
    /// The segment has no document of this postcode.
    Absent,
    /// This range has all documents of the postcode, including deleted documents, and no others. They are in the order of house number.
    Contiguous(Range<DocId>),
    /// The documents are not adjacent. The caller must look up the term of the postcode.
    Scattered,
}

/// Number of combinations of four digits.
const DIGITS: u32 = 10_000;

impl PostcodeDocuments {
    /// Makes a table of postcodes, which must be in ascending order.
    pub(crate) fn new(postcodes: Vec<(Postcode, Option<Range<DocId>>)>) -> Self {
        let (postcodes, documents): (Vec<Postcode>, Vec<_>) = postcodes.into_iter().unzip();
        let first_of = |digits| postcodes.partition_point(|postcode| postcode.digits() < digits);
        let starts = (0..=DIGITS).map(first_of).collect();
        Self {
            postcodes,
            documents,
            starts,
        }
    }

    /// Where the documents of a postcode are.
    pub(crate) fn find(&self, postcode: Postcode) -> PostcodePlace {
        let digits = postcode.digits() as usize;
        let (start, end) = (self.starts[digits], self.starts[digits + 1]);
        let Ok(place) = self.postcodes[start..end].binary_search(&postcode) else {
            return PostcodePlace::Absent;
        };
        match &self.documents[start + place] {
            Some(documents) => PostcodePlace::Contiguous(documents.clone()),
            None => PostcodePlace::Scattered,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_postcode_of_the_table_is_found_and_no_other() {
        let postcode = |text: &str| text.parse::<Postcode>().expect("a postcode");
        let all = [
            ("1000AA", Some(0..3)),
            ("1000ZZ", None),
            ("1001AA", Some(20..23)),
            ("9999ZZ", Some(30..33)),
        ];
        let all = all.map(|(text, documents)| (postcode(text), documents));
        let table = PostcodeDocuments::new(all.into());
        let find = |text| table.find(postcode(text));
        assert_eq!(find("0000AA"), PostcodePlace::Absent);
        assert_eq!(find("1000AA"), PostcodePlace::Contiguous(0..3));
        assert_eq!(find("1000AB"), PostcodePlace::Absent);
        assert_eq!(find("1000ZZ"), PostcodePlace::Scattered);
        assert_eq!(find("1001AA"), PostcodePlace::Contiguous(20..23));
        assert_eq!(find("1002AA"), PostcodePlace::Absent);
        assert_eq!(find("9999ZZ"), PostcodePlace::Contiguous(30..33));
    }
}
