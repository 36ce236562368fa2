//! Builds one street of the plan: its openbare ruimte, and plot by plot the numbers, objects and panden on it, with what will be served of them.
//!
//! Every plot is a scene (`homes`, `oddities`, `dead`) that says itself which addresses it serves: the ground truth is not derived from the voorkomens.

use super::calendar::Day;
use super::country::{Country, Role, StreetPlan, Town};
use super::record::{
    Id, Kind, Life, Nummeraanduiding, NummeraanduidingState, ObjectKind, OpenbareRuimte,
    OpenbareRuimteState, Pand, PandState, Plaats, Postcode, Purposes, Standing, Verblijfsobject,
};
use super::rng::Rng;
use super::shape::{Mm, Shape};
use super::words::FORMER;
use super::{dead, homes, oddities};

/// A street with all that stands on it.
pub(super) struct Street {
    pub(super) openbare_ruimte: OpenbareRuimte,
    pub(super) nummeraanduidingen: Vec<Nummeraanduiding>,
    pub(super) verblijfsobjecten: Vec<Verblijfsobject>,
    pub(super) plaatsen: Vec<Plaats>,
    pub(super) panden: Vec<Pand>,
    pub(super) served: Vec<Served>,
    /// Live addresses that have no postcode.
    pub(super) without_postcode: u64,
    /// Withdrawn nummeraanduidingen that live objects name.
    pub(super) withdrawn: u64,
}

/// An address that a service must have on the stand day.
pub(super) struct Served {
    /// Index of its nummeraanduiding in the street.
    pub(super) number: usize,
    pub(super) postcode: Postcode,
    /// Index of its woonplaats in the country.
    pub(super) town: usize,
    pub(super) kind: ObjectKind,
    pub(super) at: Mm,
    pub(super) purposes: Purposes,
    pub(super) surface_m2: Option<u32>,
    pub(super) year: Option<u16>,
    pub(super) planned: bool,
}

/// Where a scene is set.
#[derive(Clone, Copy)]
pub(super) struct Site {
    pub(super) number: u32,
    pub(super) postcode: Postcode,
    pub(super) at: Mm,
}

/// What follows the number.
#[derive(Clone, Default)]
pub(super) struct Suffix {
    pub(super) letter: Option<char>,
    pub(super) addition: Option<String>,
}

impl Suffix {
    pub(super) fn letter(letter: char) -> Self {
        Self {
            letter: Some(letter),
            addition: None,
        }
    }

    pub(super) fn addition(addition: impl Into<String>) -> Self {
        Self {
            letter: None,
            addition: Some(addition.into()),
        }
    }
}

/// A nummeraanduiding of the street under construction.
#[derive(Clone, Copy)]
pub(super) struct Number {
    pub(super) index: usize,
    pub(super) id: Id,
}

/// A street under construction.
pub(super) struct Works<'a> {
    pub(super) country: &'a Country<'a>,
    pub(super) plan: &'a StreetPlan,
    pub(super) town: &'a Town,
    pub(super) rng: Rng,
    /// Counts the odd scenes of the town, so that each has its turn.
    pub(super) turn: usize,
    pub(super) street: Street,
    issuer: u16,
    next_number: u64,
    plots: u32,
    heading: Heading,
}

/// The direction of a street as a Pythagorean triple: exact in whole numbers.
#[derive(Clone, Copy)]
struct Heading {
    x: i64,
    y: i64,
    length: i64,
}

const HEADINGS: [Heading; 5] = [
    Heading {
        x: 1,
        y: 0,
        length: 1,
    },
    Heading {
        x: 4,
        y: 3,
        length: 5,
    },
    Heading {
        x: 3,
        y: -4,
        length: 5,
    },
    Heading {
        x: 12,
        y: 5,
        length: 13,
    },
    Heading {
        x: 15,
        y: -8,
        length: 17,
    },
];

/// One plot in this many holds an odd scene.
const ODD_EVERY: u32 = 12;

