//! Builds small deliveries with a few addresses of Weesp. Their archives are nested as in real deliveries. A test changes or damages
//! a delivery and then packs it.

use std::io::{Cursor, Write as _};

use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, ZipWriter};

/// An archive that is not packed yet.
#[derive(Clone)]
pub(crate) struct Archive(pub(crate) Vec<(String, Content)>);

#[derive(Clone)]
pub(crate) enum Content {
    File(Vec<u8>),
    /// A file that is stored without compression.
    Packed(Vec<u8>),
    /// An inner archive. Municipal deliveries deflate their inner archives, national ones store them.
    Archive(Archive, CompressionMethod),
}

const DAY: &str = "15092021";
const HEADER: &str = "Leveringsdocument-BAG-Extract.xml";

/// A delivery of a municipality. Unlike in a national delivery, the archives of the object types are inside another archive.
pub(crate) fn municipal() -> Archive {
    let deflated = CompressionMethod::Deflated;
    let area = "<s:Gebied-GEM><s:GemeenteCollectie><s:Gemeente><s:GemeenteIdentificatie>0457</s:GemeenteIdentificatie>\
                </s:Gemeente></s:GemeenteCollectie></s:Gebied-GEM>";
    let types = Archive(types("0457", deflated).collect());
    Archive(vec![
        (HEADER.into(), Content::File(header(area).into())),
        relations_zip(deflated),
        (
            format!("0457GEM{DAY}.zip"),
            Content::Archive(types, deflated),
        ),
    ])
}

/// A delivery of the country, with the parts that the indexer skips.
pub(crate) fn national() -> Archive {
    let stored = CompressionMethod::Stored;
    let mut entries = vec![(
        HEADER.into(),
        Content::File(header("<s:Gebied-NLD/>").into()),
    )];
    entries.push(relations_zip(stored));
    entries.extend(types("9999", stored));
    for passed_over in ["Inactief", "NietBag", "InOnderzoek"] {
        let empty = Content::Archive(Archive(Vec::new()), stored);
        entries.push((format!("9999{passed_over}{DAY}.zip"), empty));
    }
    Archive(entries)
}

fn types(area: &str, method: CompressionMethod) -> impl Iterator<Item = (String, Content)> {
    let named = move |(letters, objects): (&str, Vec<String>)| {
        let name = format!("{area}{letters}{DAY}");
        let document = (
            format!("{name}-000001.xml"),
            Content::File(stand(&objects).into()),
        );
        let inner = Archive(vec![document]);
        (format!("{name}.zip"), Content::Archive(inner, method))
    };
    objects().into_iter().map(named)
}

fn relations_zip(method: CompressionMethod) -> (String, Content) {
    let name = format!("GEM-WPL-RELATIE-{DAY}");
    let document = (
        format!("{name}-000001.xml"),
        Content::File(relations(&[("3631", "0457", "2016-01-01", None)]).into()),
    );
    (
        format!("{name}.zip"),
        Content::Archive(Archive(vec![document]), method),
    )
}

/// Five addresses: two flats in one pand, a berth, a pitch, and a nevenadres of a flat.
fn objects() -> Vec<(&'static str, Vec<String>)> {
    let point = |x: &str| {
        format!("<O:punt><gml:Point><gml:pos>{x} 482405.04 0.0</gml:pos></gml:Point></O:punt>")
    };
    vec![
        ("WPL", vec![woonplaats("3631", "Weesp")]),
        (
            "OPR",
            vec![
                street("0457300000000001", "Dani&#xeb;l Stalpertstraat", "3631"),
                street("0457300000000002", "'s-Gravelandseweg", "3631"),
            ],
        ),
        (
            "NUM",
            vec![
                nummeraanduiding("0457200000000001", "1", "1381AA", "0457300000000001"),
                nummeraanduiding("0457200000000002", "3", "1381AA", "0457300000000001"),
                nummeraanduiding("0457200000000003", "2", "1381AB", "0457300000000002"),
                nummeraanduiding("0457200000000004", "4", "1381AB", "0457300000000002"),
                nummeraanduiding("0457200000000005", "5", "1381AA", "0457300000000001"),
            ],
        ),
        (
            "VBO",
            vec![
                verblijfsobject(
                    "0457010000000001",
                    "0457200000000001",
                    "",
                    &point("131009.12"),
                    "0457100000000001",
                ),
                verblijfsobject(
                    "0457010000000002",
                    "0457200000000002",
                    "0457200000000005",
                    &point("131012.0"),
                    "0457100000000001",
                ),
            ],
        ),
        (
            "LIG",
            vec![ligplaats_or_standplaats(
                "Ligplaats", "0457020000000001", "0457200000000003",
            )],
        ),
        (
            "STA",
            vec![ligplaats_or_standplaats(
                "Standplaats", "0457030000000001", "0457200000000004",
            )],
        ),
        ("PND", vec![pand("0457100000000001", "1462")]),
    ]
}

