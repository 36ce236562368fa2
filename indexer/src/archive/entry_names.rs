//! Derives the role of an entry of a delivery from the entry's name. Source: the file naming of BAG 2.0 extracts. Names may be in upper or
//! lower case, and the number of a document follows a hyphen or an underscore.

use super::bag_object_type::BagObjectType;

pub(super) const HEADER: &str = "Leveringsdocument-BAG-Extract.xml";
/// The start of the names of the gemeente-woonplaats table.
const RELATIONS_PREFIX: &str = "GEM-WPL-RELATIE-";
/// The letters in the names of the archives and documents of mutations.
pub(super) const MUTATION_CODE: &str = "MUT";

/// The role of an entry in a delivery.
pub(super) enum EntryRole {
    Header,
    Relations,
    Container,
    ObjectArchive(BagObjectType),
    MutationArchive,
    Ignored,
    Unknown,
}

pub(super) fn entry_role(name: &str) -> EntryRole {
    let hidden = name
        .split('/')
        .any(|part| part.starts_with('.') && part != "." || part == "__MACOSX");
    let file = name.rsplit('/').next().unwrap_or(name);
    if hidden {
        return EntryRole::Ignored;
    }
    if file.eq_ignore_ascii_case(HEADER) {
        return EntryRole::Header;
    }
    let is_relations = file
        .get(..RELATIONS_PREFIX.len())
        .is_some_and(|start| start.eq_ignore_ascii_case(RELATIONS_PREFIX));
    if is_relations && (strip_extension(file, ".zip").is_some() || is_xml(file)) {
        return EntryRole::Relations;
    }
    // `0457NUM15092021.zip`, `9999MUT13112021-14112021.zip`: four digits, the type, and dates.
    let Some((area, rest)) =
        strip_extension(file, ".zip").and_then(|stem| stem.split_at_checked(4))
    else {
        return EntryRole::Unknown;
    };
    let letters = rest.trim_end_matches(|c: char| c.is_ascii_digit() || matches!(c, '-' | '_'));
    if !area.bytes().all(|byte| byte.is_ascii_digit()) || letters.len() == rest.len() {
        return EntryRole::Unknown;
    }
    match &*letters.to_ascii_uppercase() {
        "GEM" => EntryRole::Container,
        "INACTIEF" | "NIETBAG" | "INONDERZOEK" | "IOMUT" => EntryRole::Ignored,
        MUTATION_CODE => EntryRole::MutationArchive,
        letters => BagObjectType::ALL
            .into_iter()
            .find(|kind| kind.file_code() == letters)
            .map_or(EntryRole::Unknown, EntryRole::ObjectArchive),
    }
}

/// The name without this extension, in upper or lower case; `None` if the name has another extension.
fn strip_extension<'a>(name: &'a str, extension: &str) -> Option<&'a str> {
    let (stem, found) = name.split_at_checked(name.len().checked_sub(extension.len())?)?;
    found.eq_ignore_ascii_case(extension).then_some(stem)
}

/// Whether the name is that of an XML document.
pub(super) fn is_xml(name: &str) -> bool {
    strip_extension(name, ".xml").is_some()
}

/// Whether the name is that of an archive.
pub(super) fn has_zip_extension(name: &str) -> bool {
    strip_extension(name, ".zip").is_some()
}

/// The number in the name of a GEM-WPL-RELATIE document or an archive of mutations; 1 if the name has no number.
pub(super) fn number_or_first(name: &str) -> u32 {
    let stem = name.rsplit_once('.').map_or(name, |(stem, _)| stem);
    let number = stem.rsplit_once(['-', '_']).map(|(_, number)| number);
    // A day has eight digits: `9999MUT13112021-14112021.zip`.
    number
        .filter(|number| number.len() == 6)
        .and_then(|number| number.parse().ok())
        .unwrap_or(1)
}

