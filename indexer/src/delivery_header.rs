//! Reads the header of a delivery (Leveringsdocument), which has the days and the area of the delivery.

use jiff::civil::Date;
use postduif_schema::{Area, GemeenteCode};

use crate::day::XmlDate;
use crate::xml::{XmlError, XmlReader};

/// The days that a mutation delivery covers. The delivery has the registrations from the start of day `from` until the start of day `to`.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Serialize, serde::Deserialize,
)]
pub struct MutationPeriod {
    /// The stand that the delivery continues.
    pub from: Date,
    /// The stand after the delivery.
    pub to: Date,
}

/// The header of a delivery.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum DeliveryHeader {
    /// The header of a stand, for `index build`.
    Stand {
        /// The StandTechnischeDatum. The stand has all registrations before this day.
        stand: Date,
        /// The area that the stand covers.
        area: Area,
    },
    /// The header of a mutation delivery, for `index apply`.
    Mutations {
        /// The days that the mutations cover.
        period: MutationPeriod,
        /// The area that the mutations cover.
        area: Area,
    },
}

impl std::fmt::Display for MutationPeriod {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} to {}", self.from, self.to)
    }
}

impl DeliveryHeader {
    /// Reads a Leveringsdocument.
    pub(crate) fn read(file: &str, bytes: &[u8]) -> Result<Self, XmlError> {
        XmlReader::read_document(file, bytes, |xml, root| {
            if root != "BAG-Extract-Levering" {
                return Err(xml.error(format!(
                    "root <{root}> where <BAG-Extract-Levering> is expected"
                )));
            }
            let (mut stand, mut period, mut area) = (None, None, None);
            xml.for_each_child(|xml, name| match name {
                "SelectieGegevens" => xml.for_each_child(|xml, name| match name {
                    "LVC-Extract" => read_stand_date(xml, &mut stand),
                    "APD-Extract" => Err(xml.error(
                        "an extract of one moment (APD-Extract, the variant Actueel or Peildatum); it lacks the versions that \
                         mutations continue. Order the variant Levenscyclus, or take lvbag-extract-nl.zip",
                    )),
                    "MUT-Extract" => {
                        period = Some(MutationPeriod::read(xml)?);
                        Ok(())
                    }
                    "Gebied-Registratief" => read_area(xml, &mut area),
                    _ => xml.skip(),
                }),
                _ => xml.skip(),
            })?;
            let area = xml.required(area, "Gebied-Registratief")?;
            if let (Some(stand), Some(period)) = (stand, period) {
                return Err(xml.error(format!(
                    "it has both an LVC-Extract (an extract, {stand}) and a MUT-Extract (mutations, {period}), and a delivery is one of the \
                     two; download or order it again"
                )));
            }
            Ok(match period {
                Some(period) => Self::Mutations { period, area },
                None => Self::Stand {
                    stand: xml.required(stand, "StandTechnischeDatum")?,
                    area,
                },
            })
        })
    }
}

impl MutationPeriod {
    /// Reads a `MUT-Extract`.
    pub(crate) fn read(xml: &mut XmlReader<'_>) -> Result<Self, XmlError> {
        let (mut from, mut to) = (None, None);
        xml.for_each_child(|xml, name| match name {
            "Mutatieperiode" => xml.for_each_child(|xml, name| {
                match name {
                    "MutatiedatumVanaf" => from = Some(xml.parse::<XmlDate>()?.0),
                    "MutatiedatumTot" => to = Some(xml.parse::<XmlDate>()?.0),
                    _ => xml.skip()?,
                }
                Ok(())
            }),
            _ => xml.skip(),
        })?;
        let from: Date = xml.required(from, "MutatiedatumVanaf")?;
        let to: Date = xml.required(to, "MutatiedatumTot")?;
        if to <= from {
            return Err(xml.error(format!(
                "mutations from {from} to {to}; a period must end after the day on which it begins"
            )));
        }
        Ok(Self { from, to })
    }
}

/// Reads the `StandTechnischeDatum` in an `LVC-Extract`.
pub(crate) fn read_stand_date(
    xml: &mut XmlReader<'_>,
    stand: &mut Option<Date>,
) -> Result<(), XmlError> {
    xml.for_each_child(|xml, name| {
        match name {
            "StandTechnischeDatum" => *stand = Some(xml.parse::<XmlDate>()?.0),
            _ => xml.skip()?,
        }
        Ok(())
    })
}

/// Reads a `Gebied-Registratief`.
pub(crate) fn read_area(xml: &mut XmlReader<'_>, area: &mut Option<Area>) -> Result<(), XmlError> {
    xml.for_each_child(|xml, name| match name {
        "Gebied-NLD" => {
            *area = Some(Area::Country);
            xml.skip()
        }
        "Gebied-GEM" => {
            let mut codes = Vec::new();
            read_gemeente_codes(xml, &mut codes)?;
            codes.sort_unstable();
            codes.dedup();
            if codes.is_empty() {
                return Err(xml.error("Gebied-GEM names no municipality"));
            }
            *area = Some(Area::Municipalities(codes));
            Ok(())
        }
        _ => xml.skip(),
    })
}

/// Reads every `GemeenteIdentificatie` in the current element.
fn read_gemeente_codes(
    xml: &mut XmlReader<'_>,
    codes: &mut Vec<GemeenteCode>,
) -> Result<(), XmlError> {
    xml.for_each_child(|xml, name| match name {
        "GemeenteIdentificatie" => {
            codes.push(xml.parse()?);
            Ok(())
        }
        "GemeenteCollectie" | "Gemeente" => read_gemeente_codes(xml, codes),
        _ => xml.skip(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_header_of_a_stand_and_of_mutations_is_refused() {
        let header = "<BAG-Extract-Levering><SelectieGegevens><LVC-Extract><StandTechnischeDatum>2021-09-15</StandTechnischeDatum>\
                      </LVC-Extract><MUT-Extract><Mutatieperiode><MutatiedatumVanaf>2021-08-15</MutatiedatumVanaf><MutatiedatumTot>\
                      2021-09-15</MutatiedatumTot></Mutatieperiode></MUT-Extract><Gebied-Registratief><Gebied-NLD/>\
                      </Gebied-Registratief></SelectieGegevens></BAG-Extract-Levering>";
        let error = DeliveryHeader::read("header.xml", header.as_bytes()).expect_err("both");
        let text = error.to_string();
        assert!(text.contains("header.xml"), "{text}");
        let both = "it has both an LVC-Extract (an extract, 2021-09-15) and a MUT-Extract (mutations, 2021-08-15 to 2021-09-15)";
        assert!(text.contains(both), "{text}");
    }

    #[test]
    fn a_time_zone_after_a_date_is_ignored() {
        let period = "<MUT-Extract><Mutatieperiode><MutatiedatumVanaf>2021-09-15+02:00</MutatiedatumVanaf>\
                      <MutatiedatumTot>2021-09-16Z</MutatiedatumTot></Mutatieperiode></MUT-Extract>";
        let header = format!(
            "<BAG-Extract-Levering><SelectieGegevens>{period}<Gebied-Registratief><Gebied-NLD/></Gebied-Registratief>\
             </SelectieGegevens></BAG-Extract-Levering>"
        );
        let day = |text: &str| text.parse::<Date>().expect("a date");
        let expected = DeliveryHeader::Mutations {
            period: MutationPeriod {
                from: day("2021-09-15"),
                to: day("2021-09-16"),
            },
            area: Area::Country,
        };
        let read = DeliveryHeader::read("header.xml", header.as_bytes());
        assert_eq!(read.expect("a header"), expected);
    }
}
