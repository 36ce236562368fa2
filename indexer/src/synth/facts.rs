//! What a voorkomen says, whole, for any object type: what is written of it, and what a mutation changes.

use super::elements::Mark;
use super::history::History;
use super::record::{
    Id, Life, Nummeraanduiding, NummeraanduidingState, ObjectKind, OpenbareRuimte,
    OpenbareRuimteState, Pand, PandState, Plaats, Standing, Use, Verblijfsobject,
};
use super::shape::{Mm, Shape};

/// All that one voorkomen says of its object.
#[derive(Clone, Debug)]
pub(super) enum Facts {
    Woonplaats(WoonplaatsFacts),
    OpenbareRuimte(OpenbareRuimteFacts),
    Nummeraanduiding(NummeraanduidingFacts),
    Verblijfsobject(VerblijfsobjectFacts),
    Plaats(PlaatsFacts),
    Pand(PandFacts),
}

#[derive(Clone, Debug)]
pub(super) struct WoonplaatsFacts {
    pub(super) name: String,
    pub(super) standing: Standing,
    /// The outlines of its parts.
    pub(super) parts: Vec<Vec<Mm>>,
}

#[derive(Clone, Debug)]
pub(super) struct OpenbareRuimteFacts {
    pub(super) kind: &'static str,
    pub(super) state: OpenbareRuimteState,
}

#[derive(Clone, Debug)]
pub(super) struct NummeraanduidingFacts {
    pub(super) number: u32,
    pub(super) letter: Option<char>,
    pub(super) addition: Option<String>,
    pub(super) kind: ObjectKind,
    pub(super) street: Id,
    pub(super) state: NummeraanduidingState,
}

#[derive(Clone, Debug)]
pub(super) struct VerblijfsobjectFacts {
    pub(super) hoofdadres: Id,
    pub(super) nevenadressen: Vec<Id>,
    pub(super) shape: Shape,
    pub(super) panden: Vec<Id>,
    pub(super) usage: Use,
}

#[derive(Clone, Debug)]
pub(super) struct PlaatsFacts {
    pub(super) hoofdadres: Id,
    pub(super) nevenadressen: Vec<Id>,
    pub(super) shape: Shape,
    pub(super) standing: Standing,
}

#[derive(Clone, Debug)]
pub(super) struct PandFacts {
    pub(super) shape: Shape,
    pub(super) state: PandState,
}

/// One voorkomen: what it says and when.
#[derive(Clone, Debug)]
pub(super) struct Version {
    pub(super) history: History,
    pub(super) facts: Facts,
}

/// Anything with voorkomens that can be written.
pub(super) trait Record {
    fn id(&self) -> Id;
    fn voorkomens(&self) -> usize;
    /// The voorkomen at `index` (from 0); a marked one is numbered after the last.
    fn version(&self, index: usize, mark: Mark) -> Version;
}

/// A voorkomen of a life.
pub(super) fn version<S>(
    life: &Life<S>,
    number: u64,
    (index, mark): (usize, Mark),
    facts: impl FnOnce(&S) -> Facts,
) -> Version {
    Version {
        history: History::of(life, number, index, mark),
        facts: facts(life.state(index)),
    }
}

impl Record for OpenbareRuimte {
    fn id(&self) -> Id {
        self.id
    }

    fn voorkomens(&self) -> usize {
        self.life.len()
    }

    fn version(&self, index: usize, mark: Mark) -> Version {
        version(&self.life, self.id.number, (index, mark), |state| {
            Facts::OpenbareRuimte(OpenbareRuimteFacts {
                kind: self.kind,
                state: state.clone(),
            })
        })
    }
}

impl Record for Nummeraanduiding {
    fn id(&self) -> Id {
        self.id
    }

    fn voorkomens(&self) -> usize {
        self.life.len()
    }

    fn version(&self, index: usize, mark: Mark) -> Version {
        version(&self.life, self.id.number, (index, mark), |&state| {
            Facts::Nummeraanduiding(NummeraanduidingFacts {
                number: self.number,
                letter: self.letter,
                addition: self.addition.clone(),
                kind: self.kind,
                street: self.street,
                state,
            })
        })
    }
}

impl Record for Verblijfsobject {
    fn id(&self) -> Id {
        self.id
    }

    fn voorkomens(&self) -> usize {
        self.life.len()
    }

    fn version(&self, index: usize, mark: Mark) -> Version {
        version(&self.life, self.id.number, (index, mark), |&usage| {
            Facts::Verblijfsobject(VerblijfsobjectFacts {
                hoofdadres: self.hoofdadres,
                nevenadressen: self.nevenadressen.clone(),
                shape: self.shape,
                panden: self.panden.clone(),
                usage,
            })
        })
    }
}

impl Record for Plaats {
    fn id(&self) -> Id {
        self.id
    }

    fn voorkomens(&self) -> usize {
        self.life.len()
    }

    fn version(&self, index: usize, mark: Mark) -> Version {
        version(&self.life, self.id.number, (index, mark), |&standing| {
            Facts::Plaats(PlaatsFacts {
                hoofdadres: self.hoofdadres,
                nevenadressen: self.nevenadressen.clone(),
                shape: self.shape,
                standing,
            })
        })
    }
}

impl Record for Pand {
    fn id(&self) -> Id {
        self.id
    }

    fn voorkomens(&self) -> usize {
        self.life.len()
    }

    fn version(&self, index: usize, mark: Mark) -> Version {
        version(&self.life, self.id.number, (index, mark), |&state| {
            Facts::Pand(PandFacts {
                shape: self.shape,
                state,
            })
        })
    }
}