/// A document of a stand with these objects.
pub(crate) fn stand(objects: &[String]) -> String {
    let wrap =
        |object: &String| format!("<sl:stand><b:bagObject>{object}</b:bagObject></sl:stand>");
    let objects: String = objects.iter().map(wrap).collect();
    format!(
        r#"<?xml version="1.0" encoding="UTF-8"?>
<b:bagStand xmlns:b="b" xmlns:sl="sl" xmlns:s="s" xmlns:O="o" xmlns:R="r" xmlns:H="h" xmlns:gml="g"><b:bagInfo><s:LVC-Extract>
<s:StandTechnischeDatum>2021-09-15</s:StandTechnischeDatum></s:LVC-Extract></b:bagInfo><sl:standBestand>{objects}
</sl:standBestand></b:bagStand>"#
    )
}

pub(crate) fn header(area: &str) -> String {
    format!(
        r#"<?xml version="1.0" encoding="UTF-8"?>
<xb:BAG-Extract-Levering xmlns:xb="x" xmlns:s="s"><xb:SelectieGegevens><s:LVC-Extract>
<s:StandTechnischeDatum>2021-09-15</s:StandTechnischeDatum></s:LVC-Extract><s:Gebied-Registratief>{area}
</s:Gebied-Registratief></xb:SelectieGegevens></xb:BAG-Extract-Levering>"#
    )
}

/// Builds a GEM-WPL-RELATIE document. A row has the woonplaats, the gemeente, the begin and the end.
pub(crate) fn relations(rows: &[(&str, &str, &str, Option<&str>)]) -> String {
    let row = |&(woonplaats, gemeente, begin, end): &(&str, &str, &str, Option<&str>)| {
        let end = end.map_or(String::new(), |end| {
            format!("<t:einddatumTijdvakGeldigheid>{end}</t:einddatumTijdvakGeldigheid>")
        });
        format!(
            "<p:GemeenteWoonplaatsRelatie><p:tijdvakgeldigheid><t:begindatumTijdvakGeldigheid>{begin}\
             </t:begindatumTijdvakGeldigheid>{end}</p:tijdvakgeldigheid><p:gerelateerdeWoonplaats><p:identificatie>\
             {woonplaats}</p:identificatie></p:gerelateerdeWoonplaats><p:gerelateerdeGemeente><p:identificatie>{gemeente}\
             </p:identificatie></p:gerelateerdeGemeente><p:status>definitief</p:status></p:GemeenteWoonplaatsRelatie>"
        )
    };
    let rows: String = rows.iter().map(row).collect();
    format!(
        "<!-- Disclaimer: gé&n -->\n<g:BAG-GWR-Deelbestand-LVC xmlns:g=\"g\" xmlns:p=\"p\" xmlns:t=\"t\"><g:Product>\
         <p:GemeenteWoonplaatsRelatieProduct>{rows}</p:GemeenteWoonplaatsRelatieProduct></g:Product>\
         </g:BAG-GWR-Deelbestand-LVC>"
    )
}

