//! Writes the XML elements that object types have in common: identificatie, voorkomen, document and area.
//!
//! Source: IMBAGLV_Historie-2.1.0.xsd and the GML of real deliveries (v20200601).

use super::text::XmlText;
use crate::calendar::LocalMoment;
use crate::geometry::RdPoint;
use crate::model::{
    AssignmentStatus, Identificatie, SourceDocument, SynthObjectType, VoorkomenTimes,
};

/// The value of the attribute `domein`, in which the register writes openbare ruimte with one capital.
pub(crate) fn domain(object_type: SynthObjectType) -> &'static str {
    match object_type {
        SynthObjectType::Woonplaats => "NL.IMBAG.Woonplaats",
        SynthObjectType::Verblijfsobject => "NL.IMBAG.Verblijfsobject",
        SynthObjectType::Ligplaats => "NL.IMBAG.Ligplaats",
        SynthObjectType::Standplaats => "NL.IMBAG.Standplaats",
        SynthObjectType::Pand => "NL.IMBAG.Pand",
        SynthObjectType::Nummeraanduiding => "NL.IMBAG.Nummeraanduiding",
        SynthObjectType::OpenbareRuimte => "NL.IMBAG.Openbareruimte",
    }
}

/// The text of the element `status` of an openbare ruimte or nummeraanduiding.
pub(crate) fn naamgeving(status: AssignmentStatus) -> &'static str {
    match status {
        AssignmentStatus::Assigned => "<Objecten:status>Naamgeving uitgegeven</Objecten:status>",
        AssignmentStatus::Withdrawn => "<Objecten:status>Naamgeving ingetrokken</Objecten:status>",
    }
}

/// Writes the element `identificatie`.
pub(crate) fn identificatie(text: &mut XmlText<'_>, id: Identificatie) {
    text.raw("<Objecten:identificatie domein=\"")
        .raw(domain(id.object_type))
        .raw("\">")
        .id(id)
        .raw("</Objecten:identificatie>");
}

/// Writes the element `ligtIn`.
pub(crate) fn ligt_in(text: &mut XmlText<'_>, code: u16) {
    text.raw("<Objecten:ligtIn><Objecten-ref:WoonplaatsRef domein=\"NL.IMBAG.Woonplaats\">")
        .digits(u64::from(code), 4);
    text.raw("</Objecten-ref:WoonplaatsRef></Objecten:ligtIn>");
}

/// Writes the elements of the source document.
pub(crate) fn document(text: &mut XmlText<'_>, times: &VoorkomenTimes) {
    let SourceDocument { day, hash } = times.document;
    text.raw(if hash.is_multiple_of(199) {
        "<Objecten:geconstateerd>J</Objecten:geconstateerd>"
    } else {
        "<Objecten:geconstateerd>N</Objecten:geconstateerd>"
    });
    text.document(day, hash);
}

/// Writes the element `voorkomen`.
pub(crate) fn voorkomen(text: &mut XmlText<'_>, times: &VoorkomenTimes) {
    text.raw("<Objecten:voorkomen><Historie:Voorkomen><Historie:voorkomenidentificatie>")
        .integer(u64::from(times.number));
    text.raw("</Historie:voorkomenidentificatie><Historie:beginGeldigheid>")
        .day(times.begin)
        .raw("</Historie:beginGeldigheid>");
    if let Some(end) = times.end {
        text.raw("<Historie:eindGeldigheid>")
            .day(end)
            .raw("</Historie:eindGeldigheid>");
    }
    optional_moment(text, "tijdstipRegistratie>", Some(times.registered));
    optional_moment(text, "eindRegistratie>", times.deregistered);
    optional_moment(text, "tijdstipInactief>", times.inactive);
    let lv = &times.lv;
    text.raw("<Historie:BeschikbaarLV>");
    optional_moment(text, "tijdstipRegistratieLV>", Some(lv.registered));
    optional_moment(text, "tijdstipEindRegistratieLV>", lv.deregistered);
    optional_moment(text, "tijdstipInactiefLV>", lv.inactive);
    optional_moment(text, "tijdstipNietBagLV>", lv.niet_bag);
    text.raw("</Historie:BeschikbaarLV></Historie:Voorkomen></Objecten:voorkomen>");
}

/// Writes a moment in an element of this name if `moment` is not `None`.
fn optional_moment(text: &mut XmlText<'_>, name: &str, moment: Option<LocalMoment>) {
    if let Some(moment) = moment {
        text.raw("<Historie:")
            .raw(name)
            .moment(moment)
            .raw("</Historie:")
            .raw(name);
    }
}

/// Writes a polygon in the layout of real deliveries.
pub(crate) fn polygon(text: &mut XmlText<'_>, rings: &[Vec<RdPoint>], dimension: u64) {
    text.raw("<gml:Polygon srsName=\"urn:ogc:def:crs:EPSG::28992\" srsDimension=\"")
        .integer(dimension)
        .raw("\">\n");
    for (index, ring) in rings.iter().enumerate() {
        let side = if index == 0 { "exterior>" } else { "interior>" };
        text.raw("  <gml:")
            .raw(side)
            .raw("\n    <gml:LinearRing>\n      <gml:posList count=\"")
            .integer(ring.len() as u64)
            .raw("\">");
        for (nth, &at) in ring.iter().enumerate() {
            text.raw(if nth == 0 { "" } else { " " })
                .position(at, dimension);
        }
        text.raw("</gml:posList>\n    </gml:LinearRing>\n  </gml:")
            .raw(side)
            .raw("\n");
    }
    text.raw("</gml:Polygon>");
}
