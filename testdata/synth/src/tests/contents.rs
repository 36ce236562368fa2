//! Reads a delivery: every XML file by its path through the nested zips, and elements of the records in these files.

use std::collections::BTreeMap;
use std::io::{Cursor, Read};
use zip::ZipArchive;

/// The XML files of a delivery.
#[derive(PartialEq)]
pub(super) struct Contents(BTreeMap<String, Vec<u8>>);

impl Contents {
    pub(super) fn read(zip: &[u8]) -> Self {
        let mut files = BTreeMap::new();
        unpack("", zip, &mut files);
        Self(files)
    }

    pub(super) fn names(&self) -> impl Iterator<Item = &str> {
        self.0.keys().map(String::as_str)
    }

    pub(super) fn files(&self) -> impl Iterator<Item = (&str, &[u8])> {
        self.0
            .iter()
            .map(|(name, bytes)| (name.as_str(), bytes.as_slice()))
    }

    /// The text of all files whose name contains `part`.
    pub(super) fn text(&self, part: &str) -> String {
        let files = self.0.iter().filter(|(name, _)| name.contains(part));
        files
            .map(|(_, bytes)| String::from_utf8_lossy(bytes))
            .collect()
    }

    /// The voorkomens of all files whose name contains `part`.
    pub(super) fn records(&self, part: &str) -> Vec<String> {
        let text = self.text(part);
        let open = text.split("<sl:stand>").skip(1);
        open.filter_map(|rest| rest.split_once("</sl:stand>"))
            .map(|(record, _)| record.to_owned())
            .collect()
    }
}

fn unpack(at: &str, zip: &[u8], files: &mut BTreeMap<String, Vec<u8>>) {
    let mut archive = ZipArchive::new(Cursor::new(zip)).expect("it is a zip");
    for index in 0..archive.len() {
        let mut entry = archive.by_index(index).expect("the entry is there");
        let name = format!("{at}{}", entry.name().expect("the name is ASCII"));
        let mut bytes = Vec::new();
        entry.read_to_end(&mut bytes).expect("the entry is whole");
        if name.ends_with(".zip") {
            unpack(&format!("{name}/"), &bytes, files);
        } else {
            files.insert(name, bytes);
        }
    }
}

/// The content of the first element of this name in a record.
pub(super) fn field<'a>(record: &'a str, element: &str) -> Option<&'a str> {
    elements(record, element).next()
}

/// The contents of all elements of this name in a record.
pub(super) fn fields<'a>(record: &'a str, element: &str) -> Vec<&'a str> {
    elements(record, element).collect()
}

fn elements<'a>(record: &'a str, element: &str) -> impl Iterator<Item = &'a str> {
    record.split('<').filter_map(move |tag| {
        let (name, content) = tag.split_once('>')?;
        let (_, local) = name.split(' ').next()?.split_once(':')?;
        (!name.starts_with('/') && local == element).then_some(content)
    })
}
