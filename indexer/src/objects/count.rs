//! Reading a document and keeping nothing: what a build does to every object, by itself, for those who measure it.

use super::{AdresseerbaarObject, FromXml, Nummeraanduiding, OpenbareRuimte, Pand, Woonplaats};
use crate::xml::{XmlError, XmlReader};

/// Reads every object of a stand's document and forgets it; how many there were.
///
/// # Errors
/// When an object is not as the register's documents have them; `file` is how the error calls the document.
pub fn count_objects(file: &str, document: &[u8]) -> Result<u64, XmlError> {
    let mut count = 0;
    XmlReader::read_document(file, document, |xml, _| {
        xml.for_each_child(|xml, name| match name {
            "standBestand" => xml.for_each_child(|xml, name| match name {
                "stand" => xml.for_each_child(|xml, name| match name {
                    "bagObject" => xml.for_each_child(|xml, name| {
                        count += 1;
                        read_and_discard(xml, name)
                    }),
                    _ => xml.skip(),
                }),
                _ => xml.skip(),
            }),
            _ => xml.skip(),
        })
    })?;
    Ok(count)
}

fn read_and_discard(xml: &mut XmlReader<'_>, name: &str) -> Result<(), XmlError> {
    match name {
        "Woonplaats" => Woonplaats::from_xml(xml).map(drop),
        "OpenbareRuimte" => OpenbareRuimte::from_xml(xml).map(drop),
        "Nummeraanduiding" => Nummeraanduiding::from_xml(xml).map(drop),
        "Pand" => Pand::from_xml(xml).map(drop),
        "Verblijfsobject" | "Ligplaats" | "Standplaats" => {
            AdresseerbaarObject::from_xml(xml).map(drop)
        }
        _ => Err(xml.error(format!("<{name}> where an object is expected"))),
    }?;
    xml.set_object(None);
    Ok(())
}