/// The number in the name of a document; `None` if this is not a document with these letters in its name.
pub(super) fn document_number(name: &str, letters: &str) -> Option<u32> {
    let (stem, number) =
        strip_extension(name.rsplit('/').next()?, ".xml")?.rsplit_once(['-', '_'])?;
    (stem.get(4..7)?.eq_ignore_ascii_case(letters) && number.len() == 6)
        .then(|| number.parse().ok())
        .flatten()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_name_of_an_entry_gives_its_role() {
        #[track_caller]
        fn case(name: &str, expected: &str) {
            let found = match entry_role(name) {
                EntryRole::Header => "header",
                EntryRole::Relations => "relations",
                EntryRole::Container => "container",
                EntryRole::ObjectArchive(kind) => kind.file_code(),
                EntryRole::Ignored => "ignored",
                EntryRole::MutationArchive => "mutations",
                EntryRole::Unknown => "unknown",
            };
            assert_eq!(found, expected, "{name}");
        }
        case("Leveringsdocument-BAG-Extract.xml", "header");
        case("GEM-WPL-RELATIE-15092021.zip", "relations");
        case("GEM-WPL-RELATIE-08012026-000001.xml", "relations");
        case("0457GEM15092021.zip", "container");
        case("9999NUM08012026.zip", "NUM");
        case("0457PND15092021.zip", "PND");
        case("9999InOnderzoek08012026.zip", "ignored");
        case("0457Inactief15092021.zip", "ignored");
        case("0457NietBag15092021.zip", "ignored");
        case("__MACOSX/._9999NUM08012026.zip", "ignored");
        case(".DS_Store", "ignored");
        case("./9999NUM08012026.zip", "NUM");
        case("9999MUT13112021-14112021.zip", "mutations");
        case("0457MUT13112021-14112021-000002.zip", "mutations");
        case("0457MUT13112021-14112021_000002.zip", "mutations");
        case("9999IOMUT13112021-14112021.zip", "ignored");
        case("9999XYZ08012026.zip", "unknown");
        case("NUM.zip", "unknown");
        case("readme.txt", "unknown");
        case("LEVERINGSDOCUMENT-BAG-EXTRACT.XML", "header");
        case("GEM-WPL-RELATIE-08012026-000001.XML", "relations");
        case("9999NUM08012026.ZIP", "NUM");
        case("0457gem15092021.zip", "container");
        case("9999num08012026.zip", "NUM");
        case("9999mut13112021-14112021.zip", "mutations");
        case("9999iomut13112021-14112021.zip", "ignored");
        case("9999inonderzoek08012026.zip", "ignored");
        case("gem-wpl-relatie-15092021.zip", "relations");
        case("é9999NUM.zip", "unknown");
    }

    #[test]
    fn a_name_without_a_number_is_the_first() {
        for (name, expected) in [
            ("9999MUT13112021-14112021.zip", 1),
            ("9999MUT13112021-14112021-000002.zip", 2),
            ("old/9999mut13112021-14112021_000010.ZIP", 10),
            ("GEM-WPL-RELATIE-08012026-000003.XML", 3),
            ("GEM-WPL-RELATIE-08012026.xml", 1),
            ("é", 1),
        ] {
            assert_eq!(number_or_first(name), expected, "{name}");
        }
    }

    #[test]
    fn a_document_number_is_read_only_from_a_name_of_its_type() {
        assert_eq!(
            document_number("0457NUM15092021-000012.xml", "NUM"),
            Some(12)
        );
        assert_eq!(document_number("0457NUM15092021-000012.xml", "PND"), None);
        assert_eq!(
            document_number("0457NUM15092021_000012.XML", "NUM"),
            Some(12)
        );
        assert_eq!(
            document_number("0457num15092021-000012.xml", "NUM"),
            Some(12)
        );
        assert_eq!(document_number("0457NUM15092021-12.xml", "NUM"), None);
        assert_eq!(
            document_number("9999MUT13112021-14112021-000002.xml", MUTATION_CODE),
            Some(2)
        );
        assert_eq!(document_number("é.xml", "NUM"), None);
    }
}
