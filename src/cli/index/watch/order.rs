//! Chooses the next delivery to process. The order in which deliveries arrived does not matter.

use jiff::civil::Date;
use postduif_indexer::{DeliveryHeader, MutationPeriod};
use postduif_schema::Area;
use serde_json::{Value, json};

use crate::cli::index::delivery_indexer::RegisterCoverage;

/// The action that a delivery needs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum DeliveryAction {
    /// Build a new register from the delivery.
    Build,
    /// Apply the mutations. The register may already have them.
    Apply,
    /// Do nothing, because the delivery is a stand that is not newer than the register.
    Repeat { register_stand: Date },
    /// Reject the delivery, because it is an extract of another area than that of the register.
    OtherArea { area: Area, register_area: Area },
}

/// The index of the next delivery, and what to do with the delivery. `None` if all deliveries must wait for a missing one.
///
/// The newest stand comes first, because it contains all earlier mutations, which then count as repeats. Mutations follow in the order of
/// their periods. The next mutation is chosen only if it continues the register.
pub(super) fn next_delivery(
    register: Option<&RegisterCoverage>,
    deliveries: &[&DeliveryHeader],
) -> Option<(usize, DeliveryAction)> {
    let stands = deliveries
        .iter()
        .enumerate()
        .filter_map(|(index, header)| match header {
            DeliveryHeader::Stand { stand, area } => Some((index, *stand, area)),
            DeliveryHeader::Mutations { .. } => None,
        });
    // `max_by_key` returns the last of equal stands, so `rev` makes it return the first one.
    if let Some((index, stand, area)) = stands.rev().max_by_key(|(_, stand, _)| *stand) {
        return Some((index, stand_action(register, stand, area)));
    }
    let stand = register?.stand;
    let mutations = deliveries.iter().enumerate();
    mutations
        .filter_map(|(index, header)| Some((mutation_period(header)?, index)))
        .min()
        .filter(|(period, _)| period.from <= stand)
        .map(|(_, index)| (index, DeliveryAction::Apply))
}

fn stand_action(register: Option<&RegisterCoverage>, stand: Date, area: &Area) -> DeliveryAction {
    match register {
        Some(register) if register.area != *area => DeliveryAction::OtherArea {
            area: area.clone(),
            register_area: register.area.clone(),
        },
        Some(register) if stand <= register.stand => DeliveryAction::Repeat {
            register_stand: register.stand,
        },
        _ => DeliveryAction::Build,
    }
}

fn mutation_period(delivery: &DeliveryHeader) -> Option<MutationPeriod> {
    match delivery {
        DeliveryHeader::Mutations { period, .. } => Some(*period),
        DeliveryHeader::Stand { .. } => None,
    }
}

/// Says why a delivery must wait.
pub(super) fn early_reason(
    register: Option<&RegisterCoverage>,
    is_register_unusable: bool,
    delivery: &DeliveryHeader,
) -> String {
    match (register, mutation_period(delivery)) {
        _ if is_register_unusable => {
            "the register is unusable; this delivery waits for an extract, which will replace the register"
                .into()
        }
        (Some(register), Some(period)) => format!(
            "the delivery begins at {}, but the register is of {}; the deliveries from {} to {} are missing",
            period.from, register.stand, register.stand, period.from
        ),
        _ => "there is no register yet; the delivery waits for an extract".into(),
    }
}

/// The report of a delivery that the register already has. If `served_report`, the report of the served generation, is about this delivery,
/// it is included: a process that was killed before it moved the delivery has not reported it.
pub(super) fn repeat_report(
    file: &str,
    stand: Date,
    header: &DeliveryHeader,
    served_report: Option<Value>,
) -> Value {
    let stand = stand.to_string();
    let reason = repeat_reason(header, &stand);
    let mut report =
        json!({ "delivery": file, "outcome": "repeat", "stand": stand, "reason": reason });
    if let Some(served) = served_report.filter(|served| is_report_of(served, header)) {
        report["report"] = served;
    }
    report
}

