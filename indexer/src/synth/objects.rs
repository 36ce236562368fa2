//! The XML of the seven object types: one voorkomen of one object at a time, with elements and attributes in the order of real deliveries.
//!
//! Source: IMBAGLV_Objecten-2.1.0.xsd and IMBAGLV_Historie-2.1.0.xsd (v20200601).

use super::elements::{
    Mark, Version, document, identificatie, naamgeving, polygon, voorkomen, woonplaats,
};
use super::names::short_name;
use super::record::{
    Id, Kind, Nummeraanduiding, ObjectKind, OpenbareRuimte, Pand, PandStatus, Plaats, Postcode,
    Standing, Verblijfsobject, VerblijfsobjectStatus,
};
use super::shape::Shape;
use super::text::Text;

/// Anything with voorkomens that can be written.
pub(super) trait Record {
    fn voorkomens(&self) -> usize;
    /// Writes the voorkomen at `index` (from 0); a marked one is numbered after the last.
    fn write(&self, text: &mut Text<'_>, index: usize, mark: Mark);
}

impl Record for OpenbareRuimte {
    fn voorkomens(&self) -> usize {
        self.life.len()
    }

    fn write(&self, text: &mut Text<'_>, index: usize, mark: Mark) {
        let (state, version) = (
            self.life.state(index),
            Version {
                number: self.id.number,
                life: &self.life,
                index,
                mark,
            },
        );
        text.raw("<Objecten:OpenbareRuimte>");
        identificatie(text, self.id);
        text.raw("<Objecten:naam>")
            .content(&state.name)
            .raw("</Objecten:naam><Objecten:type>")
            .raw(self.kind)
            .raw("</Objecten:type>");
        text.raw(naamgeving(state.standing));
        document(text, &version);
        woonplaats(text, state.woonplaats);
        voorkomen(text, &version);
        if let Some(short) = short_name(&state.name) {
            text.raw(
                "<Objecten:verkorteNaam><nen5825:VerkorteNaamOpenbareRuimte><nen5825:verkorteNaam>",
            )
            .content(&short);
            text.raw("</nen5825:verkorteNaam></nen5825:VerkorteNaamOpenbareRuimte></Objecten:verkorteNaam>");
        }
        text.raw("</Objecten:OpenbareRuimte>");
    }
}

impl Record for Nummeraanduiding {
    fn voorkomens(&self) -> usize {
        self.life.len()
    }

    fn write(&self, text: &mut Text<'_>, index: usize, mark: Mark) {
        let (state, version) = (
            self.life.state(index),
            Version {
                number: self.id.number,
                life: &self.life,
                index,
                mark,
            },
        );
        text.raw("<Objecten:Nummeraanduiding>");
        identificatie(text, self.id);
        self.write_number(text, state.postcode);
        text.raw("<Objecten:typeAdresseerbaarObject>")
            .raw(object_kind(self.kind))
            .raw("</Objecten:typeAdresseerbaarObject>");
        text.raw(naamgeving(state.standing));
        document(text, &version);
        if let Some(code) = state.woonplaats {
            woonplaats(text, code);
        }
        voorkomen(text, &version);
        text.raw(
            "<Objecten:ligtAan><Objecten-ref:OpenbareRuimteRef domein=\"NL.IMBAG.Openbareruimte\">",
        )
        .id(self.street);
        text.raw(
            "</Objecten-ref:OpenbareRuimteRef></Objecten:ligtAan></Objecten:Nummeraanduiding>",
        );
    }
}

impl Record for Verblijfsobject {
    fn voorkomens(&self) -> usize {
        self.life.len()
    }

