//! Which of the deliveries that are there comes next, whatever the order in which they came.

use jiff::civil::Date;
use postduif_indexer::{DeliveryHeader, MutationPeriod};
use postduif_schema::Area;

use crate::cli::index::delivery_indexer::RegisterCoverage;

/// What is to be done with one delivery.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum DeliveryAction {
    /// Build anew from it.
    Build,
    /// Apply its mutations, or be told that the register has them.
    Apply,
    /// It is a stand that the register has already, or is newer than.
    Repeat { stand: Date, register_stand: Date },
    /// It is a stand of another area than the register's.
    OtherArea { area: Area, register_area: Area },
}

/// Which one is next, as its place in the list; none when all that is there must wait for one that is missing.
///
/// The newest stand goes first: the mutations before it are repeats then. Mutations follow in the order of their periods, as
/// far as each continues what the register holds.
pub(super) fn next_delivery(
    register: Option<&RegisterCoverage>,
    deliveries: &[&DeliveryHeader],
) -> Option<(usize, DeliveryAction)> {
    let newest = deliveries
        .iter()
        .enumerate()
        .filter_map(|(at, described)| match described {
            DeliveryHeader::Stand { stand, area } => Some((*stand, std::cmp::Reverse(at), area)),
            DeliveryHeader::Mutations { .. } => None,
        })
        .max_by_key(|(stand, at, _)| (*stand, *at));
    if let Some((stand, at, area)) = newest {
        return Some((at.0, stand_action(register, stand, area)));
    }
    let stand = register?.stand;
    let mutations = deliveries.iter().enumerate();
    mutations
        .filter_map(|(at, described)| Some((mutation_period(described)?, at)))
        .min()
        .filter(|(period, _)| period.from <= stand)
        .map(|(_, at)| (at, DeliveryAction::Apply))
}

fn stand_action(register: Option<&RegisterCoverage>, stand: Date, area: &Area) -> DeliveryAction {
    match register {
        Some(held) if held.area != *area => DeliveryAction::OtherArea {
            area: area.clone(),
            register_area: held.area.clone(),
        },
        Some(held) if stand <= held.stand => DeliveryAction::Repeat {
            stand,
            register_stand: held.stand,
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

/// What a delivery that comes too early waits for.
pub(super) fn early_reason(
    register: Option<&RegisterCoverage>,
    delivery: &DeliveryHeader,
) -> String {
    match (register, mutation_period(delivery)) {
        (Some(held), Some(period)) => format!(
            "it begins at {}, but the register stands at {}; the delivery between them is missing",
            period.from, held.stand
        ),
        _ => "there is no register yet; it waits for a stand".into(),
    }
}

/// Why there is nothing to do for a repeat, with the day that the register stands at.
pub(super) fn repeat_reason(delivery: &DeliveryHeader, register_stand: &str) -> String {
    match delivery {
        DeliveryHeader::Mutations { .. } => {
            format!("the register stands at {register_stand} and has it already")
        }
        DeliveryHeader::Stand { stand, .. } => format!(
            "it is the stand of {stand}, and the register stands at {register_stand}: it has all of it already, or something newer in its \
             place. If the register must begin again from this stand, give it to `postduif index build --extract`"
        ),
    }
}

/// An area, for people.
pub(super) fn format_area(area: &Area) -> String {
    match area {
        Area::Country => "the whole country".into(),
        Area::Municipalities(codes) => {
            let codes: Vec<_> = codes.iter().map(ToString::to_string).collect();
            format!("municipality {}", codes.join(", "))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn day(day: i8) -> Date {
        jiff::civil::date(2026, 1, day)
    }

    fn stand(of: i8) -> DeliveryHeader {
        DeliveryHeader::Stand {
            stand: day(of),
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

    fn held(stand: i8) -> RegisterCoverage {
        RegisterCoverage {
            stand: day(stand),
            area: Area::Country,
        }
    }

    #[test]
    fn the_newest_stand_goes_first_and_mutations_follow_by_their_periods() {
        #[track_caller]
        fn case(
            held: Option<RegisterCoverage>,
            there: &[DeliveryHeader],
            expected: Option<(usize, DeliveryAction)>,
        ) {
            let there: Vec<&DeliveryHeader> = there.iter().collect();
            assert_eq!(next_delivery(held.as_ref(), &there), expected);
        }
        let apply = |at| Some((at, DeliveryAction::Apply));
        let build = |at| Some((at, DeliveryAction::Build));
        case(None, &[], None);
        case(Some(held(8)), &[], None);
        case(None, &[mutations(8, 9)], None);
        case(None, &[mutations(8, 9), stand(8)], build(1));
        case(
            Some(held(8)),
            &[mutations(9, 10), mutations(8, 9)],
            apply(1),
        );
        case(Some(held(8)), &[mutations(9, 10)], None);
        case(
            Some(held(9)),
            &[mutations(9, 10), mutations(7, 8)],
            apply(1),
        );
        case(Some(held(9)), &[mutations(8, 10)], apply(0));
        case(
            Some(held(8)),
            &[mutations(8, 9), stand(20), stand(15)],
            build(1),
        );
        let repeat = |stand| DeliveryAction::Repeat {
            stand: day(stand),
            register_stand: day(20),
        };
        case(
            Some(held(20)),
            &[mutations(20, 21), stand(15)],
            Some((1, repeat(15))),
        );
        case(Some(held(20)), &[stand(20)], Some((0, repeat(20))));
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
        for held in [held(8), held(20), held(30)] {
            let expected = Some((0, other.clone()));
            assert_eq!(
                next_delivery(Some(&held), &[&of_weesp]),
                expected,
                "{held:?}"
            );
        }
        assert_eq!(
            next_delivery(None, &[&of_weesp]),
            Some((0, DeliveryAction::Build))
        );
    }

    #[test]
    fn an_early_one_says_both_days() {
        let waits = early_reason(Some(&held(8)), &mutations(10, 11));
        assert!(
            waits.contains("2026-01-10") && waits.contains("2026-01-08"),
            "{waits}"
        );
    }
}
