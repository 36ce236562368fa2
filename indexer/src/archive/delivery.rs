//! Finds the files of a delivery by their names. Source: the file naming of BAG 2.0 extracts.
//!
//! In a national delivery, the archives of the object types are at the top level. In a municipal delivery, they are inside one more
//! archive. Entries come in any order. Inactief, NietBag and InOnderzoek are not part of the register and are skipped.

use std::sync::Arc;

use super::bag_object_type::BagObjectType;
use super::entry_names::{
    EntryRole, HEADER, MUTATION_CODE, document_number, entry_role, has_zip_extension, is_xml,
    number_or_first,
};
use super::zip_archive::{Archive, ArchiveEntry, ArchiveError, refused_error, saturating_sum};

/// The files of a delivery. Their content has not been read.
pub(crate) struct DeliveryArchive {
    pub(crate) header_file: XmlFile,
    pub(crate) relation_files: Vec<XmlFile>,
    object_archives: Vec<(BagObjectType, Archive, ArchiveEntry)>,
    /// In the order of their numbers.
    mutation_archives: Vec<(Archive, ArchiveEntry)>,
    /// Entries of an unknown type, for the report.
    pub(crate) unknown_entries: Vec<String>,
}

/// One XML document in an archive.
pub(crate) struct XmlFile {
    pub(crate) path: String,
    archive: Archive,
    entry: Arc<ArchiveEntry>,
    /// Whether the document may be large. Only a document of woonplaatsen may.
    may_be_large: bool,
}

impl XmlFile {
    /// Reads the document into a buffer, which is cleared first.
    pub(crate) fn read(&self, buffer: &mut Vec<u8>) -> Result<(), ArchiveError> {
        self.archive
            .clone()
            .read_xml(&self.entry, self.may_be_large, buffer)
    }

    /// The document's compressed size in bytes.
    pub(crate) fn compressed_size(&self) -> u64 {
        self.entry.compressed_size
    }

    /// The document's size in bytes.
    pub(crate) fn size(&self) -> u64 {
        self.entry.size
    }
}

impl DeliveryArchive {
    /// Lists the files of a delivery.
    pub(crate) fn open(mut archive: Archive) -> Result<Self, ArchiveError> {
        let mut listing = DeliveryListing::default();
        listing.list_archive(&mut archive, false)?;
        let Some(header) = listing.header else {
            let mut unknown = listing.unknown_entries.iter();
            let archive_inside = unknown.find(|name| has_zip_extension(name));
            let remedy =
                archive_inside.map(|name| format!("; if {name} is the delivery, unpack it"));
            let reason = format!(
                "not a BAG delivery: it has no {HEADER}; expected a stand such as BAGGEM0457L-15092021.zip or \
                 lvbag-extract-nl.zip, or mutations such as BAGNLDM-15092021-16092021.zip{}",
                remedy.unwrap_or_default()
            );
            return Err(refused_error(archive.path(), reason));
        };
        let relation_paths = listing.relation_files.iter().map(|file| &*file.path);
        check_numbers(archive.path(), "GEM-WPL-RELATIE documents", relation_paths)?;
        let mutation_archives = &mut listing.mutation_archives;
        mutation_archives.sort_by_key(|(_, entry)| number_or_first(&entry.name));
        let mutation_names = mutation_archives.iter().map(|(_, entry)| &*entry.name);
        check_numbers(archive.path(), "archives of mutations", mutation_names)?;
        Ok(Self {
            header_file: header,
            relation_files: listing.relation_files,
            object_archives: listing.object_archives,
            mutation_archives: listing.mutation_archives,
            unknown_entries: listing.unknown_entries,
        })
    }

    /// True if the delivery has a file of this object type.
    pub(crate) fn has_object_type(&self, object_type: BagObjectType) -> bool {
        self.object_archives
            .iter()
            .any(|(part, ..)| *part == object_type)
    }

    /// The size of the archives of all object types, in bytes. This is nearly the compressed size of all documents in these archives.
    pub(crate) fn object_archive_bytes(&self) -> u64 {
        saturating_sum(self.object_archives.iter().map(|(_, _, entry)| entry.size))
    }

    /// Lists the documents of one object type in the order of their numbers. The list is empty if the delivery has no archive of the type.
    pub(crate) fn object_documents(
        &mut self,
        object_type: BagObjectType,
    ) -> Result<Vec<XmlFile>, ArchiveError> {
        let mut files = Vec::new();
        for (part, parent, entry) in &mut self.object_archives {
            if *part == object_type {
                let archive = parent.open_nested(entry)?;
                files.extend(numbered_files(archive, object_type.file_code())?);
            }
        }
        Ok(files)
    }

    /// True if the delivery has mutations.
    pub(crate) fn has_mutations(&self) -> bool {
        !self.mutation_archives.is_empty()
    }

    /// True if the delivery has objects of a stand.
    pub(crate) fn has_object_archives(&self) -> bool {
        !self.object_archives.is_empty()
    }

    /// Lists the documents of mutations in the order of their numbers.
    pub(crate) fn mutation_documents(&mut self) -> Result<Vec<XmlFile>, ArchiveError> {
        let mut files = Vec::new();
        for (parent, entry) in &mut self.mutation_archives {
            files.extend(numbered_files(parent.open_nested(entry)?, MUTATION_CODE)?);
        }
        Ok(files)
    }
}

