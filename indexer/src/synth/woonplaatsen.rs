//! The woonplaatsen of a delivery, and the table that tells in which municipality each lay, lies and will lie.
//!
//! Source: IMBAGLV_Objecten-2.1.0.xsd and BagvsGemeenteWoonplaatsRelatieProduct-2.1.0.xsd (v20200601).

use super::calendar::Day;
use super::country::{Country, Town};
use super::elements::Mark;
use super::facts;
use super::facts::{Facts, Record, Version, WoonplaatsFacts};
use super::record::{Id, Kind, Life, Standing};
use super::rng::Rng;
use super::shape::{Mm, Shape};
use super::text::Text;

/// A woonplaats: its area is an octagon, some have a second part.
pub(super) struct Woonplaats {
    code: u16,
    parts: Vec<Vec<Mm>>,
    life: Life<(String, Standing)>,
}

/// All woonplaatsen, each after the one it replaced.
pub(super) fn woonplaatsen(country: &Country<'_>) -> impl Iterator<Item = Woonplaats> {
    country.towns.iter().flat_map(move |town| {
        predecessor(country, town)
            .into_iter()
            .chain([woonplaats(country, town)])
    })
}

fn woonplaats(country: &Country<'_>, town: &Town) -> Woonplaats {
    let mut rng = Rng::of(&[country.spec.seed, 31, town.index as u64]);
    let now = || (town.name.clone(), Standing::Live);
    let since = if town.predecessor().is_some() {
        Town::SUCCESSION
    } else {
        Day(-6_600)
    };
    let life = Life::since(&mut rng, since, now());
    let life = match town.index % 7 {
        // One gets another name later, one has changed its area, one has a voorkomen of no length.
        1 => life.then(
            &mut rng,
            Day(90),
            (format!("Nieuw {}", town.name), Standing::Live),
        ),
        2 => life.then(&mut rng, Day(-2_000), now()),
        3 => life.then(&mut rng, since, now()),
        _ => life,
    };
    Woonplaats {
        code: town.code,
        parts: parts(town),
        life,
    }
}

fn predecessor(country: &Country<'_>, town: &Town) -> Option<Woonplaats> {
    let code = town.predecessor()?;
    let mut rng = Rng::of(&[country.spec.seed, 32, town.index as u64]);
    let state = |standing| (town.name.clone(), standing);
    let life = Life::since(&mut rng, Day(-6_900), state(Standing::Live)).then(
        &mut rng,
        Town::SUCCESSION,
        state(Standing::Withdrawn),
    );
    Some(Woonplaats {
        code,
        parts: parts(town).into_iter().take(1).collect(),
        life,
    })
}

fn parts(town: &Town) -> Vec<Vec<Mm>> {
    let (half, at) = (town.half_extent(), town.centre);
    let corners = [
        (2, -1),
        (2, 1),
        (1, 2),
        (-1, 2),
        (-2, 1),
        (-2, -1),
        (-1, -2),
        (1, -2),
        (2, -1),
    ];
    let mut parts = vec![
        corners
            .iter()
            .map(|&(x, y)| at.plus(x * half.x, y * half.y))
            .collect(),
    ];
    if town.index % 5 == 1 {
        let (u, v) = (Mm { x: 100_001, y: 0 }, Mm { x: 0, y: 80_003 });
        parts.extend(
            Shape::Block {
                at: at.plus(3 * half.x, 0),
                u,
                v,
            }
            .rings(),
        );
    }
    parts
}

impl Record for Woonplaats {
    fn id(&self) -> Id {
        woonplaats_id(self.code)
    }

    fn voorkomens(&self) -> usize {
        self.life.len()
    }

    fn version(&self, index: usize, mark: Mark) -> Version {
        let number = u64::from(self.code);
        facts::version(&self.life, number, (index, mark), |(name, standing)| {
            Facts::Woonplaats(WoonplaatsFacts {
                name: name.clone(),
                standing: *standing,
                parts: self.parts.clone(),
            })
        })
    }
}

/// The identificatie of a woonplaats, of which only the number is written.
pub(super) fn woonplaats_id(code: u16) -> Id {
    Id {
        issuer: 0,
        kind: Kind::Woonplaats,
        number: u64::from(code),
    }
}

/// A row of the table of municipalities and woonplaatsen.
pub(super) struct Relation {
    pub(super) woonplaats: u16,
    pub(super) municipality: u16,
    pub(super) begin: Day,
    pub(super) end: Option<Day>,
    pub(super) status: &'static str,
}

/// All rows: the whole history, and what is known of the future.
pub(super) fn relations(country: &Country<'_>) -> Vec<Relation> {
    let mut rows: Vec<Relation> = country
        .towns
        .iter()
        .flat_map(|town| rows_of(country, town))
        .collect();
    // Codes that are reserved for a woonplaats that does not exist yet.
    rows.extend((9_001..9_004).map(|woonplaats| Relation {
        woonplaats,
        municipality: country.towns[0].municipality,
        begin: Day(-100),
        end: None,
        status: "voorlopig",
    }));
    rows
}

fn rows_of(country: &Country<'_>, town: &Town) -> Vec<Relation> {
    let first = if town.predecessor().is_some() {
        Town::SUCCESSION
    } else {
        Day(-6_600)
    };
    let row = |municipality, begin, end| Relation {
        woonplaats: town.code,
        municipality,
        begin,
        end,
        status: "definitief",
    };
    let mut rows = Vec::new();
    if let Some(woonplaats) = town.predecessor() {
        let end = Some(Town::SUCCESSION).filter(|_| town.index.is_multiple_of(12));
        rows.push(Relation {
            woonplaats,
            ..row(town.municipality, Day(-6_900), end)
        });
    }
    let mut begin = first;
    let reserved = Relation {
        status: "voorlopig",
        ..row(
            town.former.map_or(town.municipality, |(code, _)| code),
            Day(first.0 - 1),
            Some(first),
        )
    };
    rows.push(reserved);
    if let Some((code, day)) = town.former {
        rows.push(row(code, begin, Some(day)));
        begin = day;
    }
    let later = country.later_municipality(town);
    rows.push(row(
        town.municipality,
        begin,
        later.map(|_| country.calendar.new_year()),
    ));
    rows.extend(later.map(|code| row(code, country.calendar.new_year(), None)));
    rows
}

impl Relation {
    pub(super) fn write(&self, text: &mut Text<'_>) {
        text.raw("<gwr-product:GemeenteWoonplaatsRelatie><gwr-product:tijdvakgeldigheid><bagtypes:begindatumTijdvakGeldigheid>").day(self.begin);
        text.raw("</bagtypes:begindatumTijdvakGeldigheid>");
        if let Some(end) = self.end {
            text.raw("<bagtypes:einddatumTijdvakGeldigheid>")
                .day(end)
                .raw("</bagtypes:einddatumTijdvakGeldigheid>");
        }
        text.raw("</gwr-product:tijdvakgeldigheid><gwr-product:gerelateerdeWoonplaats><gwr-product:identificatie>").digits(u64::from(self.woonplaats), 4);
        text.raw("</gwr-product:identificatie></gwr-product:gerelateerdeWoonplaats><gwr-product:gerelateerdeGemeente><gwr-product:identificatie>");
        text.digits(u64::from(self.municipality), 4).raw(
            "</gwr-product:identificatie></gwr-product:gerelateerdeGemeente><gwr-product:status>",
        );
        text.raw(self.status)
            .raw("</gwr-product:status></gwr-product:GemeenteWoonplaatsRelatie>");
    }
}
