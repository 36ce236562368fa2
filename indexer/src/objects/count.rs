//! Reading a document and keeping nothing: what a build does to every object, by itself, for those who measure it.

use super::{AdresseerbaarObject, Nummeraanduiding, OpenbareRuimte, Pand, ReadObject, Woonplaats};
use crate::xml::{Xml, XmlError};

/// Reads every object of a stand's document and forgets it; how many there were.
///
/// # Errors
/// When an object is not as the register's documents have them; `file` is how the error calls the document.
pub fn count_objects(file: &str, document: &[u8]) -> Result<u64, XmlError> {
    let mut count = 0;
    Xml::document(file, document, |xml, _| {
        xml.children(|xml, name| match name {
            "standBestand" => xml.children(|xml, name| match name {
                "stand" => xml.children(|xml, name| match name {
                    "bagObject" => xml.children(|xml, name| {
                        count += 1;
                        forget(xml, name)
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

fn forget(xml: &mut Xml<'_>, name: &str) -> Result<(), XmlError> {
    match name {
        "Woonplaats" => Woonplaats::read(xml).map(drop),
        "OpenbareRuimte" => OpenbareRuimte::read(xml).map(drop),
        "Nummeraanduiding" => Nummeraanduiding::read(xml).map(drop),
        "Pand" => Pand::read(xml).map(drop),
        "Verblijfsobject" | "Ligplaats" | "Standplaats" => AdresseerbaarObject::read(xml).map(drop),
        _ => Err(xml.error(format!("<{name}> where an object is expected"))),
    }?;
    xml.enter_object(None);
    Ok(())
}
