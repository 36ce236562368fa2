//! The ordinary scenes: houses, blocks of flats with letters and additions, and the histories that most objects have.

use super::calendar::Day;
use super::record::{
    Id, Kind, Life, NummeraanduidingState, ObjectKind, PandState, PandStatus, Postcode, Purposes,
    Standing, Verblijfsobject, VerblijfsobjectState, VerblijfsobjectStatus as Status,
};
use super::shape::Shape;
use super::street::{Number, Served, Site, Suffix, Works};

/// What a verblijfsobject is on the stand day.
#[derive(Clone, Copy)]
pub(super) struct Use {
    pub(super) status: Status,
    pub(super) purposes: Purposes,
    pub(super) surface_m2: u32,
}

/// A pand of the scene: its id, and its year as a service must tell it.
#[derive(Clone, Copy)]
pub(super) struct Stands {
    pub(super) id: Id,
    pub(super) year: Option<u16>,
}

/// A live verblijfsobject about to be built.
pub(super) struct Draft {
    pub(super) numbers: Vec<Number>,
    pub(super) shape: Shape,
    pub(super) panden: Vec<Id>,
    pub(super) life: Life<VerblijfsobjectState>,
}

/// Surface that stands for unknown.
pub(super) const UNKNOWN_SURFACE: u32 = 999_999;
/// Year that stands for unknown.
pub(super) const UNKNOWN_YEAR: u16 = 9_999;

/// A house, now and then a block of flats, now and then a tower: one address in six has a letter or an addition.
pub(super) fn ordinary(works: &mut Works<'_>, site: Site) {
    if works.plan.quota >= 120
        && works.plan.index % 2 == 1
        && (20..30).contains(&works.street.served.len())
    {
        return tower(works, site);
    }
    match works.rng.below(1_000) {
        0..34 if works.left() >= 6 => flats(works, site),
        34..38 => super::dead::hut(works, site),
        _ => house(works, site),
    }
}

/// One number, one verblijfsobject, one pand.
pub(super) fn house(works: &mut Works<'_>, site: Site) {
    home(works, site, Suffix::default());
}

/// A house with what follows its number.
pub(super) fn home(works: &mut Works<'_>, site: Site, suffix: Suffix) {
    let pand = works.stand_pand(site);
    works.dwell(site, suffix, pand);
}

/// Several addresses at one number, in one pand.
fn flats(works: &mut Works<'_>, site: Site) {
    let pand = works.stand_pand(site);
    let style = works.rng.below(STYLES);
    let bare = works.rng.chance(600);
    let count = 2 + works.rng.below(5);
    for index in 0..count {
        let suffix = if bare && index == 0 {
            Suffix::default()
        } else {
            suffix(style, index - u64::from(bare))
        };
        works.dwell(site, suffix, pand);
    }
}

/// Forty and more addresses at one number.
fn tower(works: &mut Works<'_>, site: Site) {
    let pand = works.stand_pand(site);
    for index in 1..=40 + works.rng.below(31) {
        works.dwell(
            site,
            Suffix {
                letter: None,
                addition: Some(index.to_string()),
            },
            pand,
        );
    }
}

/// Ways of telling apart the addresses at one number.
const STYLES: u64 = 14;

fn suffix(style: u64, index: u64) -> Suffix {
    let nth = |from: u8| char::from(from + u8::try_from(index).expect("a block of flats is small"));
    let word = |words: [&str; 6]| {
        words[usize::try_from(index).expect("a block of flats is small")].to_owned()
    };
    let (letter, addition) = match style {
        0..4 => (Some(nth(b'a')), None),
        4..6 => (Some(nth(b'A')), None),
        6 => (None, Some((index + 1).to_string())),
        7 => (None, Some(format!("{:03}", index + 1))),
        8 => (None, Some(word(["HS", "1", "2", "3", "4", "5"]))),
        9 => (None, Some(word(["bis", "BIS", "BS", "A", "TM25", "K1"]))),
        10 => (None, Some(word(["I", "II", "III", "IV", "V", "VI"]))),
        11 => (None, Some(word(["1hg", "2hg", "3hg", "4hg", "5hg", "zw"]))),
        12 => (Some('A'), Some((index + 1).to_string())),
        _ => (
            Some(nth(b'B')),
            Some(word(["01", "02", "B03", "02L", "F008", "to"])),
        ),
    };
    Suffix { letter, addition }
}

