//! The XML of the seven object types: one voorkomen of one object at a time, with elements and attributes in the order of real deliveries.
//!
//! Source: IMBAGLV_Objecten-2.1.0.xsd and IMBAGLV_Historie-2.1.0.xsd (v20200601).

use super::elements::{document, identificatie, ligt_in, naamgeving, polygon, voorkomen};
use super::facts::{
    Facts, NummeraanduidingFacts, OpenbareRuimteFacts, PandFacts, PlaatsFacts,
    VerblijfsobjectFacts, Version, WoonplaatsFacts,
};
use super::history::History;
use super::names::short_name;
use super::record::{Id, Kind, ObjectKind, PandStatus, Standing, VerblijfsobjectStatus};
use super::shape::{Mm, Shape};
use super::text::Text;

/// Writes one voorkomen of an object.
pub(super) fn write(text: &mut Text<'_>, id: Id, version: &Version) {
    let history = &version.history;
    match &version.facts {
        Facts::Woonplaats(facts) => woonplaats(text, id, facts, history),
        Facts::OpenbareRuimte(facts) => openbare_ruimte(text, id, facts, history),
        Facts::Nummeraanduiding(facts) => nummeraanduiding(text, id, facts, history),
        Facts::Verblijfsobject(facts) => verblijfsobject(text, id, facts, history),
        Facts::Plaats(facts) => plaats(text, id, facts, history),
        Facts::Pand(facts) => pand(text, id, facts, history),
    }
}

fn woonplaats(text: &mut Text<'_>, id: Id, facts: &WoonplaatsFacts, history: &History) {
    text.raw("<Objecten:Woonplaats><Objecten:identificatie domein=\"NL.IMBAG.Woonplaats\">")
        .digits(id.number, 4);
    text.raw("</Objecten:identificatie><Objecten:naam>")
        .content(&facts.name)
        .raw("</Objecten:naam><Objecten:geometrie>");
    parts(text, &facts.parts);
    text.raw(match facts.standing {
        Standing::Live => {
            "</Objecten:geometrie><Objecten:status>Woonplaats aangewezen</Objecten:status>"
        }
        Standing::Withdrawn => {
            "</Objecten:geometrie><Objecten:status>Woonplaats ingetrokken</Objecten:status>"
        }
    });
    document(text, history);
    voorkomen(text, history);
    text.raw("</Objecten:Woonplaats>");
}

fn parts(text: &mut Text<'_>, parts: &[Vec<Mm>]) {
    if let [only] = parts {
        text.raw("<Objecten:vlak>");
        polygon(text, std::slice::from_ref(only), 2);
        text.raw("</Objecten:vlak>");
        return;
    }
    text.raw("<Objecten:multivlak><gml:MultiSurface srsName=\"urn:ogc:def:crs:EPSG::28992\" srsDimension=\"2\">\n");
    for part in parts {
        text.raw("<gml:surfaceMember>");
        polygon(text, std::slice::from_ref(part), 2);
        text.raw("</gml:surfaceMember>\n");
    }
    text.raw("</gml:MultiSurface></Objecten:multivlak>");
}

fn openbare_ruimte(text: &mut Text<'_>, id: Id, facts: &OpenbareRuimteFacts, history: &History) {
    let state = &facts.state;
    text.raw("<Objecten:OpenbareRuimte>");
    identificatie(text, id);
    text.raw("<Objecten:naam>")
        .content(&state.name)
        .raw("</Objecten:naam><Objecten:type>")
        .raw(facts.kind)
        .raw("</Objecten:type>");
    text.raw(naamgeving(state.standing));
    document(text, history);
    ligt_in(text, state.woonplaats);
    voorkomen(text, history);
    if let Some(short) = short_name(&state.name) {
        text.raw(
            "<Objecten:verkorteNaam><nen5825:VerkorteNaamOpenbareRuimte><nen5825:verkorteNaam>",
        )
        .content(&short);
        text.raw(
            "</nen5825:verkorteNaam></nen5825:VerkorteNaamOpenbareRuimte></Objecten:verkorteNaam>",
        );
    }
    text.raw("</Objecten:OpenbareRuimte>");
}