    fn write(&self, text: &mut Text<'_>, index: usize, mark: Mark) {
        let (state, version) = (
            self.life.state(index),
            Version {
                number: self.id.number,
                life: &self.life,
                index,
                mark,
            },
        );
        text.raw("<Objecten:Verblijfsobject>");
        adressen(text, &version, self.hoofdadres, &self.nevenadressen);
        identificatie(text, self.id);
        punt_of_vlak(text, self.shape);
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
        document(text, &version);
        text.raw("<Objecten:maaktDeelUitVan>");
        for &pand in &self.panden {
            text.raw("<Objecten-ref:PandRef domein=\"NL.IMBAG.Pand\">")
                .id(pand)
                .raw("</Objecten-ref:PandRef>");
        }
        text.raw("</Objecten:maaktDeelUitVan></Objecten:Verblijfsobject>");
    }
}

impl Record for Plaats {
    fn voorkomens(&self) -> usize {
        self.life.len()
    }

    fn write(&self, text: &mut Text<'_>, index: usize, mark: Mark) {
        let (state, version) = (
            self.life.state(index),
            Version {
                number: self.id.number,
                life: &self.life,
                index,
                mark,
            },
        );
        let name = if self.id.kind == Kind::Ligplaats {
            "Objecten:Ligplaats>"
        } else {
            "Objecten:Standplaats>"
        };
        text.raw("<").raw(name);
        adressen(text, &version, self.hoofdadres, &self.nevenadressen);
        identificatie(text, self.id);
        text.raw(match state {
            Standing::Live => {
                "<Objecten:status>Plaats aangewezen</Objecten:status><Objecten:geometrie>"
            }
            Standing::Withdrawn => {
                "<Objecten:status>Plaats ingetrokken</Objecten:status><Objecten:geometrie>"
            }
        });
        polygon(text, &self.shape.rings(), 2);
        text.raw("</Objecten:geometrie>");
        document(text, &version);
        text.raw("</").raw(name);
    }
}

impl Record for Pand {
    fn voorkomens(&self) -> usize {
        self.life.len()
    }

    fn write(&self, text: &mut Text<'_>, index: usize, mark: Mark) {
        let (state, version) = (
            self.life.state(index),
            Version {
                number: self.id.number,
                life: &self.life,
                index,
                mark,
            },
        );
        text.raw("<Objecten:Pand>");
        identificatie(text, self.id);
        text.raw("<Objecten:geometrie>");
        polygon(text, &self.shape.rings(), 3);
        text.raw("</Objecten:geometrie><Objecten:oorspronkelijkBouwjaar>")
            .digits(u64::from(state.year), 4);
        text.raw("</Objecten:oorspronkelijkBouwjaar><Objecten:status>")
            .raw(pand_status(state.status))
            .raw("</Objecten:status>");
        document(text, &version);
        voorkomen(text, &version);
        text.raw("</Objecten:Pand>");
    }
}

impl Nummeraanduiding {
    /// The number with what follows it, and its postcode.
    fn write_number(&self, text: &mut Text<'_>, postcode: Option<Postcode>) {
        text.raw("<Objecten:huisnummer>")
            .integer(u64::from(self.number))
            .raw("</Objecten:huisnummer>");
        if let Some(letter) = self.letter {
            text.raw("<Objecten:huisletter>")
                .content(letter.encode_utf8(&mut [0; 4]))
                .raw("</Objecten:huisletter>");
        }
        if let Some(addition) = &self.addition {
            text.raw("<Objecten:huisnummertoevoeging>")
                .content(addition)
                .raw("</Objecten:huisnummertoevoeging>");
        }
        if let Some(postcode) = postcode {
            text.raw("<Objecten:postcode>")
                .digits(u64::from(postcode.digits), 4)
                .bytes
                .extend(postcode.letters);
            text.raw("</Objecten:postcode>");
        }
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

fn adressen<S>(text: &mut Text<'_>, version: &Version<'_, S>, main: Id, others: &[Id]) {
    const REF: &str = "<Objecten-ref:NummeraanduidingRef domein=\"NL.IMBAG.Nummeraanduiding\">";
    text.raw("<Objecten:heeftAlsHoofdadres>")
        .raw(REF)
        .id(main)
        .raw("</Objecten-ref:NummeraanduidingRef></Objecten:heeftAlsHoofdadres>");
    voorkomen(text, version);
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
