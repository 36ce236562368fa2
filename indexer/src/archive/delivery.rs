//! Which files a delivery holds, told by their names. See the file naming of BAG 2.0 extracts.
//!
//! A municipal delivery has one archive more around the object types than a national one; entries come in any order.
//! Inactief, NietBag and InOnderzoek never reach the register and are passed over.

use std::sync::Arc;

use super::{Archive, ArchiveError, Entry, refused, total};

const HEADER: &str = "Leveringsdocument-BAG-Extract.xml";
/// What the archive and the documents of mutations have in their names.
const MUTATIONS: &str = "MUT";

/// A type of file of a delivery that is read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum PartKind {
    Woonplaats,
    OpenbareRuimte,
    Nummeraanduiding,
    Verblijfsobject,
    Ligplaats,
    Standplaats,
    Pand,
}

impl PartKind {
    pub(crate) const ALL: [Self; 7] = [
        Self::Woonplaats,
        Self::OpenbareRuimte,
        Self::Nummeraanduiding,
        Self::Verblijfsobject,
        Self::Ligplaats,
        Self::Standplaats,
        Self::Pand,
    ];

    /// The three letters in file names.
    pub(crate) const fn letters(self) -> &'static str {
        match self {
            Self::Woonplaats => "WPL",
            Self::OpenbareRuimte => "OPR",
            Self::Nummeraanduiding => "NUM",
            Self::Verblijfsobject => "VBO",
            Self::Ligplaats => "LIG",
            Self::Standplaats => "STA",
            Self::Pand => "PND",
        }
    }

    /// The element that holds one voorkomen.
    pub(crate) const fn element(self) -> &'static str {
        match self {
            Self::Woonplaats => "Woonplaats",
            Self::OpenbareRuimte => "OpenbareRuimte",
            Self::Nummeraanduiding => "Nummeraanduiding",
            Self::Verblijfsobject => "Verblijfsobject",
            Self::Ligplaats => "Ligplaats",
            Self::Standplaats => "Standplaats",
            Self::Pand => "Pand",
        }
    }
}

/// A delivery as its archive lists it; nothing but the header is read yet.
pub(crate) struct Delivery {
    pub(crate) header: XmlFile,
    pub(crate) relations: Vec<XmlFile>,
    parts: Vec<(PartKind, Archive, Entry)>,
    /// The archives of what changed.
    mutations: Vec<(Archive, Entry)>,
    /// Entries that no delivery is known to have, to be told of.
    pub(crate) unknown: Vec<String>,
}

/// The XML documents of one object type, in the order of their numbers.
pub(crate) struct Part {
    pub(crate) files: Vec<XmlFile>,
}

/// One XML document in an archive.
pub(crate) struct XmlFile {
    pub(crate) path: String,
    archive: Archive,
    entry: Arc<Entry>,
    /// Whether it holds woonplaatsen.
    towns: bool,
}

impl XmlFile {
    /// Reads the document into a buffer, which is emptied first.
    pub(crate) fn read(&self, buffer: &mut Vec<u8>) -> Result<(), ArchiveError> {
        self.archive
            .clone()
            .read_xml(&self.entry, self.towns, buffer)
    }

    /// How many bytes of the delivery it takes.
    pub(crate) fn packed(&self) -> u64 {
        self.entry.packed
    }

    /// The document's size in bytes.
    pub(crate) fn bytes(&self) -> u64 {
        self.entry.bytes
    }
}

/// What an entry is, by its name.
enum Role {
    Header,
    Relations,
    Container,
    Part(PartKind),
    Mutations,
    PassedOver,
    Unknown,
}

impl Delivery {
    /// Lists what a delivery holds.
    pub(crate) fn open(mut archive: Archive) -> Result<Self, ArchiveError> {
        let mut found = Found::default();
        found.list(&mut archive, false)?;
        let header = found.header.ok_or_else(|| ArchiveError::Refused {
            path: archive.path().to_owned(),
            reason: format!(
                "no BAG delivery: it has no {HEADER}; what is read is a stand such as BAGGEM0457L-15092021.zip or \
                 lvbag-extract-nl.zip, or mutations such as BAGNLDM-15092021-16092021.zip"
            ),
        })?;
        Ok(Self {
            header,
            relations: found.relations,
            parts: found.parts,
            mutations: found.mutations,
            unknown: found.unknown,
        })
    }

    /// The object types that the delivery has a file for.
    pub(crate) fn has(&self, kind: PartKind) -> bool {
        self.parts.iter().any(|(part, ..)| *part == kind)
    }

