//! The ordinary scenes: houses, blocks of flats with letters and additions, and the histories that most objects have.

use super::calendar::Day;
use super::dead;
use super::record::{
    Id, Kind, Life, NummeraanduidingState, ObjectKind, PandState, PandStatus, Postcode, Purposes,
    Use, Verblijfsobject, VerblijfsobjectStatus as Status,
};
use super::rng::Rng;
use super::shape::Shape;
use super::street::{Number, Served, Site, Suffix, Works};

/// A pand of the scene: its id, and its year as a service must tell it.
#[derive(Clone, Copy)]
pub(super) struct Stands {
    pub(super) id: Id,
    pub(super) year: Option<u16>,
}

/// A verblijfsobject about to be built; the first number is its hoofdadres, the others are nevenadressen.
pub(super) struct Draft {
    pub(super) numbers: Vec<Number>,
    pub(super) shape: Shape,
    pub(super) panden: Vec<Id>,
    pub(super) life: Life<Use>,
}

/// Surface that stands for unknown.
pub(super) const UNKNOWN_SURFACE: u32 = 999_999;
/// Year that stands for unknown.
pub(super) const UNKNOWN_YEAR: u16 = 9_999;

/// A house, now and then a block of flats, now and then a tower: one address in six has a letter or an addition.
pub(super) fn ordinary(works: &mut Works<'_>, site: Site) {
    let long = works.plan.quota >= 120 && works.plan.index % 3 == 1;
    if long && (20..30).contains(&works.street.served.len()) {
        return tower(works, site);
    }
    match works.rng.below(1_000) {
        0..34 if works.left() >= 6 => flats(works, site),
        34..38 => dead::hut(works, site),
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
        works.dwell(site, Suffix::addition(index.to_string()), pand);
    }
}

/// Ways of telling apart the addresses at one number.
const STYLES: u64 = 14;

fn suffix(style: u64, index: u64) -> Suffix {
    let nth = |from: u8| char::from(from + u8::try_from(index).expect("a block of flats is small"));
    let word = |words: [&'static str; 6]| {
        words[usize::try_from(index).expect("a block of flats is small")]
    };
    match style {
        0..4 => Suffix::letter(nth(b'a')),
        4..6 => Suffix::letter(nth(b'A')),
        6 => Suffix::addition((index + 1).to_string()),
        7 => Suffix::addition(format!("{:03}", index + 1)),
        8 => Suffix::addition(word(["HS", "1", "2", "3", "4", "5"])),
        9 => Suffix::addition(word(["bis", "BIS", "BS", "A", "TM25", "K1"])),
        10 => Suffix::addition(word(["I", "II", "III", "IV", "V", "VI"])),
        11 => Suffix::addition(word(["1hg", "2hg", "3hg", "4hg", "5hg", "zw"])),
        12 => Suffix {
            letter: Some('A'),
            ..Suffix::addition((index + 1).to_string())
        },
        _ => Suffix {
            letter: Some(nth(b'B')),
            ..Suffix::addition(word(["01", "02", "B03", "02L", "F008", "to"]))
        },
    }
}

/// In so many of a thousand lives one more voorkomen that says what the last one said: a point or an outline measured anew. A
/// verblijfsobject has 2.09 voorkomens and a pand 1.78. Source: counted in the extract of Weesp of 15-09-2021.
fn seen_again<S>(life: Life<S>, rng: &mut Rng, per_mille: u64, state: S) -> Life<S> {
    if rng.chance(per_mille) {
        let day = Day(rng.between(-500, -60));
        life.then(rng, day, state)
    } else {
        life
    }
}

/// Sheds and garages behind the houses of a street: panden that nothing is in. With them there are 1.08 panden an address.
/// Source: counted in the extract of Weesp of 15-09-2021.
pub(super) fn sheds(works: &mut Works<'_>) {
    let mut rng = works.rng.aside();
    for house in 0..works.street.panden.len() {
        if rng.chance(230) {
            let behind = works.turned(0, rng.between(9_000, 14_000).into());
            let at = works.street.panden[house].shape.centroid();
            let shape = works.block(at.plus(behind.x, behind.y), 1_500, 3_000);
            let state = PandState {
                status: PandStatus::InGebruik,
                year: 1_985,
            };
            let life = Life::since(&mut rng, Day(-4_000), state);
            let life = seen_again(life, &mut rng, 780, state);
            works.pand(shape, life);
        }
    }
}