#[derive(Default)]
struct DeliveryListing {
    header: Option<XmlFile>,
    relation_files: Vec<XmlFile>,
    object_archives: Vec<(BagObjectType, Archive, ArchiveEntry)>,
    mutation_archives: Vec<(Archive, ArchiveEntry)>,
    unknown_entries: Vec<String>,
}

impl DeliveryListing {
    /// Lists one archive. Refuses the archive of a municipality inside another archive of a municipality, because a malicious delivery
    /// could have archives within archives without end.
    fn list_archive(
        &mut self,
        archive: &mut Archive,
        inside_container: bool,
    ) -> Result<(), ArchiveError> {
        for entry in archive.entries()? {
            match entry_role(&entry.name) {
                EntryRole::Header if self.header.is_some() => {
                    let reason = format!("it has a second {HEADER}; a delivery has one");
                    return Err(refused_error(archive.path(), reason));
                }
                EntryRole::Header => self.header = Some(xml_file(archive, entry)),
                EntryRole::Relations if is_xml(&entry.name) => {
                    self.relation_files.push(xml_file(archive, entry))
                }
                EntryRole::Relations => {
                    self.relation_files.extend(relation_files(archive, &entry)?)
                }
                EntryRole::Container if inside_container => {
                    let reason = format!(
                        "it has {:?} inside another archive of a municipality; a delivery has one such archive",
                        entry.name
                    );
                    return Err(refused_error(archive.path(), reason));
                }
                EntryRole::Container => {
                    self.list_archive(&mut archive.open_nested(&entry)?, true)?
                }
                EntryRole::ObjectArchive(kind) => {
                    let mut others = self.object_archives.iter();
                    if let Some((.., other)) = others.find(|(known, ..)| *known == kind) {
                        let reason = format!(
                            "it has the objects of one type twice, in {:?} and in {:?}; a delivery has them once",
                            other.name, entry.name
                        );
                        return Err(refused_error(archive.path(), reason));
                    }
                    self.object_archives.push((kind, archive.clone(), entry))
                }
                EntryRole::MutationArchive => self.mutation_archives.push((archive.clone(), entry)),
                EntryRole::Ignored => {}
                EntryRole::Unknown => self.unknown_entries.push(archive.entry_path(&entry.name)),
            }
        }
        Ok(())
    }
}

/// Lists the documents of a zipped GEM-WPL-RELATIE.
fn relation_files(
    archive: &mut Archive,
    entry: &ArchiveEntry,
) -> Result<Vec<XmlFile>, ArchiveError> {
    let mut inner = archive.open_nested(entry)?;
    let mut documents = inner.entries()?;
    documents.retain(|entry| is_xml(&entry.name) && is_document(entry));
    let files = documents.into_iter().map(|entry| xml_file(&inner, entry));
    Ok(files.collect())
}

/// Refuses files of which one is missing or occurs twice. `what` names the files in the error.
fn check_numbers<'a>(
    path: &str,
    what: &str,
    names: impl Iterator<Item = &'a str>,
) -> Result<(), ArchiveError> {
    let mut numbers: Vec<u32> = names.map(number_or_first).collect();
    numbers.sort_unstable();
    match (1..)
        .zip(&numbers)
        .find(|(expected, number)| expected != *number)
    {
        None => Ok(()),
        Some(_) => {
            let reason = format!(
                "its {} {what} are not numbered from 000001 on without a gap; one is missing, or one is in it twice",
                numbers.len()
            );
            Err(refused_error(path, reason))
        }
    }
}

fn xml_file(archive: &Archive, entry: ArchiveEntry) -> XmlFile {
    XmlFile {
        path: archive.entry_path(&entry.name),
        archive: archive.clone(),
        entry: Arc::new(entry),
        may_be_large: false,
    }
}

/// True if an entry is a document, and not a hidden file such as those that macOS adds to archives.
fn is_document(entry: &ArchiveEntry) -> bool {
    !matches!(entry_role(&entry.name), EntryRole::Ignored)
}

/// Lists the documents of an archive: `0457NUM15092021-000001.xml`, `0457NUM15092021-000002.xml` and so on. Refuses a gap in the
/// numbers, because it means that a file was lost.
fn numbered_files(mut archive: Archive, letters: &str) -> Result<Vec<XmlFile>, ArchiveError> {
    let mut numbered = Vec::new();
    for entry in archive.entries()?.into_iter().filter(is_document) {
        let number = document_number(&entry.name, letters).ok_or_else(|| {
            let reason = format!(
                "entry {:?} is not a {letters} document such as 0457{letters}15092021-000001.xml",
                entry.name
            );
            refused_error(archive.path(), reason)
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
                "its {} documents are not numbered from 000001 on without a gap: {missing:06} is missing, or another number occurs twice",
                numbered.len()
            );
            Err(refused_error(archive.path(), reason))
        }
        None if numbered.is_empty() => Err(refused_error(
            archive.path(),
            "it has no XML document; a delivery has at least one",
        )),
        None => Ok(numbered
            .into_iter()
            .map(|(_, entry)| XmlFile {
                may_be_large: letters == BagObjectType::Woonplaats.file_code(),
                ..xml_file(&archive, entry)
            })
            .collect()),
    }
}
