//! Records the unusual counts of an applied delivery: in the metrics, and in the log if parts of the delivery were left out.

use std::io;
use std::path::PathBuf;

use serde_json::Value;

use super::metrics;
use crate::cli::index::delivery_indexer::DeliveryFindings;

/// Records the findings of each generation once.
#[derive(Default)]
pub(super) struct FindingsLog {
    /// The last generation with recorded findings. `None` before the first.
    generation: Option<Value>,
}

impl FindingsLog {
    /// Records the findings in the report of a delivery. `moved` is the path of the delivery in the folder of applied deliveries, with the
    /// report beside it; `None` or an error if the delivery was not moved.
    pub(super) fn record(
        &mut self,
        file: &str,
        report: &Value,
        moved: &io::Result<Option<PathBuf>>,
    ) {
        // A repeat has the report of the served generation if that generation was made from it. Its findings are recorded already, unless
        // the process was killed before it moved the delivery.
        if let Some(report) = report.get("report")
            && self.generation.as_ref() != Some(&report["generation"])
        {
            self.generation = Some(report["generation"].clone());
            record_findings(file, report, moved);
        }
    }
}

/// Adds the unusual counts in the report of a generation to the metrics. If records were left out, municipalities are unknown or
/// the delivery lacks the municipalities of the towns, logs this and the path of the delivery.
fn record_findings(file: &str, report: &Value, moved: &io::Result<Option<PathBuf>>) {
    let findings = DeliveryFindings::from_report(report);
    metrics::add_findings(findings);
    let (rejected_records, lacks_relations) = (findings.rejected_records, findings.lacks_relations);
    let unknown_municipalities = findings.unknown_municipalities;
    if rejected_records == 0 && unknown_municipalities == 0 && !lacks_relations {
        return;
    }
    let moved_to = moved.as_ref().ok().and_then(Option::as_ref);
    let moved_to = moved_to.map(|path| path.display());
    tracing::warn!(
        file,
        rejected_records,
        rejected_values = findings.rejected_values,
        unknown_municipalities,
        lacks_relations,
        moved_to = moved_to.map(tracing::field::display),
        "delivery applied, but invalid records were left out, municipalities are not in the table, or the delivery lacks the municipalities \
         of the towns (GEM-WPL-RELATIE); see the report beside the delivery"
    );
}