fn nummeraanduiding(text: &mut Text<'_>, id: Id, facts: &NummeraanduidingFacts, history: &History) {
    text.raw("<Objecten:Nummeraanduiding>");
    identificatie(text, id);
    number(text, facts);
    text.raw("<Objecten:typeAdresseerbaarObject>")
        .raw(object_kind(facts.kind))
        .raw("</Objecten:typeAdresseerbaarObject>");
    text.raw(naamgeving(facts.state.standing));
    document(text, history);
    if let Some(code) = facts.state.woonplaats {
        ligt_in(text, code);
    }
    voorkomen(text, history);
    text.raw(
        "<Objecten:ligtAan><Objecten-ref:OpenbareRuimteRef domein=\"NL.IMBAG.Openbareruimte\">",
    )
    .id(facts.street);
    text.raw("</Objecten-ref:OpenbareRuimteRef></Objecten:ligtAan></Objecten:Nummeraanduiding>");
}

fn verblijfsobject(text: &mut Text<'_>, id: Id, facts: &VerblijfsobjectFacts, history: &History) {
    let usage = facts.usage;
    text.raw("<Objecten:Verblijfsobject>");
    adressen(text, history, facts.hoofdadres, &facts.nevenadressen);
    identificatie(text, id);
    punt_of_vlak(text, facts.shape);
    for purpose in usage.purposes.names() {
        text.raw("<Objecten:gebruiksdoel>")
            .raw(purpose)
            .raw("</Objecten:gebruiksdoel>");
    }
    text.raw("<Objecten:oppervlakte>")
        .integer(u64::from(usage.surface_m2))
        .raw("</Objecten:oppervlakte><Objecten:status>");
    text.raw(verblijfsobject_status(usage.status))
        .raw("</Objecten:status>");
    document(text, history);
    text.raw("<Objecten:maaktDeelUitVan>");
    for &pand in &facts.panden {
        text.raw("<Objecten-ref:PandRef domein=\"NL.IMBAG.Pand\">")
            .id(pand)
            .raw("</Objecten-ref:PandRef>");
    }
    text.raw("</Objecten:maaktDeelUitVan></Objecten:Verblijfsobject>");
}

fn plaats(text: &mut Text<'_>, id: Id, facts: &PlaatsFacts, history: &History) {
    let name = if id.kind == Kind::Ligplaats {
        "Objecten:Ligplaats>"
    } else {
        "Objecten:Standplaats>"
    };
    text.raw("<").raw(name);
    adressen(text, history, facts.hoofdadres, &facts.nevenadressen);
    identificatie(text, id);
    text.raw(match facts.standing {
        Standing::Live => {
            "<Objecten:status>Plaats aangewezen</Objecten:status><Objecten:geometrie>"
        }
        Standing::Withdrawn => {
            "<Objecten:status>Plaats ingetrokken</Objecten:status><Objecten:geometrie>"
        }
    });
    polygon(text, &facts.shape.rings(), 2);
    text.raw("</Objecten:geometrie>");
    document(text, history);
    text.raw("</").raw(name);
}

fn pand(text: &mut Text<'_>, id: Id, facts: &PandFacts, history: &History) {
    text.raw("<Objecten:Pand>");
    identificatie(text, id);
    text.raw("<Objecten:geometrie>");
    polygon(text, &facts.shape.rings(), 3);
    text.raw("</Objecten:geometrie><Objecten:oorspronkelijkBouwjaar>")
        .digits(u64::from(facts.state.year), 4);
    text.raw("</Objecten:oorspronkelijkBouwjaar><Objecten:status>")
        .raw(pand_status(facts.state.status))
        .raw("</Objecten:status>");
    document(text, history);
    voorkomen(text, history);
    text.raw("</Objecten:Pand>");
}

