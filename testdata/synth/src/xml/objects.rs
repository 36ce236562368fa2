//! Writes the XML of the seven object types: one voorkomen of one object at a time. Elements and attributes have the order of real
//! deliveries.
//!
//! Source: IMBAGLV_Objecten-2.1.0.xsd and IMBAGLV_Historie-2.1.0.xsd (v20200601).

use super::elements::{document, identificatie, ligt_in, naamgeving, polygon, voorkomen};
use super::text::XmlText;
use crate::geometry::{ObjectGeometry, RdPoint};
use crate::model::{
    AssignmentStatus, Identificatie, NummeraanduidingAttributes, ObjectAttributes, ObjectKind,
    OpenbareRuimteAttributes, PandAttributes, PandStatus, PlaatsAttributes, SynthObjectType,
    SynthVoorkomen, VerblijfsobjectAttributes, VerblijfsobjectStatus, VoorkomenTimes,
    WoonplaatsAttributes,
};
use crate::names::short_name;

/// Writes one voorkomen of an object.
pub(crate) fn write_object(text: &mut XmlText<'_>, id: Identificatie, object: &SynthVoorkomen) {
    let times = &object.times;
    match &object.attributes {
        ObjectAttributes::Woonplaats(attributes) => woonplaats(text, id, attributes, times),
        ObjectAttributes::OpenbareRuimte(attributes) => {
            openbare_ruimte(text, id, attributes, times)
        }
        ObjectAttributes::Nummeraanduiding(attributes) => {
            nummeraanduiding(text, id, attributes, times)
        }
        ObjectAttributes::Verblijfsobject(attributes) => {
            verblijfsobject(text, id, attributes, times)
        }
        ObjectAttributes::Plaats(attributes) => plaats(text, id, attributes, times),
        ObjectAttributes::Pand(attributes) => pand(text, id, attributes, times),
    }
}

fn woonplaats(
    text: &mut XmlText<'_>,
    id: Identificatie,
    attributes: &WoonplaatsAttributes,
    times: &VoorkomenTimes,
) {
    text.raw("<Objecten:Woonplaats><Objecten:identificatie domein=\"NL.IMBAG.Woonplaats\">")
        .digits(id.number, 4);
    text.raw("</Objecten:identificatie><Objecten:naam>")
        .content(&attributes.name)
        .raw("</Objecten:naam><Objecten:geometrie>");
    woonplaats_parts(text, &attributes.parts);
    text.raw(match attributes.status {
        AssignmentStatus::Assigned => {
            "</Objecten:geometrie><Objecten:status>Woonplaats aangewezen</Objecten:status>"
        }
        AssignmentStatus::Withdrawn => {
            "</Objecten:geometrie><Objecten:status>Woonplaats ingetrokken</Objecten:status>"
        }
    });
    document(text, times);
    voorkomen(text, times);
    text.raw("</Objecten:Woonplaats>");
}

