//! The days after the stand day: daily deliveries of mutations beside the extract, and the state that they end in.
//!
//! A run goes from day to day. It changes a register in memory, of which only the streets that are touched are kept, and tells every change as the group
//! of mutations that a real delivery has for it: the extract of any day is written from that register, and so is what must be served then.

mod editor;
mod message;
mod notes;
mod object;
mod register;
mod run;
mod shapes;
mod truth;

pub(super) use super::mutations::object::Object;
pub(super) use super::mutations::register::Register;
pub(super) use super::mutations::truth::{Truth, Woonplaatsen};

use super::calendar::Day;
use super::country::Country;
use super::expected::ExpectedAddress;
use super::street::Street;
use super::{BadSpec, Layout, Progress, Spec, Summary, SynthError, delivery, whole_file};
use message::Message;
use object::Book;
use run::Run;
use std::collections::BTreeMap;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// The most days of deliveries after one extract.
pub const MOST_DAYS: u32 = 366;
/// The most groups that a day is asked to have.
pub const MOST_CHANGES: u32 = 1_000_000;
/// The fewest groups that a day has when nothing else is asked for.
const FEWEST_CHANGES: u32 = 40;
/// Without an order, one group for so many addresses.
const ADDRESSES_A_CHANGE: u64 = 200;

/// How many days of mutations to make, and how much on each. Equal ones make equal deliveries after equal specs.
#[derive(Clone, Copy, Debug)]
pub struct Deliveries {
    days: u32,
    changes: Option<u32>,
}

impl Deliveries {
    /// So many daily deliveries, of one change for every 200 addresses, and of at least 40.
    ///
    /// # Errors
    /// When `days` is 0 or more than [`MOST_DAYS`].
    pub fn new(days: u32) -> Result<Self, BadSpec> {
        if (1..=MOST_DAYS).contains(&days) {
            Ok(Self {
                days,
                changes: None,
            })
        } else {
            Err(BadSpec::Days(days))
        }
    }

    /// The same of about this many changes each; a day in seven has none, and few days have less than one of each shape.
    ///
    /// # Errors
    /// When `changes` is 0 or more than [`MOST_CHANGES`].
    pub fn with_changes(self, changes: u32) -> Result<Self, BadSpec> {
        if (1..=MOST_CHANGES).contains(&changes) {
            Ok(Self {
                changes: Some(changes),
                ..self
            })
        } else {
            Err(BadSpec::Changes(changes))
        }
    }

    /// How many days.
    #[must_use]
    pub fn days(&self) -> u32 {
        self.days
    }

    fn changes_of(&self, spec: &Spec) -> u32 {
        self.changes.unwrap_or_else(|| {
            u32::try_from(spec.addresses / ADDRESSES_A_CHANGE)
                .map_or(FEWEST_CHANGES, |changes| changes.max(FEWEST_CHANGES))
        })
    }

    fn last(&self) -> i32 {
        i32::try_from(self.days).expect("deliveries are of at most a year")
    }
}

/// What the deliveries hold, and the state after them.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct DeliveriesSummary {
    /// The deliveries, in the order of their days.
    pub deliveries: Vec<PathBuf>,
    /// How many groups of mutations each has.
    pub groups: Vec<u64>,
    /// How often each shape of change was made, by its name.
    pub shapes: BTreeMap<&'static str, u64>,
    /// Bytes of XML of all deliveries, before they are compressed.
    pub xml_bytes: u64,
    /// The extract of the last day.
    pub end: PathBuf,
    /// What that extract holds.
    pub end_summary: Summary,
    /// The addresses that must be served on that day, as JSON, one [`ExpectedAddress`] a line.
    pub expected: PathBuf,
}

/// Writes the daily deliveries into a folder, and beside them the extract of the day that they lead to and the addresses that must be served then.
///
/// `progress` is told of every day, and of every street of every pass over the last extract.
///
/// # Errors
/// When a file cannot be written.
pub fn write_deliveries(
    spec: &Spec,
    deliveries: &Deliveries,
    folder: &Path,
    mut progress: impl FnMut(Progress),
) -> Result<DeliveriesSummary, SynthError> {
    let country = Country::of(spec);
    let mut run = Run::new(&country, deliveries.changes_of(spec));
    let mut summary = DeliveriesSummary::default();
    for day in 1..=deliveries.last() {
        let told = run.next_day();
        let path = folder.join(delivery_name(&country, day));
        summary.groups.push(told.groups.len() as u64);
        let message = Message {
            country: &country,
            register: &run.register,
            told,
        };
        summary.xml_bytes += whole_file(&path, |out| message.write(out))?;
        summary.deliveries.push(path);
        progress(Progress {
            done: u64::from(day.unsigned_abs()),
            total: u64::from(deliveries.days),
        });
    }
    summary.end = folder.join(extract_name(&country, deliveries.last()));
    summary.end_summary = whole_file(&summary.end, |out| {
        delivery::write(&country, &run.register, out, &mut progress)
    })?;
    let date = delivery::date_of(&country, run.register.stand());
    summary.expected = folder.join(format!("expected-{date}.jsonl"));
    whole_file(&summary.expected, |out| {
        write_expected(&country, &run.register, out)
    })?;
    summary.shapes = run.done;
    Ok(summary)
}

