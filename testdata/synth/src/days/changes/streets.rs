//! Makes changes that affect many addresses: of openbare ruimten, of woonplaatsen and of the municipalities of woonplaatsen.

use super::houses;
use super::street_edit::{StreetEdit, on_openbare_ruimte};
use crate::calendar::DayOffset;
use crate::days::editor::DayEditor;
use crate::model::{
    AssignmentStatus, Identificatie, ObjectAttributes, OpenbareRuimteAttributes,
    OpenbareRuimteState, PandState, PandStatus, SynthObjectType, VerblijfsobjectStatus,
};
use crate::names::with_room_for_suffix;
use crate::plan::CountryPlan;
use crate::register::{OUTSIDE_WOONPLAATS, StreetObjects, SynthRegister};
use crate::rng::Rng;
use crate::spec::Layout;
use crate::woonplaatsen::RelationRow;

fn change_street(
    edit: &mut StreetEdit<'_>,
    change: impl FnOnce(&mut OpenbareRuimteAttributes),
) -> bool {
    let today = edit.today();
    let street = edit.objects.openbare_ruimte();
    street.open_attributes(today).is_some()
        && edit.editor.supersede(street, on_openbare_ruimte(change))
}

/// Gives a street a name so long that the name has a short form.
pub(crate) fn rename_street(edit: &mut StreetEdit<'_>) -> bool {
    let suffix = edit
        .rng
        .pick(&[" Noordzijde", " Oost", " bij de Oude Haven"]);
    change_street(edit, |street| {
        let name = with_room_for_suffix(&street.state.name);
        let plain = name.split(suffix).next().unwrap_or(&name);
        street.state.name = if plain == name {
            let short: String = name.chars().take(60).collect();
            format!("{}{suffix}", short.trim_end())
        } else {
            format!("Nieuwe {plain}")
        };
    })
}

/// Moves a street to the neighbouring woonplaats or back.
pub(crate) fn move_street(edit: &mut StreetEdit<'_>) -> bool {
    if edit.objects.is_outside {
        return false;
    }
    let (town, neighbour) = (
        edit.town().code,
        edit.country.neighbour(edit.plan.town).code,
    );
    change_street(edit, |street| {
        street.state.woonplaats = if street.state.woonplaats == neighbour {
            town
        } else {
            neighbour
        };
    })
}

/// Adds a street with three houses in use.
pub(crate) fn add_street(
    register: &mut SynthRegister,
    country: &CountryPlan<'_>,
    editor: &mut DayEditor,
    rng: &mut Rng,
) {
    let town = &country.towns[any_town(country, rng)];
    let name = format!("Nieuwe Kade {}", register.plans.len());
    let plan = register.plan_new_street(town.index, name.clone());
    let (id, postcode, numbers) = (
        Identificatie {
            issuer: town.municipality,
            object_type: SynthObjectType::OpenbareRuimte,
            number: plan.first_number,
        },
        town.postcode(plan.first_postcode),
        plan.numbers(),
    );
    let index = register.plans.len() - 1;
    let attributes = ObjectAttributes::OpenbareRuimte(OpenbareRuimteAttributes {
        kind: "Weg",
        state: OpenbareRuimteState {
            name,
            status: AssignmentStatus::Assigned,
            woonplaats: town.code,
        },
    });
    let mut objects = StreetObjects::new(vec![editor.create(id, attributes)], numbers);
    let state = PandState {
        status: PandStatus::InGebruik,
        year: country.calendar.year(),
    };
    let middle = town.street_middle(rng.pick(&[0, 1, 2, 3]));
    for number in 1..=3 {
        let mut edit = StreetEdit {
            country,
            plan: &register.plans[index],
            objects: &mut objects,
            editor: &mut *editor,
            rng: &mut *rng,
            follow_ups: &mut Vec::new(),
        };
        let address = (
            number,
            postcode,
            middle.plus(i64::from(number) * 9_001, 3_007),
        );
        houses::add_house(&mut edit, address, VerblijfsobjectStatus::InGebruik, state);
    }
    register.changed_streets.insert(index, objects);
}

fn any_town(country: &CountryPlan<'_>, rng: &mut Rng) -> usize {
    usize::try_from(rng.below(country.towns.len() as u64)).expect("a draw is small")
}

/// Renames a woonplaats, which changes all its addresses. Returns false if no woonplaats can be renamed.
pub(crate) fn rename_woonplaats(
    register: &mut SynthRegister,
    country: &CountryPlan<'_>,
    editor: &mut DayEditor,
    rng: &mut Rng,
) -> bool {
    let first = any_town(country, rng);
    let towns = country.towns[first..].iter().chain(&country.towns[..first]);
    for town in towns {
        let id = Identificatie::from_woonplaats_code(town.code);
        let object = register
            .woonplaatsen
            .iter_mut()
            .find(|found| found.id == id);
        let Some(object) = object.filter(|object| object.open_attributes(editor.today()).is_some())
        else {
            continue;
        };
        return editor.supersede(object, |attributes| {
            if let ObjectAttributes::Woonplaats(woonplaats) = attributes {
                woonplaats.name = match woonplaats.name.strip_suffix(" aan Zee") {
                    Some(plain) => plain.to_owned(),
                    None => format!("{} aan Zee", woonplaats.name),
                };
            }
        });
    }
    false
}

/// Moves a woonplaats to another municipality two days after this delivery. Only the table of woonplaatsen in this delivery
/// contains the move; no mutation does.
pub(crate) fn move_woonplaats(
    register: &mut SynthRegister,
    country: &CountryPlan<'_>,
    rng: &mut Rng,
) -> bool {
    let codes = &country.municipalities.current;
    let (today, begin) = (DayOffset(register.day), DayOffset(register.day + 2));
    let can_move = |row: &RelationRow| {
        // A municipal delivery needs all towns of its own municipality, so only the outside town can move.
        let is_free =
            country.spec.layout == Layout::National || row.woonplaats == OUTSIDE_WOONPLAATS;
        is_free && row.end.is_none() && row.begin <= today && row.status == "definitief"
    };
    let start =
        usize::try_from(rng.below(register.relations.len() as u64)).expect("a draw is small");
    let (before, from) = register.relations.split_at_mut(start);
    let mut rows = from.iter_mut().chain(before);
    let Some(row) = rows.find(|row| can_move(row)) else {
        return false;
    };
    let woonplaats = row.woonplaats;
    row.end = Some(begin);
    let next = codes.iter().position(|&code| code == row.municipality);
    let municipality = codes[next.map_or(0, |index| index + 1) % codes.len()];
    register.relations.push(RelationRow {
        woonplaats,
        municipality,
        begin,
        end: None,
        status: "definitief",
    });
    true
}