impl Works<'_> {
    /// Some day on which an old object may have begun.
    pub(super) fn long_ago(&mut self) -> Day {
        Day(self.rng.between(-14_000, -2_500))
    }

    /// A number with a usual history, under its postcode for good.
    pub(super) fn numbered(&mut self, postcode: Postcode) -> Life<NummeraanduidingState> {
        let state = |postcode| NummeraanduidingState {
            postcode,
            standing: Standing::Live,
            woonplaats: None,
        };
        let (since, now) = (self.long_ago(), state(Some(postcode)));
        match self.rng.below(100) {
            0..78 => Life::since(&mut self.rng, since, now),
            78..95 => Life::since(&mut self.rng, since, state(None)).then(
                &mut self.rng,
                Day(since.0 + 40),
                now,
            ),
            _ => Life::since(&mut self.rng, since, now)
                .then(&mut self.rng, since, now)
                .then(&mut self.rng, Day(-400), now),
        }
    }

    /// What a live verblijfsobject is used for, most often for living in.
    pub(super) fn some_use(&mut self) -> Use {
        let status = match self.rng.below(1_000) {
            0..915 => Status::InGebruik,
            915..980 => Status::Gevormd,
            980..988 => Status::NietIngemeten,
            988..996 => Status::Verbouwing,
            _ => Status::BuitenGebruik,
        };
        let purposes = match self.rng.below(100) {
            0..87 => Purposes::WOON,
            87..95 => Purposes(1 << self.rng.below(11)),
            _ => self.several_purposes(),
        };
        Use {
            status,
            purposes,
            surface_m2: 20 + u32::try_from(self.rng.below(180)).expect("a draw is small"),
        }
    }

    /// Two to four gebruiksdoelen.
    pub(super) fn several_purposes(&mut self) -> Purposes {
        let count = 2 + u32::try_from(self.rng.below(3)).expect("a draw is small");
        let mut set = 0_u16;
        while set.count_ones() < count {
            set |= 1 << self.rng.below(11);
        }
        Purposes(set)
    }

    /// A year of construction, most often of the last hundred years.
    fn some_year(&mut self) -> u16 {
        let age = match self.rng.below(100) {
            0..80 => self.rng.below(75),
            80..97 => self.rng.below(140),
            _ => self.rng.below(400),
        };
        u16::try_from(self.country.calendar.year()).expect("a stand year has four digits")
            - u16::try_from(age).expect("a draw is small")
    }

    /// A live pand with a usual history.
    pub(super) fn stand_pand(&mut self, site: Site) -> Stands {
        let year = self.some_year();
        let now = match self.rng.below(100) {
            0..90 => PandStatus::InGebruik,
            90..93 => PandStatus::NietIngemeten,
            93..95 => PandStatus::Verbouwing,
            95..97 => PandStatus::BouwGestart,
            97..98 => PandStatus::BouwvergunningVerleend,
            98..99 => PandStatus::SloopvergunningVerleend,
            _ => PandStatus::BuitenGebruik,
        };
        let id = self.pand_of(site, now, year);
        Stands {
            id,
            year: Some(year),
        }
    }

    /// A pand of this status and year, with one to four voorkomens.
    pub(super) fn pand_of(&mut self, site: Site, status: PandStatus, year: u16) -> Id {
        let since = self.long_ago();
        let state = |status| PandState { status, year };
        let rng = &mut self.rng;
        let life = match rng.below(100) {
            0..62 => Life::since(rng, since, state(status)),
            62..85 => Life::since(
                rng,
                since,
                PandState {
                    status: PandStatus::InGebruik,
                    year: year - 1,
                },
            )
            .then(rng, Day(-1_200), state(status)),
            85..88 => Life::since(rng, since, state(PandStatus::InGebruik)).then(
                rng,
                since,
                state(status),
            ),
            _ => Life::since(rng, since, state(PandStatus::BouwvergunningVerleend))
                .then(rng, Day(since.0 + 200), state(PandStatus::BouwGestart))
                .then(rng, Day(since.0 + 620), state(PandStatus::InGebruik))
                .then(rng, Day(-800), state(status)),
        };
        let shape = self.footprint(site);
        self.pand(shape, life)
    }

    /// The outline of a pand: a rectangle along the street, seldom with a corner cut out or a court inside.
    fn footprint(&mut self, site: Site) -> Shape {
        match self.rng.below(1_000) {
            0..2 => Shape::Pierced {
                at: site.at,
                unit: 601,
            },
            2..60 => Shape::Ell {
                at: site.at,
                unit: 907,
            },
            _ => {
                let (length, width) = (
                    i64::from(self.rng.between(2_400, 5_500)),
                    i64::from(self.rng.between(3_000, 6_500)),
                );
                self.block(site.at, length, width)
            }
        }
    }

    /// The usual voorkomens of a verblijfsobject that is now what `now` says.
    pub(super) fn lived(&mut self, now: Use) -> Life<VerblijfsobjectState> {
        let since = self.long_ago();
        let state = |status| VerblijfsobjectState {
            status,
            purposes: now.purposes,
            surface_m2: now.surface_m2,
        };
        let other = VerblijfsobjectState {
            surface_m2: now.surface_m2 / 2 + 3,
            ..state(Status::InGebruik)
        };
        let rng = &mut self.rng;
        match rng.below(100) {
            0..50 => Life::since(rng, since, state(now.status)),
            50..78 => Life::since(rng, since, state(Status::Gevormd)).then(
                rng,
                Day(since.0 + 420),
                state(now.status),
            ),
            78..81 => Life::since(rng, since, other).then(rng, since, state(now.status)),
            _ => Life::since(rng, since, state(Status::Gevormd))
                .then(rng, Day(since.0 + 420), other)
                .then(rng, Day(-600), state(now.status)),
        }
    }

    /// One served address with a verblijfsobject of its own in this pand.
    pub(super) fn dwell(&mut self, site: Site, suffix: Suffix, pand: Stands) {
        let now = self.some_use();
        self.dwell_as(site, suffix, pand, now);
    }

    /// The same, for a given use.
    pub(super) fn dwell_as(&mut self, site: Site, suffix: Suffix, pand: Stands, now: Use) {
        let life = self.numbered(site.postcode);
        let number = self.number(site, suffix, ObjectKind::Verblijfsobject, life);
        let life = self.lived(now);
        self.verblijfsobject(Draft {
            numbers: vec![number],
            shape: Shape::Point(site.at),
            panden: vec![pand.id],
            life,
        });
        self.serve(site, number, now, pand.year);
    }

    /// Builds a verblijfsobject whose first number is its hoofdadres; all voorkomens name all numbers.
    pub(super) fn verblijfsobject(&mut self, draft: Draft) -> Id {
        let id = self.id(Kind::Verblijfsobject);
        let mut ids = draft.numbers.iter().map(|number| number.id);
        let hoofdadres = ids.next().expect("a verblijfsobject has a hoofdadres");
        let nevenadressen = ids.collect();
        let Draft {
            shape,
            panden,
            life,
            ..
        } = draft;
        self.street.verblijfsobjecten.push(Verblijfsobject {
            id,
            hoofdadres,
            nevenadressen,
            shape,
            panden,
            life,
        });
        id
    }

    /// Notes that a number of a verblijfsobject must be served so.
    pub(super) fn serve(&mut self, site: Site, number: Number, now: Use, year: Option<u16>) {
        self.street.served.push(Served {
            number: number.index,
            postcode: site.postcode,
            town: self.plan.town,
            kind: ObjectKind::Verblijfsobject,
            at: site.at,
            purposes: now.purposes,
            surface_m2: (now.surface_m2 != UNKNOWN_SURFACE).then_some(now.surface_m2),
            year: year.filter(|&year| year != UNKNOWN_YEAR),
            planned: now.status == Status::Gevormd,
        });
    }
}
