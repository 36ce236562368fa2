//! The parts of the XML that object types have in common: identificatie, history, document, area.
//!
//! Source: IMBAGLV_Historie-2.1.0.xsd and the GML of real deliveries (v20200601).

use super::calendar::Moment;
use super::history::{Document, History};
use super::record::{Id, Kind, Standing};
use super::shape::Mm;
use super::text::Text;

/// Why a voorkomen stands in a file beside the main ones.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Mark {
    /// It does not: it stands in the main file.
    None,
    /// Annulled by a correction.
    Inactief,
    /// Found not to belong in the register.
    NietBag,
}

/// The value of the attribute `domein`. The register writes openbare ruimte with one capital there.
pub(super) fn domain(kind: Kind) -> &'static str {
    match kind {
        Kind::Woonplaats => "NL.IMBAG.Woonplaats",
        Kind::Verblijfsobject => "NL.IMBAG.Verblijfsobject",
        Kind::Ligplaats => "NL.IMBAG.Ligplaats",
        Kind::Standplaats => "NL.IMBAG.Standplaats",
        Kind::Pand => "NL.IMBAG.Pand",
        Kind::Nummeraanduiding => "NL.IMBAG.Nummeraanduiding",
        Kind::OpenbareRuimte => "NL.IMBAG.Openbareruimte",
    }
}

pub(super) fn naamgeving(standing: Standing) -> &'static str {
    match standing {
        Standing::Live => "<Objecten:status>Naamgeving uitgegeven</Objecten:status>",
        Standing::Withdrawn => "<Objecten:status>Naamgeving ingetrokken</Objecten:status>",
    }
}

pub(super) fn identificatie(text: &mut Text<'_>, id: Id) {
    text.raw("<Objecten:identificatie domein=\"")
        .raw(domain(id.kind))
        .raw("\">")
        .id(id)
        .raw("</Objecten:identificatie>");
}

/// The element `ligtIn`.
pub(super) fn ligt_in(text: &mut Text<'_>, code: u16) {
    text.raw("<Objecten:ligtIn><Objecten-ref:WoonplaatsRef domein=\"NL.IMBAG.Woonplaats\">")
        .digits(u64::from(code), 4);
    text.raw("</Objecten-ref:WoonplaatsRef></Objecten:ligtIn>");
}

pub(super) fn document(text: &mut Text<'_>, history: &History) {
    let Document { day, hash } = history.document;
    text.raw(if hash.is_multiple_of(199) {
        "<Objecten:geconstateerd>J</Objecten:geconstateerd>"
    } else {
        "<Objecten:geconstateerd>N</Objecten:geconstateerd>"
    });
    text.document(day, hash);
}

/// The element `voorkomen`.
pub(super) fn voorkomen(text: &mut Text<'_>, history: &History) {
    text.raw("<Objecten:voorkomen><Historie:Voorkomen><Historie:voorkomenidentificatie>")
        .integer(u64::from(history.nth));
    text.raw("</Historie:voorkomenidentificatie><Historie:beginGeldigheid>")
        .day(history.begin)
        .raw("</Historie:beginGeldigheid>");
    if let Some(end) = history.end {
        text.raw("<Historie:eindGeldigheid>")
            .day(end)
            .raw("</Historie:eindGeldigheid>");
    }
    at(text, "tijdstipRegistratie>", Some(history.registered));
    at(text, "eindRegistratie>", history.deregistered);
    at(text, "tijdstipInactief>", history.inactive);
    let lv = &history.lv;
    text.raw("<Historie:BeschikbaarLV>");
    at(text, "tijdstipRegistratieLV>", Some(lv.registered));
    at(text, "tijdstipEindRegistratieLV>", lv.deregistered);
    at(text, "tijdstipInactiefLV>", lv.inactive);
    at(text, "tijdstipNietBagLV>", lv.niet_bag);
    text.raw("</Historie:BeschikbaarLV></Historie:Voorkomen></Objecten:voorkomen>");
}

/// A moment in an element of this name, where there is one.
fn at(text: &mut Text<'_>, name: &str, moment: Option<Moment>) {
    if let Some(moment) = moment {
        text.raw("<Historie:")
            .raw(name)
            .moment(moment)
            .raw("</Historie:")
            .raw(name);
    }
}

/// A polygon as real deliveries lay it out.
pub(super) fn polygon(text: &mut Text<'_>, rings: &[Vec<Mm>], dimension: u64) {
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
