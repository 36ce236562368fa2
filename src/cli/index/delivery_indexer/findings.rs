//! Collects the unusual counts of an applied delivery.

use serde_json::Value;

/// Unusual counts of an applied delivery. The report of the delivery has the details.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
pub(crate) struct DeliveryFindings {
    /// Invalid records, counted only if they are in force. They were not used.
    pub(crate) rejected_records: u64,
    /// Invalid values, counted only in records that are in force. The values were not used.
    pub(crate) rejected_values: u64,
    /// Versions of objects that have another state in the register than the earlier state that the delivery gives for them.
    pub(crate) version_mismatches: u64,
    /// Documents that are full although they are the last of their kind in the delivery. After each of them, a further document may
    /// be missing.
    pub(crate) full_last_documents: u64,
    /// Municipalities that are missing from the table of municipalities.
    pub(crate) unknown_municipalities: u64,
    /// Whether the delivery has no table with the municipality of each town.
    pub(crate) lacks_relations: bool,
}

impl DeliveryFindings {
    /// The counts in the JSON report of a build or of an applied delivery. A field that the report lacks counts as empty.
    pub(crate) fn from_report(report: &Value) -> Self {
        // The report of a build has the counts of the delivery in `read`.
        let delivery = match &report["issues"] {
            Value::Null => &report["read"],
            _ => report,
        };
        let count_issues = |effect: &str| {
            let issues = delivery["issues"].as_array().into_iter().flatten();
            let of_effect = issues.filter(|issue| issue["effect"] == effect);
            of_effect.filter_map(|issue| issue["count"].as_u64()).sum()
        };
        let len = |list: &Value| list.as_array().map_or(0, |list| list.len() as u64);
        Self {
            rejected_records: count_issues("rejected"),
            rejected_values: count_issues("nulled"),
            version_mismatches: report["versionMismatches"]["count"].as_u64().unwrap_or(0),
            full_last_documents: len(&delivery["fullLastDocuments"]),
            unknown_municipalities: len(&report["unknownMunicipalities"])
                + len(&report["unknownMunicipalitiesWithoutFormer"]),
            lacks_relations: report["lacksRelations"] == true,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn the_reports_of_a_build_and_of_a_delivery_give_the_counts() {
        let issues = json!([
            { "effect": "rejected", "count": 2 }, { "effect": "nulled", "count": 3 },
            { "effect": "rejected", "count": 4 }, { "effect": "kept", "count": 9 },
        ]);
        let delivery = json!({
            "read": { "added": 1 }, "issues": issues, "fullLastDocuments": ["a.xml"], "versionMismatches": { "count": 5 },
            "unknownMunicipalities": ["0457"], "unknownMunicipalitiesWithoutFormer": ["0001", "0002"], "lacksRelations": true,
        });
        let expected = DeliveryFindings {
            rejected_records: 6,
            rejected_values: 3,
            version_mismatches: 5,
            full_last_documents: 1,
            unknown_municipalities: 3,
            lacks_relations: true,
        };
        assert_eq!(DeliveryFindings::from_report(&delivery), expected);
        let build = json!({
            "read": { "issues": issues, "fullLastDocuments": ["a.xml"] },
            "unknownMunicipalities": ["0457"], "unknownMunicipalitiesWithoutFormer": ["0001", "0002"],
        });
        let expected = DeliveryFindings {
            version_mismatches: 0,
            lacks_relations: false,
            ..expected
        };
        assert_eq!(DeliveryFindings::from_report(&build), expected);
        assert_eq!(
            DeliveryFindings::from_report(&json!({})),
            DeliveryFindings::default()
        );
    }
}
