//! The shapes that changes come in, each done to one street that has what it needs.

mod building;
mod corrections;
mod numbers;
mod objects;
mod places;
mod streets;

use super::editor::Editor;
use super::object::{Book, Object};
use crate::synth::calendar::Day;
use crate::synth::country::{Country, StreetPlan, Town};
use crate::synth::facts::{
    Facts, NummeraanduidingFacts, OpenbareRuimteFacts, PandFacts, PlaatsFacts, VerblijfsobjectFacts,
};
use crate::synth::record::{Id, Kind, Postcode, Standing, VerblijfsobjectStatus as Status};
use crate::synth::rng::Rng;

pub(super) use super::shapes::streets::{found_street, move_woonplaats, rename_woonplaats};

/// A street on one day, and those who change it.
pub(super) struct Scene<'a> {
    pub(super) country: &'a Country<'a>,
    pub(super) plan: &'a StreetPlan,
    pub(super) book: &'a mut Book,
    pub(super) editor: &'a mut Editor,
    pub(super) rng: &'a mut Rng,
    /// What is to be done on a later day.
    pub(super) later: &'a mut Vec<Follow>,
}

/// What a later day goes on with.
#[derive(Clone, Copy)]
pub(super) enum Follow {
    /// A planned house is lived in.
    Occupy { object: Id, pand: Id },
    /// A verblijfsobject that was rebuilt is used again.
    Reopen(Id),
    /// A nummeraanduiding gets its postcode back.
    Restore(Id, Postcode),
    /// What was to come turns out otherwise.
    Reconsider(Id),
}

/// Does it, or finds that the street has nothing it can be done to and leaves it alone.
pub(super) type Shape = fn(&mut Scene<'_>) -> bool;

/// All shapes of one street, by name. Those that a later day goes on with come first.
pub(super) const SHAPES: [(&str, Shape); 38] = [
    ("house planned, later in use", building::house),
    ("verblijfsobject rebuilt, later in use", objects::rebuilt),
    (
        "postcode taken off, later given back",
        numbers::postcode_off,
    ),
    (
        "future change, later changed again",
        corrections::far_future,
    ),
    ("future change that takes effect", corrections::future),
    ("verblijfsobject surface", objects::surface),
    ("verblijfsobject purposes", objects::purposes),
    ("verblijfsobject moved", objects::moved),
    ("verblijfsobject in other panden", objects::other_panden),
    ("verblijfsobject and number withdrawn", objects::withdrawn),
    ("pand year", objects::year),
    ("pand demolished", objects::demolished),
    ("postcode changed", numbers::postcode),
    ("postcode given", numbers::postcode_given),
    ("house number changed", numbers::number),
    ("letter changed", numbers::letter),
    ("addition changed", numbers::addition),
    ("number withdrawn", numbers::withdrawn),
    ("number in its own woonplaats", numbers::own_woonplaats),
    ("nevenadres added", numbers::nevenadres),
    ("hoofdadres and nevenadres swapped", numbers::swapped),
    ("street renamed", streets::renamed),
    ("street moved to another woonplaats", streets::moved),
    ("two voorkomens replaced", corrections::replaced),
    ("voorkomen annulled", corrections::annulled),
    ("number annulled", corrections::number_annulled),
    ("pand annulled", corrections::pand_annulled),
    ("voorkomen not of the register", corrections::disowned),
    ("old voorkomen removed", corrections::old_removed),
    ("last voorkomen removed", corrections::last_removed),
    ("objects removed", corrections::objects_removed),
    ("voorkomen of no length", corrections::zero_length),
    ("object in several groups", corrections::thrice),
    ("future change annulled", corrections::future_annulled),
    ("ligplaats changed", places::ligplaats_moved),
    ("standplaats changed", places::standplaats_moved),
    ("ligplaats and standplaats added", places::added),
    ("ligplaats or standplaats withdrawn", places::withdrawn),
];

/// What most of a large delivery is made of, as often as it stands here; first what any street has.
pub(super) const USUAL: [(&str, Shape); 20] = [
    ("verblijfsobject surface", objects::surface),
    ("verblijfsobject surface", objects::surface),
    ("verblijfsobject surface", objects::surface),
    ("verblijfsobject surface", objects::surface),
    ("verblijfsobject surface", objects::surface),
    ("verblijfsobject surface", objects::surface),
    ("verblijfsobject surface", objects::surface),
    ("verblijfsobject purposes", objects::purposes),
    ("verblijfsobject moved", objects::moved),
    ("pand year", objects::year),
    ("pand year", objects::year),
    ("house planned, later in use", building::house),
    ("verblijfsobject rebuilt, later in use", objects::rebuilt),
    ("postcode changed", numbers::postcode),
    ("verblijfsobject in other panden", objects::other_panden),
    ("number in its own woonplaats", numbers::own_woonplaats),
    ("future change that takes effect", corrections::future),
    ("two voorkomens replaced", corrections::replaced),
    ("verblijfsobject and number withdrawn", objects::withdrawn),
    ("nevenadres added", numbers::nevenadres),
];

/// What a street of another municipality undergoes.
pub(super) const ELSEWHERE: [Shape; 12] = [
    building::house,
    objects::surface,
    objects::withdrawn,
    objects::year,
    numbers::nevenadres,
    streets::renamed,
    corrections::replaced,
    corrections::annulled,
    corrections::pand_annulled,
    corrections::disowned,
    corrections::objects_removed,
    places::added,
];

/// Goes on with what an earlier day began.
pub(super) fn go_on(scene: &mut Scene<'_>, follow: Follow) -> bool {
    match follow {
        Follow::Occupy { object, pand } => building::occupy(scene, object, pand),
        Follow::Reopen(object) => objects::reopened(scene, object),
        Follow::Restore(number, postcode) => numbers::postcode_back(scene, number, postcode),
        Follow::Reconsider(object) => corrections::reconsidered(scene, object),
    }
}

/// The parts of a dwelling that nothing else has to do with.
#[derive(Clone, Copy)]
pub(super) struct Home {
    number: Id,
    object: Id,
    pand: Id,
}

impl Scene<'_> {
    fn today(&self) -> Day {
        self.editor.today()
    }

    fn town(&self) -> &Town {
        &self.country.towns[self.plan.town]
    }

    /// Changes the open voorkomen of an object into a next one.
    fn succeed(&mut self, id: Id, change: impl FnOnce(&mut Facts)) -> bool {
        let Some(object) = self.book.get_mut(id) else {
            return false;
        };
        self.editor.succeed(object, change)
    }

    /// Lets the editor do something to an object.
    fn with(&mut self, id: Id, act: impl FnOnce(&mut Editor, &mut Object) -> bool) -> bool {
        let Some(object) = self.book.get_mut(id) else {
            return false;
        };
        act(self.editor, object)
    }

    /// Keeps an object for a later day.
    fn keep(&mut self, ids: &[Id], follow: Follow) {
        self.book.reserved.extend(ids);
        self.later.push(follow);
    }

    /// Any object of a kind that passes, in an order that chance turns.
    fn any(&mut self, kind: Kind, passes: impl Fn(&Book, &Object) -> bool) -> Option<Id> {
        let ids: Vec<Id> = self.book.free(kind).map(|object| object.id).collect();
        let start = usize::try_from(self.rng.below(ids.len() as u64)).expect("a draw is small");
        let mut turned = ids[start..].iter().chain(&ids[..start]).copied();
        turned.find(|&id| {
            self.book
                .get(id)
                .is_some_and(|object| passes(self.book, object))
        })
    }

    /// A verblijfsobject that is there today, planned or not.
    fn object(&mut self) -> Option<Id> {
        let today = self.today();
        self.any(Kind::Verblijfsobject, |_, object| {
            matches!(object.current(today), Some(Facts::Verblijfsobject(facts)) if facts.usage.status.is_live())
        })
    }

    /// A number with a verblijfsobject in a pand, all of them live, that no other object names.
    fn home(&mut self) -> Option<Home> {
        let today = self.today();
        let id = self.any(Kind::Verblijfsobject, |book, object| {
            home_of(book, object, today).is_some()
        })?;
        home_of(self.book, self.book.get(id)?, today)
    }
}

