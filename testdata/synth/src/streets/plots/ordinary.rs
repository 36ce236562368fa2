//! Builds ordinary plots: houses, blocks of flats with letters and additions, and sheds.

use super::unserved;
use crate::calendar::DayOffset;
use crate::model::{PandState, PandStatus, StateTimeline};
use crate::streets::builder::StreetBuilder;
use crate::streets::draws::measured_again;
use crate::streets::plot::{NumberSuffix, Plot};

/// Builds a house, sometimes a block of flats, rarely a tower. One address in six has a letter or an addition.
pub(crate) fn ordinary(builder: &mut StreetBuilder<'_>, plot: Plot) {
    let is_long = builder.plan.served_addresses >= 120 && builder.plan.index % 3 == 1;
    if is_long && (20..30).contains(&builder.street.served.len()) {
        return tower(builder, plot);
    }
    match builder.rng.below(1_000) {
        0..34 if builder.addresses_left() >= 6 => flats(builder, plot),
        34..38 => unserved::without_postcode(builder, plot),
        _ => house(builder, plot),
    }
}

/// Builds a house: one number, one verblijfsobject and one pand.
pub(crate) fn house(builder: &mut StreetBuilder<'_>, plot: Plot) {
    house_with_suffix(builder, plot, NumberSuffix::NONE);
}

/// Builds a house with a suffix after its number.
pub(crate) fn house_with_suffix(builder: &mut StreetBuilder<'_>, plot: Plot, suffix: NumberSuffix) {
    let pand = builder.add_existing_pand(plot);
    builder.add_home(plot, suffix, pand);
}

/// Builds several addresses at one number, in one pand.
fn flats(builder: &mut StreetBuilder<'_>, plot: Plot) {
    let pand = builder.add_existing_pand(plot);
    let style = builder.rng.below(SUFFIX_STYLES);
    let bare = builder.rng.chance(600);
    let count = 2 + builder.rng.below(5);
    for index in 0..count {
        let suffix = if bare && index == 0 {
            NumberSuffix::NONE
        } else {
            suffix(style, index - u64::from(bare))
        };
        builder.add_home(plot, suffix, pand);
    }
}

/// Builds forty to seventy addresses at one number.
fn tower(builder: &mut StreetBuilder<'_>, plot: Plot) {
    let pand = builder.add_existing_pand(plot);
    for index in 1..=40 + builder.rng.below(31) {
        builder.add_home(plot, NumberSuffix::addition(index.to_string()), pand);
    }
}

/// The number of ways to distinguish the addresses at one number.
const SUFFIX_STYLES: u64 = 14;

fn suffix(style: u64, index: u64) -> NumberSuffix {
    let nth = |from: u8| char::from(from + u8::try_from(index).expect("a block of flats is small"));
    let word = |words: [&'static str; 6]| {
        words[usize::try_from(index).expect("a block of flats is small")]
    };
    match style {
        0..4 => NumberSuffix::letter(nth(b'a')),
        4..6 => NumberSuffix::letter(nth(b'A')),
        6 => NumberSuffix::addition((index + 1).to_string()),
        7 => NumberSuffix::addition(format!("{:03}", index + 1)),
        8 => NumberSuffix::addition(word(["HS", "1", "2", "3", "4", "5"])),
        9 => NumberSuffix::addition(word(["bis", "BIS", "BS", "A", "TM25", "K1"])),
        10 => NumberSuffix::addition(word(["I", "II", "III", "IV", "V", "VI"])),
        11 => NumberSuffix::addition(word(["1hg", "2hg", "3hg", "4hg", "5hg", "zw"])),
        12 => NumberSuffix {
            letter: Some('A'),
            ..NumberSuffix::addition((index + 1).to_string())
        },
        _ => NumberSuffix {
            letter: Some(nth(b'B')),
            ..NumberSuffix::addition(word(["01", "02", "B03", "02L", "F008", "to"]))
        },
    }
}

/// Builds sheds and garages behind the houses of a street: panden without a verblijfsobject. Including sheds, there are 1.08 panden
/// per address. Source: counts in the extract of Weesp of 15-09-2021.
pub(crate) fn sheds(builder: &mut StreetBuilder<'_>) {
    let mut rng = builder.rng.fork();
    for house in 0..builder.street.panden.len() {
        if rng.chance(230) {
            let behind = builder.heading.step(0, rng.between(9_000, 14_000).into());
            let at = builder.street.panden[house].geometry.centroid();
            let outline = builder.rectangle(at.plus(behind.x, behind.y), 1_500, 3_000);
            let state = PandState {
                status: PandStatus::InGebruik,
                year: 1_985,
            };
            let timeline = StateTimeline::starting(&mut rng, DayOffset(-4_000), state);
            let timeline = measured_again(timeline, &mut rng, 780, state);
            builder.add_pand(outline, timeline);
        }
    }
}