pub(crate) const VOORKOMEN: &str = "<O:voorkomen><H:Voorkomen><H:voorkomenidentificatie>1</H:voorkomenidentificatie>\
                         <H:beginGeldigheid>2010-08-31</H:beginGeldigheid><H:BeschikbaarLV></H:BeschikbaarLV></H:Voorkomen>\
                         </O:voorkomen>";

pub(crate) fn woonplaats(id: &str, naam: &str) -> String {
    format!(
        "<O:Woonplaats><O:identificatie>{id}</O:identificatie><O:naam>{naam}</O:naam><O:status>Woonplaats aangewezen\
         </O:status>{VOORKOMEN}</O:Woonplaats>"
    )
}

pub(crate) fn street(id: &str, naam: &str, woonplaats: &str) -> String {
    format!(
        "<O:OpenbareRuimte><O:identificatie>{id}</O:identificatie><O:naam>{naam}</O:naam><O:type>Weg</O:type><O:ligtIn>\
         <R:WoonplaatsRef>{woonplaats}</R:WoonplaatsRef></O:ligtIn>{VOORKOMEN}</O:OpenbareRuimte>"
    )
}

pub(crate) fn nummeraanduiding(id: &str, number: &str, postcode: &str, street: &str) -> String {
    format!(
        "<O:Nummeraanduiding><O:identificatie domein=\"NL.IMBAG.Nummeraanduiding\">{id}</O:identificatie><O:huisnummer>\
         {number}</O:huisnummer><O:postcode>{postcode}</O:postcode><O:status>Naamgeving uitgegeven</O:status>{VOORKOMEN}\
         <O:ligtAan><R:OpenbareRuimteRef>{street}</R:OpenbareRuimteRef></O:ligtAan></O:Nummeraanduiding>"
    )
}

pub(crate) fn verblijfsobject(
    id: &str,
    hoofdadres: &str,
    nevenadres: &str,
    geometry: &str,
    pand: &str,
) -> String {
    let reference = |id: &str| format!("<R:NummeraanduidingRef>{id}</R:NummeraanduidingRef>");
    let nevenadres = if nevenadres.is_empty() {
        String::new()
    } else {
        format!(
            "<O:heeftAlsNevenadres>{}</O:heeftAlsNevenadres>",
            reference(nevenadres)
        )
    };
    format!(
        "<O:Verblijfsobject><O:heeftAlsHoofdadres>{}</O:heeftAlsHoofdadres>{VOORKOMEN}{nevenadres}<O:identificatie>{id}\
         </O:identificatie><O:geometrie>{geometry}</O:geometrie><O:gebruiksdoel>woonfunctie</O:gebruiksdoel><O:oppervlakte>\
         201</O:oppervlakte><O:status>Verblijfsobject in gebruik</O:status><O:maaktDeelUitVan><R:PandRef>{pand}</R:PandRef>\
         </O:maaktDeelUitVan></O:Verblijfsobject>",
        reference(hoofdadres)
    )
}

pub(crate) fn ligplaats_or_standplaats(element: &str, id: &str, hoofdadres: &str) -> String {
    let ring = "133351.039 478737.105 133350.959 478733.048 133360.492 478732.859 133360.573 478736.915 133351.039 478737.105";
    format!(
        "<O:{element}><O:heeftAlsHoofdadres><R:NummeraanduidingRef>{hoofdadres}</R:NummeraanduidingRef>\
         </O:heeftAlsHoofdadres>{VOORKOMEN}<O:identificatie>{id}</O:identificatie><O:status>Plaats aangewezen</O:status>\
         <O:geometrie><gml:Polygon srsDimension=\"2\"><gml:exterior><gml:LinearRing><gml:posList>{ring}</gml:posList>\
         </gml:LinearRing></gml:exterior></gml:Polygon></O:geometrie></O:{element}>"
    )
}

pub(crate) fn pand(id: &str, year: &str) -> String {
    format!(
        "<O:Pand><O:identificatie>{id}</O:identificatie><O:oorspronkelijkBouwjaar>{year}</O:oorspronkelijkBouwjaar>\
         <O:status>Pand in gebruik</O:status>{VOORKOMEN}</O:Pand>"
    )
}

