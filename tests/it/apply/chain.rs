//! Applies deliveries in any order, more than once, or with gaps. Each delivery is applied, is recognised as a repeat, or is
//! refused as a gap. The served generation always equals the deliveries that were applied.
//!
//! The long form is `POSTDUIF_TEST_TRIES=500 cargo test --test it apply::chain -- --nocapture`. `POSTDUIF_TEST_SEED` selects other
//! cases.

use jiff::civil::Date;
use postduif_indexer::{ApplyError, ApplyOutcome};

use super::made::{group, mutation_adding, mutation_changing, mutations, version};
use super::rules::{FLAT, STREET, weesp};
use crate::chance::{Chance, tries};
use crate::data_dir::ServedFolder;
use crate::delivery::nummeraanduiding;

const DAYS: usize = 6;

/// The stand after `days` daily deliveries.
fn stand(days: usize) -> Date {
    let first: Date = "2021-09-15".parse().expect("a day");
    let days = i64::try_from(days).expect("a few");
    first.saturating_add(jiff::Span::new().days(days))
}

/// The postcode of the flat after `days` deliveries. The delivery of day `quiet` changes nothing.
fn postcode(days: usize, quiet: usize) -> String {
    let changed = if days == quiet + 1 { quiet } else { days };
    format!("1381A{}", char::from(b"ABCDEFGHI"[changed]))
}

/// Packs the delivery of a day. It gives the flat another postcode, but the delivery of day `quiet` changes nothing.
fn delivery(day: usize, quiet: usize) -> Vec<u8> {
    let mut groups = Vec::new();
    if day != quiet {
        let earlier: Vec<usize> = (0..day).filter(|&day| day != quiet).collect();
        let begin = earlier
            .last()
            .map_or("2010-08-31".to_owned(), |&day| stand(day).to_string());
        let (number, end) = (u32::try_from(earlier.len()).expect("a few") + 1, stand(day));
        let [had, has] =
            [day, day + 1].map(|days| nummeraanduiding(FLAT, "1", &postcode(days, quiet), STREET));
        groups.push(group(&[
            mutation_changing(
                &version(&had, number, &format!("{begin}.."), ""),
                &version(&had, number, &format!("{begin}..{end}"), ""),
            ),
            mutation_adding(&version(&has, number + 1, &format!("{end}.."), "")),
        ]));
    }
    let [from, to] = [day, day + 1].map(|days| stand(days).to_string());
    mutations(&from, &to, &groups).pack()
}

#[test]
#[expect(clippy::print_stdout, reason = "the seed repeats a failure")]
fn deliveries_in_any_order_skip_no_day_and_count_each_once() {
    let mut chance = Chance::new();
    let built = weesp();
    for number in 0..tries(3) {
        let quiet = chance.below(DAYS);
        println!("seed {}, try {number}, nothing on day {quiet}", chance.seed);
        let served = built.copy();
        let mut reached = 0;
        for _ in 0..3 * DAYS {
            let day = chance.below(DAYS);
            reached = apply_day(&served, reached, day, quiet);
        }
        // Apply every delivery in order, as the inbox processor does. This also applies the deliveries that the loop above refused
        // because of a gap.
        for day in 0..DAYS {
            reached = apply_day(&served, reached, day, quiet);
        }
        assert_eq!(reached, DAYS);
        served.assert_sound();
    }
}

/// Applies the delivery of `day` to a register that has reached the day `reached`. Returns the day that the register has reached
/// afterwards.
fn apply_day(served: &ServedFolder, reached: usize, day: usize, quiet: usize) -> usize {
    let path = served.delivery(&delivery(day, quiet));
    let before = (served.current(), served_postcode(served));
    let outcome = served.apply(&path);
    let context = format!("day {day} at {reached}: {outcome:?}");
    if day == reached {
        assert!(
            matches!(outcome, Ok(ApplyOutcome::Published(_))),
            "{context}"
        );
        assert_eq!(served.current().stand(), stand(day + 1), "{context}");
        assert_eq!(
            served_postcode(served),
            postcode(day + 1, quiet),
            "{context}"
        );
        return day + 1;
    }
    match outcome {
        Ok(ApplyOutcome::Repeat { .. }) => assert!(day < reached, "{context}"),
        Err(error @ ApplyError::Gap { .. }) => {
            assert!(day > reached && error.is_refusal(), "{context}");
            let message = error.to_string();
            for day in [stand(reached), stand(day)] {
                assert!(message.contains(&day.to_string()), "{message}");
            }
        }
        _ => panic!("{context}"),
    }
    assert_eq!(
        (served.current(), served_postcode(served)),
        before,
        "{context}"
    );
    reached
}

/// The served postcode of the flat.
fn served_postcode(served: &ServedFolder) -> String {
    let flat: u64 = FLAT.parse().expect("an id");
    let addresses = served.addresses();
    let mut flats = addresses.iter().filter(|address| address.id.get() == flat);
    flats.next().expect("it is served").postcode.to_string()
}
