//! The parts of the XML that object types have in common: identificatie, history, document, area.
//!
//! Source: IMBAGLV_Historie-2.1.0.xsd and the GML of real deliveries (v20200601).

use super::calendar::{Day, Moment};
use super::record::{Id, Kind, Life, Span, Standing};
use super::rng::mix;
use super::shape::Mm;
use super::text::Text;

/// Why a voorkomen stands in a file beside the main ones.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Mark {
    /// It does not: it stands in the main file.
    None,
    /// Annulled by a correction.
    Inactief,
    /// Found not to belong in the register.
    NietBag,
}

/// One voorkomen of an object, for what all types have in common.
pub(super) struct Version<'a, S> {
    pub(super) number: u64,
    pub(super) life: &'a Life<S>,
    pub(super) index: usize,
    pub(super) mark: Mark,
}

/// The value of the attribute `domein`. The register writes openbare ruimte with one capital there.
pub(super) fn domain(kind: Kind) -> &'static str {
    match kind {
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

pub(super) fn woonplaats(text: &mut Text<'_>, code: u16) {
    text.raw("<Objecten:ligtIn><Objecten-ref:WoonplaatsRef domein=\"NL.IMBAG.Woonplaats\">")
        .digits(u64::from(code), 4);
    text.raw("</Objecten-ref:WoonplaatsRef></Objecten:ligtIn>");
}

pub(super) fn document<S>(text: &mut Text<'_>, version: &Version<'_, S>) {
    let hash = mix(version.number + version.index as u64);
    text.raw(if hash.is_multiple_of(199) {
        "<Objecten:geconstateerd>J</Objecten:geconstateerd>"
    } else {
        "<Objecten:geconstateerd>N</Objecten:geconstateerd>"
    });
    text.document(version.life.span(version.index).begin.min(Day(-1)), hash);
}

/// The element `voorkomen`.
pub(super) fn voorkomen<S>(text: &mut Text<'_>, version: &Version<'_, S>) {
    let span = version.life.span(version.index);
    let number = if version.mark == Mark::None {
        version.index + 1
    } else {
        version.life.len() + 1
    };
    text.raw("<Objecten:voorkomen><Historie:Voorkomen><Historie:voorkomenidentificatie>")
        .integer(number as u64);
    text.raw("</Historie:voorkomenidentificatie><Historie:beginGeldigheid>")
        .day(span.begin)
        .raw("</Historie:beginGeldigheid>");
    if let Some(end) = span.end {
        text.raw("<Historie:eindGeldigheid>")
            .day(end)
            .raw("</Historie:eindGeldigheid>");
    }
    text.raw("<Historie:tijdstipRegistratie>")
        .moment(span.registered)
        .raw("</Historie:tijdstipRegistratie>");
    if let Some(moment) = span.deregistered {
        text.raw("<Historie:eindRegistratie>")
            .moment(moment)
            .raw("</Historie:eindRegistratie>");
    }
    if version.mark == Mark::Inactief {
        text.raw("<Historie:tijdstipInactief>")
            .moment(annulled(&span))
            .raw("</Historie:tijdstipInactief>");
    }
    beschikbaar(
        text,
        version.number + version.index as u64,
        &span,
        version.mark,
    );
    text.raw("</Historie:Voorkomen></Objecten:voorkomen>");
}

/// The moments of the national register. The seed of a voorkomen is one more than that of the voorkomen before it, which is closed when it is taken over.
fn beschikbaar(text: &mut Text<'_>, seed: u64, span: &Span, mark: Mark) {
    text.raw("<Historie:BeschikbaarLV><Historie:tijdstipRegistratieLV>")
        .moment(taken_over(span.registered, seed));
    text.raw("</Historie:tijdstipRegistratieLV>");
    if let Some(moment) = span.deregistered {
        text.raw("<Historie:tijdstipEindRegistratieLV>")
            .moment(taken_over(moment, seed + 1))
            .raw("</Historie:tijdstipEindRegistratieLV>");
    }
    if mark == Mark::Inactief {
        text.raw("<Historie:tijdstipInactiefLV>")
            .moment(taken_over(annulled(span), seed))
            .raw("</Historie:tijdstipInactiefLV>");
    }
    if mark == Mark::NietBag {
        text.raw("<Historie:tijdstipNietBagLV>")
            .moment(annulled(span))
            .raw("</Historie:tijdstipNietBagLV>");
    }
    text.raw("</Historie:BeschikbaarLV>");
}

/// When a marked voorkomen was taken back: later on the day of its registration.
fn annulled(span: &Span) -> Moment {
    Moment {
        ms: span.registered.ms + 21_000_000,
        ..span.registered
    }
}

/// When the national register had what a municipality registered: seconds to minutes later.
fn taken_over(moment: Moment, seed: u64) -> Moment {
    let wait = u32::try_from(2_000 + mix(seed) % 600_000).expect("a wait is short");
    Moment {
        ms: moment.ms + wait,
        ..moment
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