    /// How many bytes the archives of all object types have; their documents take nearly all of them.
    pub(crate) fn packed(&self) -> u64 {
        total(self.parts.iter().map(|(_, _, entry)| entry.bytes))
    }

    /// Opens the archives of one object type; none when the delivery has no such file.
    pub(crate) fn part(&mut self, kind: PartKind) -> Result<Part, ArchiveError> {
        let mut files = Vec::new();
        for (_, parent, entry) in self.parts.iter_mut().filter(|(part, ..)| *part == kind) {
            files.extend(numbered_files(parent.nested(entry)?, kind.letters())?);
        }
        Ok(Part { files })
    }

    /// Whether it holds what changed, not how things stand.
    pub(crate) fn has_mutations(&self) -> bool {
        !self.mutations.is_empty()
    }

    /// Whether it holds how objects of any type stand.
    pub(crate) fn has_parts(&self) -> bool {
        !self.parts.is_empty()
    }

    /// Opens the archives of what changed; none in a delivery without them.
    pub(crate) fn mutations(&mut self) -> Result<Part, ArchiveError> {
        let mut files = Vec::new();
        for (parent, entry) in &mut self.mutations {
            files.extend(numbered_files(parent.nested(entry)?, MUTATIONS)?);
        }
        Ok(Part { files })
    }
}

#[derive(Default)]
struct Found {
    header: Option<XmlFile>,
    relations: Vec<XmlFile>,
    parts: Vec<(PartKind, Archive, Entry)>,
    mutations: Vec<(Archive, Entry)>,
    unknown: Vec<String>,
}

impl Found {
    /// Lists one archive; `contained` within a municipality's own, where another is refused: it could hold itself.
    fn list(&mut self, archive: &mut Archive, contained: bool) -> Result<(), ArchiveError> {
        for entry in archive.entries()? {
            match role(&entry.name) {
                Role::Header if self.header.is_some() => {
                    let reason = format!("a second {HEADER}; a delivery has one");
                    return Err(refused(archive.path(), reason));
                }
                Role::Header => self.header = Some(xml_file(archive, entry)),
                Role::Relations if entry.name.ends_with(".xml") => {
                    self.relations.push(xml_file(archive, entry))
                }
                Role::Relations => self.relations.extend(relation_files(archive, &entry)?),
                Role::Container if contained => {
                    let reason = format!(
                        "{:?} in an archive of its own kind; a delivery has one of them",
                        entry.name
                    );
                    return Err(refused(archive.path(), reason));
                }
                Role::Container => self.list(&mut archive.nested(&entry)?, true)?,
                Role::Part(kind) => self.parts.push((kind, archive.clone(), entry)),
                Role::Mutations => self.mutations.push((archive.clone(), entry)),
                Role::PassedOver => {}
                Role::Unknown => self.unknown.push(archive.path_of(&entry.name)),
            }
        }
        Ok(())
    }
}

/// The documents of a zipped GEM-WPL-RELATIE.
fn relation_files(archive: &mut Archive, entry: &Entry) -> Result<Vec<XmlFile>, ArchiveError> {
    let mut inner = archive.nested(entry)?;
    let mut documents = inner.entries()?;
    documents.retain(|entry| entry.name.ends_with(".xml") && is_document(entry));
    let files = documents.into_iter().map(|entry| xml_file(&inner, entry));
    Ok(files.collect())
}

fn xml_file(archive: &Archive, entry: Entry) -> XmlFile {
    XmlFile {
        path: archive.path_of(&entry.name),
        archive: archive.clone(),
        entry: Arc::new(entry),
        towns: false,
    }
}

/// Whether an entry is a document at all, not something that a Mac left beside it.
fn is_document(entry: &Entry) -> bool {
    !matches!(role(&entry.name), Role::PassedOver)
}

