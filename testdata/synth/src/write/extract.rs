//! Writes the extract of the stand day, and lists its expected addresses.

use super::extract_writer::{ExtractSummary, write_register};
use super::progress::SynthProgress;
use super::whole_file::{SynthError, write_whole_file};
use crate::model::ExpectedAddress;
use crate::plan::CountryPlan;
use crate::register::SynthRegister;
use crate::spec::Spec;
use crate::streets::{BuiltStreet, ServedAddress, build_street};
use std::io::{self, Write};
use std::path::Path;

/// Writes the extract to a file, which gets its final name once it is complete.
///
/// Calls `progress` after every street of every pass.
///
/// # Errors
/// When the file cannot be written. An existing file of the same name then stays unchanged.
pub fn write_extract(
    spec: &Spec,
    path: &Path,
    mut progress: impl FnMut(SynthProgress),
) -> Result<ExtractSummary, SynthError> {
    write_whole_file(path, |out| write_extract_to(spec, out, &mut progress))
}

pub(crate) fn write_extract_to(
    spec: &Spec,
    out: &mut dyn Write,
    progress: &mut dyn FnMut(SynthProgress),
) -> io::Result<ExtractSummary> {
    let country = CountryPlan::new(spec);
    write_register(&country, &SynthRegister::new(&country), out, progress)
}

/// All addresses that must be served on the stand day, in the order of the plan: town by town, street by street.
pub fn expected_addresses(spec: &Spec) -> impl Iterator<Item = ExpectedAddress> {
    let country = CountryPlan::new(spec);
    let streets: Vec<_> = country.streets().collect();
    streets.into_iter().flat_map(move |plan| {
        let street = build_street(&country, &plan);
        let addresses: Vec<_> = street
            .served
            .iter()
            .map(|served| expected_address(&country, &street, &plan.name, served))
            .collect();
        addresses
    })
}

fn expected_address(
    country: &CountryPlan<'_>,
    street: &BuiltStreet,
    street_name: &str,
    served: &ServedAddress,
) -> ExpectedAddress {
    let number = &street.nummeraanduidingen[served.number];
    let town = &country.towns[served.town];
    ExpectedAddress {
        id: number.id.to_string(),
        postcode: served.postcode.to_string(),
        number: number.number,
        letter: number.letter,
        addition: number.addition.clone(),
        street: street_name.to_owned(),
        city: town.name.clone(),
        municipality_code: format!("{:04}", town.municipality),
        rd_x_mm: served.location.x,
        rd_y_mm: served.location.y,
        purposes: served.purposes.names().collect(),
        surface_m2: served.surface_m2,
        construction_year: served.year,
        kind: served.kind,
        planned: served.planned,
    }
}