impl Street {
    /// Builds the street of this plan.
    pub(super) fn build(country: &Country<'_>, plan: &StreetPlan) -> Street {
        let mut works = Works::open(country, plan);
        match plan.role {
            Role::Addressed => {
                works.fill();
                homes::sheds(&mut works);
            }
            Role::Withdrawn => (0..3).for_each(|_| works.scene(dead::demolished)),
            Role::Future => (0..3).for_each(|_| works.scene(dead::not_yet)),
            Role::Bare(_) => {}
        }
        works.street
    }
}

/// The openbare ruimte alone, for the pass that needs no more.
pub(super) fn openbare_ruimte(country: &Country<'_>, plan: &StreetPlan) -> OpenbareRuimte {
    let town = &country.towns[plan.town];
    let mut rng = Rng::of(&[country.spec.seed, 22, plan.first_number]);
    let id = Id {
        issuer: issuer(town, plan),
        kind: Kind::OpenbareRuimte,
        number: plan.first_number,
    };
    let kind = if let Role::Bare(kind) = plan.role {
        kind
    } else {
        "Weg"
    };
    OpenbareRuimte {
        id,
        kind,
        life: street_life(&mut rng, town, plan),
    }
}

/// The older streets of a merged town keep the code of the municipality it was in.
fn issuer(town: &Town, plan: &StreetPlan) -> u16 {
    town.former
        .filter(|_| plan.index.is_multiple_of(2))
        .map_or(town.municipality, |(code, _)| code)
}

fn street_life(rng: &mut Rng, town: &Town, plan: &StreetPlan) -> Life<OpenbareRuimteState> {
    let state = |name: &str, standing| OpenbareRuimteState {
        name: name.to_owned(),
        standing,
        woonplaats: town.code,
    };
    let live = || state(&plan.name, Standing::Live);
    let since = Day(rng.between(-14_000, -4_000));
    match (plan.role, plan.index % 12) {
        (Role::Withdrawn, _) => Life::since(rng, since, live()).then(
            rng,
            Day(-700),
            state(&plan.name, Standing::Withdrawn),
        ),
        (Role::Future, _) => Life::since(rng, Day(45), live()),
        // A street that was renamed, one that will be, one whose last change was annulled on the day itself.
        (_, 3) => {
            let former = rng.pick(&FORMER);
            Life::since(rng, since, state(former, Standing::Live)).then(rng, Day(-1_500), live())
        }
        (_, 7) => Life::since(rng, since, live()).then(
            rng,
            Day(60),
            state(&format!("{} Zuid", shorten(&plan.name)), Standing::Live),
        ),
        (_, 10) => Life::since(rng, since, live())
            .then(rng, Day(-900), live())
            .then(rng, Day(-900), live()),
        _ => match town.predecessor() {
            Some(woonplaats) => Life::since(
                rng,
                since,
                OpenbareRuimteState {
                    woonplaats,
                    ..live()
                },
            )
            .then(rng, Town::SUCCESSION, live()),
            None => Life::since(rng, since, live()),
        },
    }
}

/// Leaves room for a suffix in a name of at most 80 characters.
pub(super) fn shorten(name: &str) -> String {
    name.chars()
        .take(70)
        .collect::<String>()
        .trim_end()
        .to_owned()
}

impl<'a> Works<'a> {
    fn open(country: &'a Country<'a>, plan: &'a StreetPlan) -> Self {
        let town = &country.towns[plan.town];
        let mut rng = Rng::of(&[country.spec.seed, 23, plan.first_number]);
        let heading = rng.pick(&HEADINGS);
        let street = Street {
            openbare_ruimte: openbare_ruimte(country, plan),
            nummeraanduidingen: Vec::new(),
            verblijfsobjecten: Vec::new(),
            plaatsen: Vec::new(),
            panden: Vec::new(),
            served: Vec::new(),
            without_postcode: 0,
            withdrawn: 0,
        };
        // A step that has no factor in common with the number of scenes.
        let turn = plan.index * 5;
        Self {
            country,
            plan,
            town,
            rng,
            turn,
            street,
            issuer: issuer(town, plan),
            next_number: plan.first_number,
            plots: 0,
            heading,
        }
    }