fn write_expected(
    country: &Country<'_>,
    register: &Register,
    out: &mut dyn Write,
) -> io::Result<()> {
    let woonplaatsen = Woonplaatsen::on(register, register.stand());
    for index in 0..register.plans.len() {
        for address in truth_of(country, register, &woonplaatsen, index).addresses {
            serde_json::to_writer(&mut *out, &address)?;
            out.write_all(b"\n")?;
        }
    }
    Ok(())
}

fn delivery_name(country: &Country<'_>, day: i32) -> String {
    let [from, to] = [day - 1, day].map(|day| delivery::date_of(country, Day(day)));
    format!("BAGNLDM-{from}-{to}.zip")
}

fn extract_name(country: &Country<'_>, day: i32) -> String {
    let date = delivery::date_of(country, Day(day));
    match country.spec.layout {
        Layout::National => format!("BAGNLDL-{date}.zip"),
        Layout::Municipal => format!("BAGGEM{:04}L-{date}.zip", super::country::MUNICIPAL),
    }
}

/// Writes the extract of the day after so many of the deliveries: of the stand day itself when `day` is 0.
///
/// # Errors
/// When the file cannot be written.
pub fn write_after(
    spec: &Spec,
    deliveries: &Deliveries,
    day: u32,
    path: &Path,
    mut progress: impl FnMut(Progress),
) -> Result<Summary, SynthError> {
    let country = Country::of(spec);
    let register = after(&country, deliveries, day);
    whole_file(path, |out| {
        delivery::write(&country, &register, out, &mut progress)
    })
}

fn after(country: &Country<'_>, deliveries: &Deliveries, day: u32) -> Register {
    if day == 0 {
        return Register::of(country);
    }
    let mut run = Run::new(country, deliveries.changes_of(country.spec));
    for _ in 0..day {
        run.next_day();
    }
    run.register
}

/// All addresses that must be served after the last delivery, on the day that it leads to.
pub fn expected_after(
    spec: &Spec,
    deliveries: &Deliveries,
) -> impl Iterator<Item = ExpectedAddress> {
    expected_on(spec, deliveries, deliveries.days)
}

/// All addresses that must be served after so many of the deliveries, on the day that they lead to.
pub fn expected_on(
    spec: &Spec,
    deliveries: &Deliveries,
    day: u32,
) -> impl Iterator<Item = ExpectedAddress> {
    let country = Country::of(spec);
    let register = after(&country, deliveries, day);
    let woonplaatsen = Woonplaatsen::on(&register, register.stand());
    (0..register.plans.len())
        .flat_map(move |index| truth_of(&country, &register, &woonplaatsen, index).addresses)
}

/// The first delivery alone.
#[cfg(test)]
pub(super) fn first_delivery(spec: &Spec, deliveries: &Deliveries) -> Vec<u8> {
    let country = Country::of(spec);
    let mut run = Run::new(&country, deliveries.changes_of(spec));
    let told = run.next_day();
    let message = Message {
        country: &country,
        register: &run.register,
        told,
    };
    let mut out = Vec::new();
    message.write(&mut out).expect("memory can be written to");
    out
}

/// The names of all shapes that a run can count.
#[cfg(test)]
pub(super) fn shape_names() -> impl Iterator<Item = &'static str> {
    let of_a_street = shapes::SHAPES.into_iter().map(|(name, _)| name);
    of_a_street.chain(run::OTHERS)
}

/// What the street at this place comes to.
pub(super) fn truth_of(
    country: &Country<'_>,
    register: &Register,
    woonplaatsen: &Woonplaatsen,
    index: usize,
) -> Truth {
    if let Some(book) = register.books.get(&index) {
        return woonplaatsen.truth(&book.objects);
    }
    let plan = &register.plans[index];
    let book = Book::of(&Street::build(country, plan), register::numbers(plan));
    woonplaatsen.truth(&book.objects)
}