/// The number with what follows it, and its postcode.
fn number(text: &mut Text<'_>, facts: &NummeraanduidingFacts) {
    text.raw("<Objecten:huisnummer>")
        .integer(u64::from(facts.number))
        .raw("</Objecten:huisnummer>");
    if let Some(letter) = facts.letter {
        text.raw("<Objecten:huisletter>")
            .content(letter.encode_utf8(&mut [0; 4]))
            .raw("</Objecten:huisletter>");
    }
    if let Some(addition) = &facts.addition {
        text.raw("<Objecten:huisnummertoevoeging>")
            .content(addition)
            .raw("</Objecten:huisnummertoevoeging>");
    }
    if let Some(postcode) = facts.state.postcode {
        text.raw("<Objecten:postcode>")
            .digits(u64::from(postcode.digits), 4)
            .bytes
            .extend(postcode.letters);
        text.raw("</Objecten:postcode>");
    }
}

/// The element `geometrie` of a verblijfsobject.
fn punt_of_vlak(text: &mut Text<'_>, shape: Shape) {
    if let Shape::Point(at) = shape {
        text.raw("<Objecten:geometrie><Objecten:punt><gml:Point srsName=\"urn:ogc:def:crs:EPSG::28992\" srsDimension=\"3\">");
        text.raw("\n  <gml:pos>")
            .position(at, 3)
            .raw("</gml:pos>\n</gml:Point></Objecten:punt></Objecten:geometrie>");
    } else {
        text.raw("<Objecten:geometrie><Objecten:vlak>");
        polygon(text, &shape.rings(), 3);
        text.raw("</Objecten:vlak></Objecten:geometrie>");
    }
}

fn object_kind(kind: ObjectKind) -> &'static str {
    match kind {
        ObjectKind::Verblijfsobject => "Verblijfsobject",
        ObjectKind::Ligplaats => "Ligplaats",
        ObjectKind::Standplaats => "Standplaats",
    }
}

fn verblijfsobject_status(status: VerblijfsobjectStatus) -> &'static str {
    match status {
        VerblijfsobjectStatus::Gevormd => "Verblijfsobject gevormd",
        VerblijfsobjectStatus::NietGerealiseerd => "Niet gerealiseerd verblijfsobject",
        VerblijfsobjectStatus::NietIngemeten => "Verblijfsobject in gebruik (niet ingemeten)",
        VerblijfsobjectStatus::InGebruik => "Verblijfsobject in gebruik",
        VerblijfsobjectStatus::Verbouwing => "Verbouwing verblijfsobject",
        VerblijfsobjectStatus::Ingetrokken => "Verblijfsobject ingetrokken",
        VerblijfsobjectStatus::BuitenGebruik => "Verblijfsobject buiten gebruik",
        VerblijfsobjectStatus::TenOnrechte => "Verblijfsobject ten onrechte opgevoerd",
    }
}

fn pand_status(status: PandStatus) -> &'static str {
    match status {
        PandStatus::BouwvergunningVerleend => "Bouwvergunning verleend",
        PandStatus::NietGerealiseerd => "Niet gerealiseerd pand",
        PandStatus::BouwGestart => "Bouw gestart",
        PandStatus::NietIngemeten => "Pand in gebruik (niet ingemeten)",
        PandStatus::InGebruik => "Pand in gebruik",
        PandStatus::Verbouwing => "Verbouwing pand",
        PandStatus::SloopvergunningVerleend => "Sloopvergunning verleend",
        PandStatus::Gesloopt => "Pand gesloopt",
        PandStatus::BuitenGebruik => "Pand buiten gebruik",
        PandStatus::TenOnrechte => "Pand ten onrechte opgevoerd",
    }
}

fn adressen(text: &mut Text<'_>, history: &History, main: Id, others: &[Id]) {
    const REF: &str = "<Objecten-ref:NummeraanduidingRef domein=\"NL.IMBAG.Nummeraanduiding\">";
    text.raw("<Objecten:heeftAlsHoofdadres>")
        .raw(REF)
        .id(main)
        .raw("</Objecten-ref:NummeraanduidingRef></Objecten:heeftAlsHoofdadres>");
    voorkomen(text, history);
    if !others.is_empty() {
        text.raw("<Objecten:heeftAlsNevenadres>");
        for &other in others {
            text.raw(REF)
                .id(other)
                .raw("</Objecten-ref:NummeraanduidingRef>");
        }
        text.raw("</Objecten:heeftAlsNevenadres>");
    }
}
