//! Checks that every town of about two thousand addresses has every oddity of single objects.

use super::contents::{field, fields};
use super::records::{STAND, begins, each_town, ends, is_valid};
use crate::names::words::{COMMON, ODD};

#[test]
fn every_status_occurs() {
    each_town(|town| {
        town.has_all(
            "OPR",
            "status",
            &["Naamgeving uitgegeven", "Naamgeving ingetrokken"],
        );
        town.has_all(
            "NUM",
            "status",
            &["Naamgeving uitgegeven", "Naamgeving ingetrokken"],
        );
        town.has_all(
            "VBO",
            "status",
            &[
                "Verblijfsobject gevormd",
                "Niet gerealiseerd verblijfsobject",
                "Verblijfsobject in gebruik (niet ingemeten)",
                "Verblijfsobject in gebruik",
                "Verbouwing verblijfsobject",
                "Verblijfsobject ingetrokken",
                "Verblijfsobject buiten gebruik",
                "Verblijfsobject ten onrechte opgevoerd",
            ],
        );
        town.has_all(
            "PND",
            "status",
            &[
                "Bouwvergunning verleend",
                "Niet gerealiseerd pand",
                "Bouw gestart",
                "Pand in gebruik (niet ingemeten)",
                "Pand in gebruik",
                "Verbouwing pand",
                "Sloopvergunning verleend",
                "Pand gesloopt",
                "Pand buiten gebruik",
                "Pand ten onrechte opgevoerd",
            ],
        );
        ["LIG", "STA"].iter().for_each(|part| {
            town.has_all(part, "status", &["Plaats aangewezen", "Plaats ingetrokken"])
        });
    });
}

#[test]
fn every_kind_of_date_occurs() {
    each_town(|town| {
        for part in ["OPR", "NUM", "VBO", "PND"] {
            town.has("closed voorkomen", part, |record| {
                !ends(record).is_empty() && ends(record) < STAND
            });
            town.has("voorkomen of zero length", part, |record| {
                begins(record) == ends(record)
            });
            town.has("voorkomen that begins later", part, |record| {
                begins(record) > STAND
            });
            town.has("object that begins later", part, |record| {
                begins(record) > STAND && field(record, "voorkomenidentificatie") == Some("1")
            });
        }
        for part in ["OPR", "NUM", "VBO"] {
            town.has("voorkomen that ends later", part, |record| {
                is_valid(record) && ends(record) > STAND
            });
        }
        for part in ["NUM", "VBO"] {
            town.has("voorkomen that ends today", part, |record| {
                ends(record) == STAND
            });
            town.has("voorkomen that begins today", part, |record| {
                begins(record) == STAND
            });
        }
        town.has("third voorkomen", "PND", |record| {
            field(record, "voorkomenidentificatie") == Some("3")
        });
    });
}

#[test]
fn every_kind_of_number_occurs() {
    each_town(|town| {
        let letter = |record: &str| field(record, "huisletter").map(str::to_owned);
        let addition = |record: &str| field(record, "huisnummertoevoeging").map(str::to_owned);
        town.has("small letter", "NUM", |record| {
            letter(record).is_some_and(|letter| letter.as_str() >= "a")
        });
        town.has("capital letter", "NUM", |record| {
            letter(record).is_some_and(|letter| letter.as_str() < "a")
        });
        town.has("letter with addition", "NUM", |record| {
            letter(record).is_some() && addition(record).is_some()
        });
        town.has("addition without letter", "NUM", |record| {
            letter(record).is_none() && addition(record).is_some()
        });
        town.has_all(
            "NUM",
            "huisnummertoevoeging",
            &[
                "1", "001", "bis", "BIS", "HS", "II", "A", "TM25", "3hg", "40",
            ],
        );
        town.has("very high number", "NUM", |record| {
            field(record, "huisnummer").is_some_and(|number| number.len() == 5)
        });
        town.has("number without postcode", "NUM", |record| {
            is_valid(record) && field(record, "postcode").is_none()
        });
        town.has("number of another woonplaats", "NUM", |record| {
            is_valid(record) && record.contains("<Objecten:ligtIn>")
        });
        town.has("number of a ligplaats", "NUM", |record| {
            record.contains(">Ligplaats<")
        });
        town.has("number of a standplaats", "NUM", |record| {
            record.contains(">Standplaats<")
        });
    });
}

#[test]
fn every_kind_of_object_occurs() {
    each_town(|town| {
        let count = |record: &str, element: &str| fields(record, element).len();
        let point = |record: &str| {
            record
                .contains("<gml:Point srsName=\"urn:ogc:def:crs:EPSG::28992\" srsDimension=\"3\">")
        };
        town.has("point", "VBO", point);
        town.has("area", "VBO", |record| {
            record.contains("<Objecten:vlak>") && record.contains("srsDimension=\"3\"")
        });
        town.has("one nevenadres", "VBO", |record| {
            count(record, "NummeraanduidingRef") == 2
        });
        town.has("several nevenadressen", "VBO", |record| {
            count(record, "NummeraanduidingRef") > 2
        });
        town.has("ligplaats with a nevenadres", "LIG", |record| {
            count(record, "NummeraanduidingRef") == 2
        });
        town.has("several panden", "VBO", |record| {
            count(record, "PandRef") > 2
        });
        (2..=4).for_each(|purposes| {
            town.has("several gebruiksdoelen", "VBO", |record| {
                count(record, "gebruiksdoel") == purposes
            })
        });
        town.has("unknown surface", "VBO", |record| {
            is_valid(record) && record.contains(">999999<")
        });
        town.has("unknown year", "PND", |record| {
            is_valid(record) && record.contains(">9999<")
        });
        town.has("very old pand", "PND", |record| record.contains(">1462<"));
        town.has("hole", "LIG", |record| record.contains("<gml:interior>"));
        town.has("area in two dimensions", "STA", |record| {
            record.contains("srsDimension=\"2\">")
        });
        town.has("pand in three dimensions", "PND", |record| {
            record.contains("srsDimension=\"3\">")
        });
        town.has("ampersand", "PND", |record| record.contains(">B&amp;W-"));
        town.has("no-break space", "PND", |record| {
            record.contains("&#xa0;</Objecten:documentnummer>")
        });
        town.has("coordinate with one decimal", "VBO", |record| {
            field(record, "pos").is_some_and(|pos| {
                pos.split('.')
                    .nth(1)
                    .is_some_and(|part| part.find(' ') == Some(1))
            })
        });
    });
}

#[test]
fn every_kind_of_street_occurs() {
    each_town(|town| {
        let names = ODD.iter().chain(&COMMON[..6]);
        for name in names {
            let escaped: String = name
                .replace('&', "&amp;")
                .chars()
                .map(|c| {
                    if c.is_ascii() {
                        c.to_string()
                    } else {
                        format!("&#x{:x};", u32::from(c))
                    }
                })
                .collect();
            town.has(name, "OPR", |record| {
                field(record, "naam") == Some(&escaped)
            });
        }
        town.has("short name", "OPR", |record| {
            fields(record, "verkorteNaam").len() == 2
        });
        let kinds = [
            "Weg",
            "Water",
            "Spoorbaan",
            "Terrein",
            "Kunstwerk",
            "Landschappelijk gebied",
            "Administratief gebied",
        ];
        town.has_all("OPR", "type", &kinds);
    });
    assert!(ODD.iter().any(|name| name.chars().count() == 80) && ODD.contains(&"Q"));
}