fn home_of(book: &Book, object: &Object, today: Day) -> Option<Home> {
    let Some(Facts::Verblijfsobject(facts)) = object.current(today) else {
        return None;
    };
    let (number, pand) = (facts.hoofdadres, *facts.panden.first()?);
    let named = book.number(number, today)?;
    let whole = facts.usage.status == Status::InGebruik
        && facts.nevenadressen.is_empty()
        && facts.panden.len() == 1
        && named.state.standing == Standing::Live
        && named.state.postcode.is_some()
        && book.pand(pand, today)?.state.status.stands()
        && ![number, pand].iter().any(|id| book.reserved.contains(id))
        && book.users(number) == 1;
    whole.then_some(Home {
        number,
        object: object.id,
        pand,
    })
}

fn of_street(change: impl FnOnce(&mut OpenbareRuimteFacts)) -> impl FnOnce(&mut Facts) {
    move |facts| {
        if let Facts::OpenbareRuimte(facts) = facts {
            change(facts);
        }
    }
}

fn of_number(change: impl FnOnce(&mut NummeraanduidingFacts)) -> impl FnOnce(&mut Facts) {
    move |facts| {
        if let Facts::Nummeraanduiding(facts) = facts {
            change(facts);
        }
    }
}

fn of_object(change: impl FnOnce(&mut VerblijfsobjectFacts)) -> impl FnOnce(&mut Facts) {
    move |facts| {
        if let Facts::Verblijfsobject(facts) = facts {
            change(facts);
        }
    }
}

fn of_place(change: impl FnOnce(&mut PlaatsFacts)) -> impl FnOnce(&mut Facts) {
    move |facts| {
        if let Facts::Plaats(facts) = facts {
            change(facts);
        }
    }
}

fn of_pand(change: impl FnOnce(&mut PandFacts)) -> impl FnOnce(&mut Facts) {
    move |facts| {
        if let Facts::Pand(facts) = facts {
            change(facts);
        }
    }
}
