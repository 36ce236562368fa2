//! A made-up country, or town, in the exact format of a BAG 2.0 delivery: the same one for the same [`Spec`], byte by byte, streamed at any size.
//!
//! It owns the plan (towns, streets, numbers), the XML, and the ground truth: [`expected()`] tells the addresses that a service must have after reading
//! the delivery, from the plan and not from the XML. It is full of what real registers hold: history, dates in the future, withdrawn and planned
//! objects, shared and missing numbers, letters and additions of every kind. Names of towns and streets, and all addresses, are made up; municipality
//! codes are real. It refuses to make nothing, or more than the country holds.
//!
//! Source: the BAG 2.0 schemas v20200601, and the layout of real deliveries of 2020 to 2026.

mod archive;
mod aside;
mod calendar;
mod country;
mod dead;
mod delivery;
mod elements;
mod expected;
mod facts;
mod history;
mod homes;
mod land;
mod municipality;
mod mutations;
mod names;
mod objects;
mod oddities;
mod pages;
mod places;
mod record;
mod rng;
mod shape;
mod shared;
mod sizes;
mod street;
mod text;
mod times;
mod woonplaatsen;
mod words;

#[cfg(test)]
mod tests;

pub use expected::{ExpectedAddress, expected};
pub use mutations::{
    Deliveries, DeliveriesSummary, MOST_CHANGES, MOST_DAYS, expected_after, expected_on,
    write_after, write_deliveries,
};
pub use names::{BadStreetNames, StreetNames};
pub use record::ObjectKind;

use country::Country;
use jiff::civil::{Date, date};
use mutations::Register;
use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

/// The most addresses of a made-up country; the Netherlands has some ten million.
pub const MOST_ADDRESSES: u64 = 12_000_000;

/// How a delivery is laid out.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Layout {
    /// The whole country, up to 2 500 towns in all municipalities; to be named `BAGNLDL-<ddmmyyyy>.zip`.
    National,
    /// One municipality, Woudenberg (0351), of up to forty towns; to be named `BAGGEM0351L-<ddmmyyyy>.zip`.
    Municipal,
}

/// What to make. Two equal specs make equal deliveries.
#[derive(Clone, Debug)]
pub struct Spec {
    addresses: u64,
    seed: u64,
    layout: Layout,
    stand: Date,
    names: Option<StreetNames>,
}

/// Why a [`Spec`] was refused.
#[derive(Debug, thiserror::Error, PartialEq, Eq)]
pub enum BadSpec {
    /// None, or too many addresses.
    #[error("cannot make {0} addresses; expected 1 to {MOST_ADDRESSES}")]
    Addresses(u64),
    /// A stand day for which municipalities are not known.
    #[error("cannot make a delivery of {0}; expected a stand day from 2010-01-01 to 2100-12-31")]
    Stand(Date),
    /// No days of deliveries, or too many.
    #[error("cannot make {0} days of deliveries; expected 1 to {MOST_DAYS}")]
    Days(u32),
    /// No changes a day, or too many.
    #[error("cannot make {0} changes a day; expected 1 to {MOST_CHANGES}")]
    Changes(u32),
}

impl Spec {
    /// A national delivery of this many served addresses at the stand of 2026-01-08, with made-up street names.
    ///
    /// # Errors
    /// When `addresses` is 0 or more than [`MOST_ADDRESSES`].
    pub fn new(addresses: u64, seed: u64) -> Result<Self, BadSpec> {
        if !(1..=MOST_ADDRESSES).contains(&addresses) {
            return Err(BadSpec::Addresses(addresses));
        }
        Ok(Self {
            addresses,
            seed,
            layout: Layout::National,
            stand: date(2026, 1, 8),
            names: None,
        })
    }

    /// The same in another layout.
    #[must_use]
    pub fn with_layout(self, layout: Layout) -> Self {
        Self { layout, ..self }
    }

    /// The same at another stand day.
    ///
    /// # Errors
    /// When the day is before 2010 or after 2100.
    pub fn with_stand(self, stand: Date) -> Result<Self, BadSpec> {
        if (date(2010, 1, 1)..=date(2100, 12, 31)).contains(&stand) {
            Ok(Self { stand, ..self })
        } else {
            Err(BadSpec::Stand(stand))
        }
    }

    /// The same with streets named after this list.
    #[must_use]
    pub fn with_names(self, names: StreetNames) -> Self {
        Self {
            names: Some(names),
            ..self
        }
    }
}

/// How far the writing is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Progress {
    /// Addresses times passes that are written.
    pub done: u64,
    /// What `done` ends at.
    pub total: u64,
}

/// What a delivery holds.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Summary {
    /// Addresses that a service must have: as many as asked for.
    pub served: u64,
    /// Live nummeraanduidingen of live objects that have no postcode.
    pub without_postcode: u64,
    /// References of live objects to a withdrawn nummeraanduiding, as hoofdadres or nevenadres.
    pub withdrawn: u64,
    /// Voorkomens in the main files, by the three letters of the object type (`WPL`, `OPR`, `NUM`, `VBO`, `LIG`, `STA`, `PND`).
    pub voorkomens: Vec<(&'static str, u64)>,
    /// Bytes of XML, before they are compressed.
    pub xml_bytes: u64,
}

/// Why a delivery could not be written.
#[derive(Debug, thiserror::Error)]
#[error("cannot write the delivery {path:?}: {source}")]
pub struct SynthError {
    path: PathBuf,
    source: io::Error,
}

/// Writes the delivery to a file, which appears under its name only when it is whole.
///
/// `progress` is called after every street of every pass.
///
/// # Errors
/// When the file cannot be written; what was there under its name is then still there.
pub fn write(
    spec: &Spec,
    path: &Path,
    mut progress: impl FnMut(Progress),
) -> Result<Summary, SynthError> {
    whole_file(path, |out| write_to(spec, out, &mut progress))
}

/// Writes a file that appears under its name only when it is whole.
fn whole_file<T>(
    path: &Path,
    write: impl FnOnce(&mut dyn Write) -> io::Result<T>,
) -> Result<T, SynthError> {
    let mut partial = path.as_os_str().to_owned();
    partial.push(".part");
    let partial = PathBuf::from(partial);
    let written =
        write_file(&partial, write).and_then(|told| std::fs::rename(&partial, path).map(|()| told));
    written.map_err(|source| {
        // What is left of it may not be there at all; the first error is the one to tell.
        drop(std::fs::remove_file(&partial));
        SynthError {
            path: path.to_owned(),
            source,
        }
    })
}

fn write_file<T>(
    path: &Path,
    write: impl FnOnce(&mut dyn Write) -> io::Result<T>,
) -> io::Result<T> {
    let mut out = BufWriter::with_capacity(1 << 18, File::create(path)?);
    let told = write(&mut out)?;
    out.into_inner()?.sync_all()?;
    Ok(told)
}

fn write_to(
    spec: &Spec,
    out: &mut dyn Write,
    progress: &mut dyn FnMut(Progress),
) -> io::Result<Summary> {
    let country = Country::of(spec);
    delivery::write(&country, &Register::of(&country), out, progress)
}
