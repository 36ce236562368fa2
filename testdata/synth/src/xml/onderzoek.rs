//! Writes the XML of features that are *in onderzoek*.
//!
//! Source: IMBAGLV_KenmerkInOnderzoek-2.1.0.xsd (v20200601).

use super::elements::domain;
use super::text::XmlText;
use crate::model::{OnderzoekRecord, SynthObjectType};

/// The investigated feature of an object type, and the type as a part of element names.
fn feature(object_type: SynthObjectType) -> (&'static str, &'static str) {
    match object_type {
        SynthObjectType::OpenbareRuimte => ("naam", "Openbareruimte"),
        SynthObjectType::Nummeraanduiding => ("postcode", "Nummeraanduiding"),
        SynthObjectType::Verblijfsobject => ("oppervlakte", "Verblijfsobject"),
        SynthObjectType::Pand => ("oorspronkelijk bouwjaar", "Pand"),
        SynthObjectType::Ligplaats => ("geometrie", "Ligplaats"),
        SynthObjectType::Standplaats => ("geometrie", "Standplaats"),
        SynthObjectType::Woonplaats => ("naam", "Woonplaats"),
    }
}

/// Writes the content of an element `kenmerkInOnderzoek`.
pub(crate) fn write_onderzoek(text: &mut XmlText<'_>, record: &OnderzoekRecord) {
    let (feature, element) = feature(record.id.object_type);
    text.raw("<KenmerkInOnderzoek:Kenmerk")
        .raw(element)
        .raw("InOnderzoek><KenmerkInOnderzoek:kenmerk>")
        .raw(feature);
    text.raw("</KenmerkInOnderzoek:kenmerk><KenmerkInOnderzoek:identificatieVan")
        .raw(element)
        .raw(" domein=\"")
        .raw(domain(record.id.object_type))
        .raw("\">");
    text.id(record.id)
        .raw("</KenmerkInOnderzoek:identificatieVan")
        .raw(element)
        .raw("><KenmerkInOnderzoek:inOnderzoek>");
    text.raw(if record.is_open { "J" } else { "N" })
        .raw("</KenmerkInOnderzoek:inOnderzoek><KenmerkInOnderzoek:documentdatum>")
        .day(record.begin.day);
    text.raw("</KenmerkInOnderzoek:documentdatum><KenmerkInOnderzoek:documentnummer>")
        .document_number(record.id.number);
    text.raw("</KenmerkInOnderzoek:documentnummer><KenmerkInOnderzoek:historieInOnderzoek><Historie:HistorieInOnderzoek><Historie:tijdstipRegistratie>");
    write_times(text, record);
    text.raw("</Historie:HistorieInOnderzoek></KenmerkInOnderzoek:historieInOnderzoek></KenmerkInOnderzoek:Kenmerk");
    text.raw(element).raw("InOnderzoek>");
}

fn write_times(text: &mut XmlText<'_>, record: &OnderzoekRecord) {
    text.moment(record.begin)
        .raw("</Historie:tijdstipRegistratie>");
    if let Some(end) = record.end {
        text.raw("<Historie:eindRegistratie>")
            .moment(end)
            .raw("</Historie:eindRegistratie>");
    }
    text.raw("<Historie:beginGeldigheid>")
        .day(record.begin.day)
        .raw("</Historie:beginGeldigheid>");
    if let Some(end) = record.end {
        text.raw("<Historie:eindGeldigheid>")
            .day(end.day)
            .raw("</Historie:eindGeldigheid>");
    }
    text.raw("<Historie:BeschikbaarLVInOnderzoek><Historie:tijdstipRegistratieLV>")
        .moment(record.begin)
        .raw("</Historie:tijdstipRegistratieLV>");
    if let Some(end) = record.end {
        text.raw("<Historie:tijdstipEindRegistratieLV>")
            .moment(end)
            .raw("</Historie:tijdstipEindRegistratieLV>");
    }
    text.raw("</Historie:BeschikbaarLVInOnderzoek>");
}
