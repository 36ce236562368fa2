//! Defines the report of a build, and writes it as text.

use std::fmt;

use jiff::civil::Date;
use postduif_schema::{Area, GenerationName};
use serde::Serialize;

use crate::assemble::LeftOutCounts;
use crate::extract::StandReadCounts;
use crate::report::{LeftOutSummary, write_towns_without_relation, write_unknown_municipalities};
use crate::resource_usage::ResourceUsage;

/// The report of a build.
#[derive(Debug, Clone, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct BuildReport {
    /// The new generation.
    pub generation: GenerationName,
    /// The generation holds the state of the register on this day.
    pub stand: Date,
    /// The area that the generation covers.
    pub area: Area,
    /// What the delivery contains.
    pub read: StandReadCounts,
    /// Addresses in the generation, post-office boxes included.
    pub addresses: u64,
    /// Post-office boxes among the addresses.
    pub po_boxes: u64,
    /// Addresses without a location, or with a location outside the country. Post-office boxes are not counted.
    pub without_location: u64,
    /// References to panden that the delivery does not have.
    pub missing_panden: u64,
    /// Nummeraanduidingen that make no address, by reason.
    pub left_out: LeftOutCounts,
    /// Designated towns for which no row of the gemeente-woonplaats table holds. They keep their last municipality.
    pub towns_without_relation: Vec<String>,
    /// Municipalities that the table of municipalities lacks. Their towns keep their former municipality.
    pub unknown_municipalities: Vec<String>,
    /// Municipalities that the table of municipalities lacks, and that have a town without a known former municipality. The addresses of
    /// such a town are left out.
    pub unknown_municipalities_without_former: Vec<String>,
    /// Time and memory. The `report.json` in the generation does not have these values, because it is written before the build ends.
    #[serde(flatten, skip_serializing_if = "Option::is_none")]
    pub resource_usage: Option<ResourceUsage<BuildSeconds>>,
    /// Whether the register before was built with a table of municipalities of the operator, and this one was not.
    #[serde(skip)]
    pub drops_municipality_table: bool,
}

/// Wall-clock seconds by step. Index and register are written in parallel.
#[derive(Debug, Default, Clone, Copy, Serialize)]
pub struct BuildSeconds {
    /// Reading the delivery.
    pub read: f64,
    /// Writing index and register.
    pub write: f64,
    /// Checking and publishing.
    pub publish: f64,
    /// All steps.
    pub total: f64,
}

impl fmt::Display for BuildReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (generation, stand) = (self.generation, self.stand);
        writeln!(
            f,
            "generation {generation} of {}, stand {stand}\n",
            self.area
        )?;
        write!(f, "{}", self.read)?;
        writeln!(
            f,
            "\n{} addresses, {} of them post-office boxes",
            self.addresses, self.po_boxes
        )?;
        for (count, label) in [
            (
                self.without_location,
                "without a location, or with one outside the country",
            ),
            (
                self.missing_panden,
                "references to panden that the delivery does not have",
            ),
        ] {
            if count > 0 {
                writeln!(f, "  {count} {label}")?;
            }
        }
        write!(f, "{}", LeftOutSummary(&self.left_out))?;
        write_unknown_municipalities(
            f,
            &self.unknown_municipalities,
            &self.unknown_municipalities_without_former,
        )?;
        write_towns_without_relation(f, &self.towns_without_relation)?;
        self.resource_usage
            .iter()
            .try_for_each(|usage| write!(f, "\n{usage}"))
    }
}

impl fmt::Display for BuildSeconds {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            read,
            write,
            publish,
            total,
        } = self;
        write!(
            f,
            "{total:.1} s: read {read:.1}, write {write:.1}, check and publish {publish:.1}"
        )
    }
}