fn woonplaats_parts(text: &mut XmlText<'_>, parts: &[Vec<RdPoint>]) {
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

fn openbare_ruimte(
    text: &mut XmlText<'_>,
    id: Identificatie,
    attributes: &OpenbareRuimteAttributes,
    times: &VoorkomenTimes,
) {
    let state = &attributes.state;
    text.raw("<Objecten:OpenbareRuimte>");
    identificatie(text, id);
    text.raw("<Objecten:naam>")
        .content(&state.name)
        .raw("</Objecten:naam><Objecten:type>")
        .raw(attributes.kind)
        .raw("</Objecten:type>");
    text.raw(naamgeving(state.status));
    document(text, times);
    ligt_in(text, state.woonplaats);
    voorkomen(text, times);
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

fn nummeraanduiding(
    text: &mut XmlText<'_>,
    id: Identificatie,
    attributes: &NummeraanduidingAttributes,
    times: &VoorkomenTimes,
) {
    text.raw("<Objecten:Nummeraanduiding>");
    identificatie(text, id);
    number(text, attributes);
    text.raw("<Objecten:typeAdresseerbaarObject>")
        .raw(object_kind(attributes.kind))
        .raw("</Objecten:typeAdresseerbaarObject>");
    text.raw(naamgeving(attributes.state.status));
    document(text, times);
    if let Some(code) = attributes.state.woonplaats {
        ligt_in(text, code);
    }
    voorkomen(text, times);
    text.raw(
        "<Objecten:ligtAan><Objecten-ref:OpenbareRuimteRef domein=\"NL.IMBAG.Openbareruimte\">",
    )
    .id(attributes.street);
    text.raw("</Objecten-ref:OpenbareRuimteRef></Objecten:ligtAan></Objecten:Nummeraanduiding>");
}

fn verblijfsobject(
    text: &mut XmlText<'_>,
    id: Identificatie,
    attributes: &VerblijfsobjectAttributes,
    times: &VoorkomenTimes,
) {
    let state = attributes.state;
    text.raw("<Objecten:Verblijfsobject>");
    adressen(
        text,
        times,
        attributes.hoofdadres,
        &attributes.nevenadressen,
    );
    identificatie(text, id);
    punt_of_vlak(text, attributes.geometry);
    for purpose in state.purposes.names() {
        text.raw("<Objecten:gebruiksdoel>")
            .raw(purpose)
            .raw("</Objecten:gebruiksdoel>");
    }
    text.raw("<Objecten:oppervlakte>")
        .integer(u64::from(state.surface_m2))
        .raw("</Objecten:oppervlakte><Objecten:status>");
    text.raw(verblijfsobject_status(state.status))
        .raw("</Objecten:status>");
    document(text, times);
    text.raw("<Objecten:maaktDeelUitVan>");
    for &pand in &attributes.panden {
        text.raw("<Objecten-ref:PandRef domein=\"NL.IMBAG.Pand\">")
            .id(pand)
            .raw("</Objecten-ref:PandRef>");
    }
    text.raw("</Objecten:maaktDeelUitVan></Objecten:Verblijfsobject>");
}

fn plaats(
    text: &mut XmlText<'_>,
    id: Identificatie,
    attributes: &PlaatsAttributes,
    times: &VoorkomenTimes,
) {
    let name = if id.object_type == SynthObjectType::Ligplaats {
        "Objecten:Ligplaats>"
    } else {
        "Objecten:Standplaats>"
    };
    text.raw("<").raw(name);
    adressen(
        text,
        times,
        attributes.hoofdadres,
        &attributes.nevenadressen,
    );
    identificatie(text, id);
    text.raw(match attributes.status {
        AssignmentStatus::Assigned => {
            "<Objecten:status>Plaats aangewezen</Objecten:status><Objecten:geometrie>"
        }
        AssignmentStatus::Withdrawn => {
            "<Objecten:status>Plaats ingetrokken</Objecten:status><Objecten:geometrie>"
        }
    });
    polygon(text, &attributes.geometry.rings(), 2);
    text.raw("</Objecten:geometrie>");
    document(text, times);
    text.raw("</").raw(name);
}

fn pand(
    text: &mut XmlText<'_>,
    id: Identificatie,
    attributes: &PandAttributes,
    times: &VoorkomenTimes,
) {
    text.raw("<Objecten:Pand>");
    identificatie(text, id);
    text.raw("<Objecten:geometrie>");
    polygon(text, &attributes.geometry.rings(), 3);
    text.raw("</Objecten:geometrie><Objecten:oorspronkelijkBouwjaar>")
        .digits(u64::from(attributes.state.year), 4);
    text.raw("</Objecten:oorspronkelijkBouwjaar><Objecten:status>")
        .raw(pand_status(attributes.state.status))
        .raw("</Objecten:status>");
    document(text, times);
    voorkomen(text, times);
    text.raw("</Objecten:Pand>");
}

/// Writes the number, its suffix and its postcode.
fn number(text: &mut XmlText<'_>, attributes: &NummeraanduidingAttributes) {
    text.raw("<Objecten:huisnummer>")
        .integer(u64::from(attributes.number))
        .raw("</Objecten:huisnummer>");
    if let Some(letter) = attributes.letter {
        text.raw("<Objecten:huisletter>")
            .content(letter.encode_utf8(&mut [0; 4]))
            .raw("</Objecten:huisletter>");
    }
    if let Some(addition) = &attributes.addition {
        text.raw("<Objecten:huisnummertoevoeging>")
            .content(addition)
            .raw("</Objecten:huisnummertoevoeging>");
    }
    if let Some(postcode) = attributes.state.postcode {
        text.raw("<Objecten:postcode>")
            .digits(u64::from(postcode.digits), 4)
            .bytes
            .extend(postcode.letters);
        text.raw("</Objecten:postcode>");
    }
}

/// Writes the element `geometrie` of a verblijfsobject.
fn punt_of_vlak(text: &mut XmlText<'_>, geometry: ObjectGeometry) {
    if let ObjectGeometry::Point(at) = geometry {
        text.raw("<Objecten:geometrie><Objecten:punt><gml:Point srsName=\"urn:ogc:def:crs:EPSG::28992\" srsDimension=\"3\">");
        text.raw("\n  <gml:pos>")
            .position(at, 3)
            .raw("</gml:pos>\n</gml:Point></Objecten:punt></Objecten:geometrie>");
    } else {
        text.raw("<Objecten:geometrie><Objecten:vlak>");
        polygon(text, &geometry.rings(), 3);
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

fn adressen(
    text: &mut XmlText<'_>,
    times: &VoorkomenTimes,
    main: Identificatie,
    others: &[Identificatie],
) {
    const REF: &str = "<Objecten-ref:NummeraanduidingRef domein=\"NL.IMBAG.Nummeraanduiding\">";
    text.raw("<Objecten:heeftAlsHoofdadres>")
        .raw(REF)
        .id(main)
        .raw("</Objecten-ref:NummeraanduidingRef></Objecten:heeftAlsHoofdadres>");
    voorkomen(text, times);
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
