//! Writes the records outside the main files, which a service must not load: annulled voorkomens (Inactief), voorkomens that do not
//! belong in the register (NietBag), and investigations (InOnderzoek). Their identificaties also occur in the main files, and some
//! records look open.

use crate::calendar::{DayOffset, LocalMoment};
use crate::geometry::ObjectGeometry;
use crate::model::{BagRecord, Onderzoek, SynthObjectType, VoorkomenMark};
use crate::plan::{CountryPlan, STREETS_WITH_EXTRA_RECORDS, has_mark};
use crate::streets::{BuiltStreet, build_street};
use crate::xml::ObjectFiles;
use std::io;

/// Writes the marked voorkomens of one type.
pub(crate) fn write_marked_voorkomens(
    country: &CountryPlan<'_>,
    object_type: SynthObjectType,
    mark: VoorkomenMark,
    files: &mut ObjectFiles<'_, '_, '_>,
) -> io::Result<()> {
    for plan in country
        .streets()
        .take(STREETS_WITH_EXTRA_RECORDS)
        .filter(|plan| has_mark(plan, mark))
    {
        let mut street = build_street(country, &plan);
        distort(&mut street);
        match object_type {
            SynthObjectType::Woonplaats => {}
            SynthObjectType::OpenbareRuimte => {
                write_last(std::slice::from_ref(&street.openbare_ruimte), mark, files)?;
            }
            SynthObjectType::Nummeraanduiding => {
                write_last(&street.nummeraanduidingen, mark, files)?;
            }
            SynthObjectType::Verblijfsobject => write_last(&street.verblijfsobjecten, mark, files)?,
            SynthObjectType::Ligplaats | SynthObjectType::Standplaats => {
                write_last(&street.plaatsen, mark, files)?;
            }
            SynthObjectType::Pand => write_last(&street.panden, mark, files)?,
        }
    }
    Ok(())
}

/// Writes the last voorkomen of each of the first two records again, with a mark.
fn write_last(
    records: &[impl BagRecord],
    mark: VoorkomenMark,
    files: &mut ObjectFiles<'_, '_, '_>,
) -> io::Result<()> {
    records.iter().take(2).try_for_each(|record| {
        let last = record.voorkomen(record.voorkomens() - 1, mark);
        files.write_voorkomen(record.id(), &last)
    })
}

/// Makes the records of a street wrong, so that a service that loads these records fails its tests.
fn distort(street: &mut BuiltStreet) {
    street.openbare_ruimte.kind = "Terrein";
    for number in &mut street.nummeraanduidingen {
        number.number = 77_777;
    }
    for object in &mut street.verblijfsobjecten {
        let location = object.geometry.centroid().plus(1_000_000, 1_000_000);
        object.geometry = ObjectGeometry::Point(location);
    }
    for plaats in &mut street.plaatsen {
        plaats.geometry = ObjectGeometry::LShape {
            at: plaats.geometry.centroid().plus(1_000_000, 0),
            unit: 1_000,
        };
    }
}

/// Writes the records of the planned investigations of one type. All these investigations are closed.
pub(crate) fn write_planned_onderzoeken(
    country: &CountryPlan<'_>,
    object_type: SynthObjectType,
    files: &mut ObjectFiles<'_, '_, '_>,
) -> io::Result<()> {
    let [opened, closed] = [-1_100, -1_060].map(|day| LocalMoment {
        day: DayOffset(day),
        ms: 36_000_123,
    });
    for plan in country
        .streets()
        .take(STREETS_WITH_EXTRA_RECORDS)
        .filter(|plan| plan.index % 5 == 2)
    {
        let street = build_street(country, &plan);
        let id = match object_type {
            SynthObjectType::OpenbareRuimte => Some(street.openbare_ruimte.id),
            SynthObjectType::Nummeraanduiding => {
                street.nummeraanduidingen.first().map(|record| record.id)
            }
            SynthObjectType::Verblijfsobject => {
                street.verblijfsobjecten.first().map(|record| record.id)
            }
            SynthObjectType::Pand => street.panden.first().map(|record| record.id),
            SynthObjectType::Woonplaats
            | SynthObjectType::Ligplaats
            | SynthObjectType::Standplaats => None,
        };
        let Some(id) = id else { continue };
        let onderzoek = Onderzoek {
            id,
            opened,
            closed: Some(closed),
        };
        for record in onderzoek.records() {
            files.write_onderzoek(&record)?;
        }
    }
    Ok(())
}