fn is_report_of(report: &Value, header: &DeliveryHeader) -> bool {
    let is_day = |field: &str, day: Date| report[field] == day.to_string();
    match header {
        DeliveryHeader::Mutations { period, .. } => {
            is_day("from", period.from) && is_day("to", period.to)
        }
        DeliveryHeader::Stand { stand, .. } => is_day("stand", *stand),
    }
}

/// Says why a delivery that the register already has is not applied.
fn repeat_reason(delivery: &DeliveryHeader, register_stand: &str) -> String {
    match delivery {
        DeliveryHeader::Mutations { .. } => {
            format!("the register is of {register_stand} and already has this delivery")
        }
        DeliveryHeader::Stand { stand, .. } => format!(
            "it is the stand of {stand}, and the register is of {register_stand}, so the register has the same or newer records. To \
             rebuild the register from this stand, pass the delivery to `postduif index build --extract`"
        ),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn day(day: i8) -> Date {
        jiff::civil::date(2026, 1, day)
    }

    fn stand(day_of_month: i8) -> DeliveryHeader {
        DeliveryHeader::Stand {
            stand: day(day_of_month),
            area: Area::Country,
        }
    }

    fn mutations(from: i8, to: i8) -> DeliveryHeader {
        DeliveryHeader::Mutations {
            period: MutationPeriod {
                from: day(from),
                to: day(to),
            },
            area: Area::Country,
        }
    }

    fn register(stand: i8) -> RegisterCoverage {
        RegisterCoverage {
            stand: day(stand),
            area: Area::Country,
        }
    }

    #[test]
    #[rustfmt::skip]
    fn the_newest_stand_comes_first_and_mutations_follow_by_period() {
        #[track_caller]
        fn case(
            register: Option<RegisterCoverage>,
            deliveries: &[DeliveryHeader],
            expected: Option<(usize, DeliveryAction)>,
        ) {
            let deliveries: Vec<&DeliveryHeader> = deliveries.iter().collect();
            assert_eq!(next_delivery(register.as_ref(), &deliveries), expected);
        }
        let apply = |index| Some((index, DeliveryAction::Apply));
        let build = |index| Some((index, DeliveryAction::Build));
        case(None, &[], None);
        case(Some(register(8)), &[], None);
        case(None, &[mutations(8, 9)], None);
        case(None, &[mutations(8, 9), stand(8)], build(1));
        case(Some(register(8)), &[mutations(9, 10), mutations(8, 9)], apply(1));
        case(Some(register(8)), &[mutations(9, 10)], None);
        case(Some(register(9)), &[mutations(9, 10), mutations(7, 8)], apply(1));
        case(Some(register(9)), &[mutations(8, 10)], apply(0));
        case(Some(register(8)), &[mutations(8, 9), stand(20), stand(15)], build(1));
        let repeat = DeliveryAction::Repeat { register_stand: day(20) };
        case(Some(register(20)), &[mutations(20, 21), stand(15)], Some((1, repeat.clone())));
        case(Some(register(20)), &[stand(20)], Some((0, repeat)));
    }

    #[test]
    fn a_stand_of_another_area_does_not_replace_the_register() {
        let weesp = Area::Municipalities(vec!["0457".parse().expect("a code")]);
        let of_weesp = DeliveryHeader::Stand {
            stand: day(20),
            area: weesp.clone(),
        };
        let other = DeliveryAction::OtherArea {
            area: weesp,
            register_area: Area::Country,
        };
        for register in [register(8), register(20), register(30)] {
            let expected = Some((0, other.clone()));
            assert_eq!(
                next_delivery(Some(&register), &[&of_weesp]),
                expected,
                "{register:?}"
            );
        }
        assert_eq!(
            next_delivery(None, &[&of_weesp]),
            Some((0, DeliveryAction::Build))
        );
    }

    #[test]
    fn the_reason_why_a_delivery_waits_names_both_days() {
        let reason = early_reason(Some(&register(8)), false, &mutations(10, 11));
        assert!(
            reason.contains("2026-01-10") && reason.contains("2026-01-08"),
            "{reason}"
        );
    }
}
