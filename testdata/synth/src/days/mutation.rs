//! Holds the changes of one day, in the form of a delivery.

use crate::model::{Identificatie, OnderzoekChange, SynthVoorkomen};

/// One mutation of a voorkomen.
pub(crate) enum MutationElement {
    Toevoeging(Box<SynthVoorkomen>),
    /// The voorkomen before and after the mutation.
    Wijziging(Box<[SynthVoorkomen; 2]>),
    Verwijdering(Box<SynthVoorkomen>),
}

/// Mutations of one object that are registered together.
pub(crate) struct MutationGroup {
    pub(crate) id: Identificatie,
    pub(crate) mutations: Vec<MutationElement>,
}

/// All changes of one day.
#[derive(Default)]
pub(crate) struct DayChanges {
    pub(crate) groups: Vec<MutationGroup>,
    /// Changes of investigations, group by group.
    pub(crate) onderzoek: Vec<Vec<OnderzoekChange>>,
}
