//! Changes that reach many addresses: of streets, woonplaatsen, and of the municipality that a woonplaats is in.

use super::{Scene, building, of_street};
use crate::synth::Layout;
use crate::synth::calendar::Day;
use crate::synth::country::Country;
use crate::synth::facts::{Facts, OpenbareRuimteFacts};
use crate::synth::mutations::editor::Editor;
use crate::synth::mutations::object::Book;
use crate::synth::mutations::register;
use crate::synth::mutations::register::{OUTSIDE, Register};
use crate::synth::record::{
    Id, Kind, OpenbareRuimteState, PandState, PandStatus, Standing, VerblijfsobjectStatus as Status,
};
use crate::synth::rng::Rng;
use crate::synth::street::shorten;
use crate::synth::woonplaatsen::{Relation, woonplaats_id};

fn change(scene: &mut Scene<'_>, change: impl FnOnce(&mut OpenbareRuimteFacts)) -> bool {
    let today = scene.today();
    let street = scene.book.street();
    street.current(today).is_some() && scene.editor.succeed(street, of_street(change))
}

/// Under a name that is long enough to have a short one.
pub(super) fn renamed(scene: &mut Scene<'_>) -> bool {
    let suffix = scene
        .rng
        .pick(&[" Noordzijde", " Oost", " bij de Oude Haven"]);
    change(scene, |facts| {
        let name = shorten(&facts.state.name);
        let plain = name.split(suffix).next().unwrap_or(&name);
        facts.state.name = if plain == name {
            let short: String = name.chars().take(60).collect();
            format!("{}{suffix}", short.trim_end())
        } else {
            format!("Nieuwe {plain}")
        };
    })
}

pub(super) fn moved(scene: &mut Scene<'_>) -> bool {
    if scene.book.outside {
        return false;
    }
    let (town, neighbour) = (
        scene.town().code,
        scene.country.neighbour(scene.plan.town).code,
    );
    change(scene, |facts| {
        facts.state.woonplaats = if facts.state.woonplaats == neighbour {
            town
        } else {
            neighbour
        };
    })
}

/// A new street with three houses that are in use at once.
pub(in super::super) fn found_street(
    register: &mut Register,
    country: &Country<'_>,
    editor: &mut Editor,
    rng: &mut Rng,
) {
    let town = &country.towns[town(country, rng)];
    let name = format!("Nieuwe Kade {}", register.plans.len());
    let plan = register.found_street(town.index, name.clone());
    let (first_number, postcode, numbers) = (
        plan.first_number,
        town.postcode(plan.first_postcode),
        register::numbers(plan),
    );
    let index = register.plans.len() - 1;
    let id = Id {
        issuer: town.municipality,
        kind: Kind::OpenbareRuimte,
        number: first_number,
    };
    let facts = Facts::OpenbareRuimte(OpenbareRuimteFacts {
        kind: "Weg",
        state: OpenbareRuimteState {
            name,
            standing: Standing::Live,
            woonplaats: town.code,
        },
    });
    let street = editor.add(id, editor.today(), facts);
    let mut book = Book::with(vec![street], numbers);
    let year = country.calendar.year();
    let middle = town.street_middle(rng.pick(&[0, 1, 2, 3]));
    for number in 1..=3 {
        let mut scene = Scene {
            country,
            plan: &register.plans[index],
            book: &mut book,
            editor: &mut *editor,
            rng: &mut *rng,
            later: &mut Vec::new(),
        };
        let at = middle.plus(i64::from(number) * 9_001, 3_007);
        let state = PandState {
            status: PandStatus::InGebruik,
            year,
        };
        building::build(&mut scene, (number, postcode, at), Status::InGebruik, state);
    }
    register.books.insert(index, book);
}

fn town(country: &Country<'_>, rng: &mut Rng) -> usize {
    usize::try_from(rng.below(country.towns.len() as u64)).expect("a draw is small")
}

/// All its addresses change.
pub(in super::super) fn rename_woonplaats(
    register: &mut Register,
    country: &Country<'_>,
    editor: &mut Editor,
    rng: &mut Rng,
) -> bool {
    let first = town(country, rng);
    let towns = country.towns[first..].iter().chain(&country.towns[..first]);
    for town in towns {
        let id = woonplaats_id(town.code);
        let object = register
            .woonplaatsen
            .iter_mut()
            .find(|found| found.id == id);
        let Some(object) = object.filter(|object| object.current(editor.today()).is_some()) else {
            continue;
        };
        return editor.succeed(object, |facts| {
            if let Facts::Woonplaats(facts) = facts {
                facts.name = match facts.name.strip_suffix(" aan Zee") {
                    Some(plain) => plain.to_owned(),
                    None => format!("{} aan Zee", facts.name),
                };
            }
        });
    }
    false
}

/// A woonplaats goes over to another municipality two days after this delivery: the table says so today, and nothing does on that day.
pub(in super::super) fn move_woonplaats(
    register: &mut Register,
    country: &Country<'_>,
    rng: &mut Rng,
) -> bool {
    let codes = &country.municipalities.current;
    let (today, begin) = (Day(register.day), Day(register.day + 2));
    let goes = |row: &Relation| {
        // The towns of a municipal delivery are all that it has: only others can go over.
        let may = country.spec.layout == Layout::National || row.woonplaats == OUTSIDE;
        may && row.end.is_none() && row.begin <= today && row.status == "definitief"
    };
    let start =
        usize::try_from(rng.below(register.relations.len() as u64)).expect("a draw is small");
    let (before, from) = register.relations.split_at_mut(start);
    let mut rows = from.iter_mut().chain(before);
    let Some(row) = rows.find(|row| goes(row)) else {
        return false;
    };
    let woonplaats = row.woonplaats;
    row.end = Some(begin);
    let next = codes.iter().position(|&code| code == row.municipality);
    let municipality = codes[next.map_or(0, |index| index + 1) % codes.len()];
    register.relations.push(Relation {
        woonplaats,
        municipality,
        begin,
        end: None,
        status: "definitief",
    });
    true
}