fn role(name: &str) -> Role {
    let hidden = name
        .split('/')
        .any(|part| part.starts_with('.') || part == "__MACOSX");
    let file = name.rsplit('/').next().unwrap_or(name);
    if hidden {
        return Role::PassedOver;
    }
    if file == HEADER {
        return Role::Header;
    }
    if file.starts_with("GEM-WPL-RELATIE-") && (file.ends_with(".zip") || file.ends_with(".xml")) {
        return Role::Relations;
    }
    // `0457NUM15092021.zip`, `9999MUT13112021-14112021.zip`: four digits, what it is, and dates.
    let Some((area, rest)) = file
        .strip_suffix(".zip")
        .and_then(|stem| stem.split_at_checked(4))
    else {
        return Role::Unknown;
    };
    let letters = rest.trim_end_matches(|c: char| c.is_ascii_digit() || c == '-');
    if !area.bytes().all(|byte| byte.is_ascii_digit()) || letters.len() == rest.len() {
        return Role::Unknown;
    }
    match letters {
        "GEM" => Role::Container,
        "Inactief" | "NietBag" | "InOnderzoek" | "IOMUT" => Role::PassedOver,
        MUTATIONS => Role::Mutations,
        _ => PartKind::ALL
            .into_iter()
            .find(|kind| kind.letters() == letters)
            .map_or(Role::Unknown, Role::Part),
    }
}

/// The documents of an archive, `0457NUM15092021-000001.xml` and so on. A gap in the numbers means a lost file.
fn numbered_files(mut archive: Archive, letters: &str) -> Result<Vec<XmlFile>, ArchiveError> {
    let mut numbered = Vec::new();
    for entry in archive.entries()?.into_iter().filter(is_document) {
        let number = document_number(&entry.name, letters).ok_or_else(|| {
            let reason = format!(
                "entry {:?} is no {letters} document such as 0457{letters}15092021-000001.xml",
                entry.name
            );
            refused(archive.path(), reason)
        })?;
        numbered.push((number, entry));
    }
    numbered.sort_unstable_by_key(|&(number, _)| number);
    let gap = (1..)
        .zip(&numbered)
        .find(|(expected, (number, _))| expected != number);
    match gap {
        Some((missing, _)) => {
            let reason = format!(
                "its {} documents are not numbered from 000001 on without a gap: {missing:06} is missing, or another is there twice",
                numbered.len()
            );
            Err(refused(archive.path(), reason))
        }
        None if numbered.is_empty() => Err(refused(
            archive.path(),
            "no XML document in it; a delivery has at least one",
        )),
        None => Ok(numbered
            .into_iter()
            .map(|(_, entry)| XmlFile {
                towns: letters == PartKind::Woonplaats.letters(),
                ..xml_file(&archive, entry)
            })
            .collect()),
    }
}

fn document_number(name: &str, letters: &str) -> Option<u32> {
    let (stem, number) = name
        .rsplit('/')
        .next()?
        .strip_suffix(".xml")?
        .rsplit_once('-')?;
    (stem.get(4..7)? == letters && number.len() == 6)
        .then(|| number.parse().ok())
        .flatten()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_tell_what_an_entry_is() {
        #[track_caller]
        fn case(name: &str, expected: &str) {
            let found = match role(name) {
                Role::Header => "header",
                Role::Relations => "relations",
                Role::Container => "container",
                Role::Part(kind) => kind.letters(),
                Role::PassedOver => "passed over",
                Role::Mutations => "mutations",
                Role::Unknown => "unknown",
            };
            assert_eq!(found, expected, "{name}");
        }
        case("Leveringsdocument-BAG-Extract.xml", "header");
        case("GEM-WPL-RELATIE-15092021.zip", "relations");
        case("GEM-WPL-RELATIE-08012026-000001.xml", "relations");
        case("0457GEM15092021.zip", "container");
        case("9999NUM08012026.zip", "NUM");
        case("0457PND15092021.zip", "PND");
        case("9999InOnderzoek08012026.zip", "passed over");
        case("0457Inactief15092021.zip", "passed over");
        case("0457NietBag15092021.zip", "passed over");
        case("__MACOSX/._9999NUM08012026.zip", "passed over");
        case(".DS_Store", "passed over");
        case("9999MUT13112021-14112021.zip", "mutations");
        case("9999IOMUT13112021-14112021.zip", "passed over");
        case("9999XYZ08012026.zip", "unknown");
        case("NUM.zip", "unknown");
        case("readme.txt", "unknown");
        case("é9999NUM.zip", "unknown");
    }

    #[test]
    fn documents_are_numbered_per_type() {
        assert_eq!(
            document_number("0457NUM15092021-000012.xml", "NUM"),
            Some(12)
        );
        assert_eq!(document_number("0457NUM15092021-000012.xml", "PND"), None);
        assert_eq!(document_number("0457NUM15092021-12.xml", "NUM"), None);
        assert_eq!(
            document_number("9999MUT13112021-14112021-000002.xml", MUTATIONS),
            Some(2)
        );
        assert_eq!(document_number("é.xml", "NUM"), None);
    }
}