impl Archive {
    /// The bytes of the archive with all its inner archives.
    pub(crate) fn pack(&self) -> Vec<u8> {
        let mut zip = ZipWriter::new(Cursor::new(Vec::new()));
        for (name, content) in &self.0 {
            let (bytes, method) = match content {
                Content::File(bytes) => (bytes.clone(), CompressionMethod::Deflated),
                Content::Packed(bytes) => (bytes.clone(), CompressionMethod::Stored),
                Content::Archive(inner, method) => (inner.pack(), *method),
            };
            add(&mut zip, name, &bytes, method);
        }
        zip.finish().expect("memory takes it").into_inner()
    }

    /// The entry whose name contains `part`, at any depth.
    pub(crate) fn entry(&mut self, part: &str) -> &mut (String, Content) {
        let named = |(name, _): &&mut (String, Content)| name.contains(part);
        let entries = &mut self.archive_containing(part).0;
        entries
            .iter_mut()
            .find(named)
            .expect("an entry of that name")
    }

    /// The archive that contains the entry whose name contains `part`.
    pub(crate) fn archive_containing(&mut self, part: &str) -> &mut Self {
        if self.0.iter().any(|(name, _)| name.contains(part)) {
            return self;
        }
        let inner = self.0.iter_mut().find_map(|(_, content)| match content {
            Content::Archive(inner, _) => inner.contains_entry(part).then_some(inner),
            Content::File(_) | Content::Packed(_) => None,
        });
        inner
            .expect("an entry of that name")
            .archive_containing(part)
    }

    fn contains_entry(&self, part: &str) -> bool {
        self.0.iter().any(|(name, content)| {
            name.contains(part)
                || matches!(content, Content::Archive(inner, _) if inner.contains_entry(part))
        })
    }

    /// Changes the document whose name contains `part`.
    pub(crate) fn edit(mut self, part: &str, change: impl FnOnce(String) -> String) -> Self {
        let Content::File(bytes) = &mut self.entry(part).1 else {
            panic!("{part} is no document");
        };
        let text = String::from_utf8(std::mem::take(bytes)).expect("documents are UTF-8");
        *bytes = change(text).into_bytes();
        self
    }

    /// The same delivery with another stand date in its documents; the file names keep the old date.
    pub(crate) fn of_day(mut self, day: &str) -> Self {
        for (_, content) in &mut self.0 {
            match content {
                Content::File(bytes) => {
                    let text = std::str::from_utf8(bytes).expect("documents are UTF-8");
                    *bytes = text.replace("2021-09-15", day).into_bytes();
                }
                Content::Packed(_) => {}
                Content::Archive(inner, _) => *inner = inner.clone().of_day(day),
            }
        }
        self
    }

    /// Replaces the bytes of the entry whose name contains `part`.
    pub(crate) fn with_entry_content(mut self, part: &str, bytes: impl Into<Vec<u8>>) -> Self {
        self.entry(part).1 = Content::File(bytes.into());
        self
    }

    /// Removes the entry whose name contains `part`.
    pub(crate) fn without(mut self, part: &str) -> Self {
        let around = self.archive_containing(part);
        around.0.retain(|(name, _)| !name.contains(part));
        self
    }

    /// Adds an entry at the top level.
    pub(crate) fn with_entry(mut self, name: &str, bytes: impl Into<Vec<u8>>) -> Self {
        self.0.push((name.into(), Content::File(bytes.into())));
        self
    }
}

/// Adds an entry without a time of modification, so that equal deliveries have equal bytes.
pub(crate) fn add(
    zip: &mut ZipWriter<Cursor<Vec<u8>>>,
    name: &str,
    bytes: &[u8],
    method: CompressionMethod,
) {
    let options = SimpleFileOptions::default()
        .compression_method(method)
        .last_modified_time(zip::DateTime::default());
    zip.start_file(name, options).expect("a new name");
    zip.write_all(bytes).expect("memory takes it");
}