    /// Plot after plot until the street serves what it has to: never more, since a scene that serves too many makes way for a house.
    fn fill(&mut self) {
        while self.left() > 0 {
            let site = self.site();
            if self.plots % ODD_EVERY == 3 {
                let (most, scene) = oddities::SCENES[self.turn % oddities::SCENES.len()];
                self.turn += 1;
                if most <= self.left() {
                    scene(self, site)
                } else {
                    homes::house(self, site)
                }
            } else {
                homes::ordinary(self, site);
            }
        }
    }

    fn scene(&mut self, scene: fn(&mut Works<'_>, Site)) {
        let site = self.site();
        scene(self, site);
    }

    /// Addresses the street has yet to serve.
    pub(super) fn left(&self) -> u64 {
        self.plan.quota - self.street.served.len() as u64
    }

    /// The next plot: numbers run up along the street, odd ones on one side.
    fn site(&mut self) -> Site {
        let plot = self.plots;
        self.plots += 1;
        let served = self.street.served.len();
        let block = (served / 40 * 2 + usize::from(plot % 2 == 1)).min(self.plan.postcodes - 1);
        let border = if self.plan.index == 0 && (1..=3).contains(&plot) {
            self.country.border_postcode(self.plan.town)
        } else {
            None
        };
        let postcode =
            border.unwrap_or_else(|| self.town.postcode(self.plan.first_postcode + block));
        Site {
            number: 1 + plot,
            postcode,
            at: self.place(i64::from(plot)),
        }
    }

    fn place(&mut self, plot: i64) -> Mm {
        let quota = i64::try_from(self.plan.quota).expect("a street is short");
        let pitch = (560_000 / (quota + 4)).min(12_000);
        let along = plot / 2 * pitch - pitch * quota / 4 + i64::from(self.rng.between(-900, 900));
        let across = if plot % 2 == 0 { 12_000 } else { -12_000 }
            + i64::from(self.rng.between(-2_500, 2_500));
        let start = self.town.street_middle(self.plan.index);
        let at = start.plus(self.turned(along, across).x, self.turned(along, across).y);
        // Some coordinates are known in decimetres only.
        if self.rng.chance(60) {
            Mm {
                x: at.x / 100 * 100,
                y: at.y / 100 * 100,
            }
        } else {
            at
        }
    }

    /// A step along and across the street as a step on the grid.
    pub(super) fn turned(&self, along: i64, across: i64) -> Mm {
        let Heading { x, y, length } = self.heading;
        Mm {
            x: (along * x - across * y) / length,
            y: (along * y + across * x) / length,
        }
    }

    /// A rectangle along the street, of half this length and half this width.
    pub(super) fn block(&self, at: Mm, half_length: i64, half_width: i64) -> Shape {
        Shape::Block {
            at,
            u: self.turned(half_length, 0),
            v: self.turned(0, half_width),
        }
    }

    pub(super) fn id(&mut self, kind: Kind) -> Id {
        self.next_number += 1;
        Id {
            issuer: self.issuer,
            kind,
            number: self.next_number,
        }
    }

    pub(super) fn number(
        &mut self,
        site: Site,
        suffix: Suffix,
        kind: ObjectKind,
        life: Life<NummeraanduidingState>,
    ) -> Number {
        let id = self.id(Kind::Nummeraanduiding);
        let index = self.street.nummeraanduidingen.len();
        let street = self.street.openbare_ruimte.id;
        let Suffix { letter, addition } = suffix;
        self.street.nummeraanduidingen.push(Nummeraanduiding {
            id,
            number: site.number,
            letter,
            addition,
            kind,
            street,
            life,
        });
        Number { index, id }
    }

    pub(super) fn pand(&mut self, shape: Shape, life: Life<PandState>) -> Id {
        let id = self.id(Kind::Pand);
        self.street.panden.push(Pand { id, shape, life });
        id
    }
}