impl Works<'_> {
    /// Some day on which an old object may have begun.
    pub(super) fn long_ago(&mut self) -> Day {
        Day(self.rng.between(-14_000, -2_500))
    }

    /// A number with a usual history, now under this postcode.
    pub(super) fn numbered(&mut self, postcode: Postcode) -> Life<NummeraanduidingState> {
        let (since, now) = (self.long_ago(), NummeraanduidingState::issued(postcode));
        let before = NummeraanduidingState {
            postcode: None,
            ..now
        };
        let rng = &mut self.rng;
        match rng.below(100) {
            0..78 => Life::since(rng, since, now),
            78..95 => Life::since(rng, since, before).then(rng, Day(since.0 + 40), now),
            _ => Life::since(rng, since, now)
                .then(rng, since, now)
                .then(rng, Day(-400), now),
        }
    }

    /// What a live verblijfsobject is used for, most often for living in.
    fn some_use(&mut self) -> Use {
        let status = match self.rng.below(1_000) {
            0..915 => Status::InGebruik,
            915..980 => Status::Gevormd,
            980..988 => Status::NietIngemeten,
            988..996 => Status::Verbouwing,
            _ => Status::BuitenGebruik,
        };
        let purposes = match self.rng.below(100) {
            0..87 => Purposes::WOON,
            87..95 => self.purposes(1),
            _ => {
                let count = self.rng.pick(&[2, 3, 4]);
                self.purposes(count)
            }
        };
        let surface_m2 = 20 + u32::try_from(self.rng.below(180)).expect("a draw is small");
        Use {
            status,
            purposes,
            surface_m2,
        }
    }

    /// As many gebruiksdoelen.
    pub(super) fn purposes(&mut self, count: usize) -> Purposes {
        let mut set = 0_u16;
        while Purposes(set).names().count() < count {
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
        let stand = u64::from(self.country.calendar.year());
        u16::try_from(stand - age).expect("a year has four digits")
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

    /// A pand of this status and year, with one to five voorkomens.
    pub(super) fn pand_of(&mut self, site: Site, status: PandStatus, year: u16) -> Id {
        let since = self.long_ago();
        let state = |status| PandState { status, year };
        let guessed = PandState {
            year: year - 1,
            ..state(PandStatus::InGebruik)
        };
        let mut aside = self.rng.aside();
        let rng = &mut self.rng;
        let life = match rng.below(100) {
            0..62 => Life::since(rng, since, state(status)),
            62..85 => Life::since(rng, since, guessed).then(rng, Day(-1_200), state(status)),
            85..88 => Life::since(rng, since, guessed).then(rng, since, state(status)),
            _ => Life::since(rng, since, state(PandStatus::BouwvergunningVerleend))
                .then(rng, Day(since.0 + 200), state(PandStatus::BouwGestart))
                .then(rng, Day(since.0 + 620), state(PandStatus::InGebruik))
                .then(rng, Day(-800), state(status)),
        };
        let life = seen_again(life, &mut aside, 165, state(status));
        let shape = self.footprint(site);
        self.pand(shape, life)
    }

    /// The outline of a pand: a rectangle along the street, seldom with a corner cut out or a court inside.
    fn footprint(&mut self, site: Site) -> Shape {
        match self.rng.below(1_000) {
            0..3 => Shape::Pierced {
                at: site.at,
                unit: 601,
            },
            3..60 => Shape::Ell {
                at: site.at,
                unit: 907,
            },
            _ => {
                let length = i64::from(self.rng.between(2_400, 5_500));
                let width = i64::from(self.rng.between(3_000, 6_500));
                self.block(site.at, length, width)
            }
        }
    }

    /// The usual voorkomens of a verblijfsobject that is now what `now` says.
    pub(super) fn lived(&mut self, now: Use) -> Life<Use> {
        let since = self.long_ago();
        let planned = now.with(Status::Gevormd);
        let smaller = Use {
            surface_m2: now.surface_m2 / 2 + 3,
            ..now.with(Status::InGebruik)
        };
        let mut aside = self.rng.aside();
        let rng = &mut self.rng;
        let life = match rng.below(100) {
            0..50 => Life::since(rng, since, now),
            50..78 => Life::since(rng, since, planned).then(rng, Day(since.0 + 420), now),
            78..81 => Life::since(rng, since, smaller).then(rng, since, now),
            _ => Life::since(rng, since, planned)
                .then(rng, Day(since.0 + 420), smaller)
                .then(rng, Day(-600), now),
        };
        seen_again(life, &mut aside, 390, now)
    }

    /// One served address with a verblijfsobject of its own in this pand.
    pub(super) fn dwell(&mut self, site: Site, suffix: Suffix, pand: Stands) {
        let now = self.some_use();
        self.dwell_as(site, suffix, pand, now);
    }

    /// The same, for a given use.
    pub(super) fn dwell_as(&mut self, site: Site, suffix: Suffix, pand: Stands, now: Use) {
        let number = self.ordinary_number(site, suffix);
        let life = self.lived(now);
        self.stand(site, vec![number], pand.id, life);
        self.serve(site, number, now, pand.year);
    }

    /// A number of a verblijfsobject, with a usual history.
    pub(super) fn ordinary_number(&mut self, site: Site, suffix: Suffix) -> Number {
        let life = self.numbered(site.postcode);
        self.number(site, suffix, ObjectKind::Verblijfsobject, life)
    }

    /// A verblijfsobject at a point of the site, in one pand.
    pub(super) fn stand(&mut self, site: Site, numbers: Vec<Number>, pand: Id, life: Life<Use>) {
        let (shape, panden) = (Shape::Point(site.at), vec![pand]);
        self.verblijfsobject(Draft {
            numbers,
            shape,
            panden,
            life,
        });
    }

    /// Builds a verblijfsobject.
    pub(super) fn verblijfsobject(&mut self, draft: Draft) {
        let Draft {
            numbers,
            shape,
            panden,
            life,
        } = draft;
        let id = self.id(Kind::Verblijfsobject);
        let hoofdadres = numbers[0].id;
        let nevenadressen = numbers[1..].iter().map(|number| number.id).collect();
        self.street.verblijfsobjecten.push(Verblijfsobject {
            id,
            hoofdadres,
            nevenadressen,
            shape,
            panden,
            life,
        });
    }

    /// Notes that a number of a verblijfsobject must be served so.
    pub(super) fn serve(&mut self, site: Site, number: Number, now: Use, year: Option<u16>) {
        let surface_m2 = Some(now.surface_m2).filter(|&surface| surface != UNKNOWN_SURFACE);
        self.street.served.push(Served {
            number: number.index,
            postcode: site.postcode,
            town: self.plan.town,
            kind: ObjectKind::Verblijfsobject,
            at: site.at,
            purposes: now.purposes,
            surface_m2,
            year,
            planned: now.status == Status::Gevormd,
        });
    }
}
