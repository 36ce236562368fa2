//! Records the work that remains from the commit of the register until its generation is published.

use std::collections::BTreeSet;

use postduif_schema::{BagId, GenerationName, NummeraanduidingKind, OpenbareRuimteKind};
use serde::{Deserialize, Serialize};

use super::row::RegisterKey;

/// The remaining work for the generation that is named in the register's head. This work is stored in the register, so that the next run
/// can finish the work of an interrupted run.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum PendingGeneration {
    /// Only publishing remains. The generation is complete if its folder has the final name.
    Publish,
    /// The generation may have to be written first.
    Write(PendingChanges),
}

/// All that the next generation is written from.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct PendingChanges {
    /// The base generation, from which the next generation is made.
    pub(crate) base: GenerationName,
    nummeraanduiding_ids: Vec<u64>,
    openbare_ruimte_ids: Vec<u64>,
    /// The report of the delivery, in JSON.
    pub(crate) report: String,
}

impl PendingGeneration {
    /// The base generation, from which the next generation is made; `None` if only publishing remains.
    pub(crate) fn base(&self) -> Option<GenerationName> {
        match self {
            Self::Publish => None,
            Self::Write(changes) => Some(changes.base),
        }
    }
}

impl PendingChanges {
    pub(crate) fn new(
        base: GenerationName,
        nummeraanduidingen: &BTreeSet<BagId<NummeraanduidingKind>>,
        openbare_ruimten: &BTreeSet<BagId<OpenbareRuimteKind>>,
        report: String,
    ) -> Self {
        Self {
            base,
            nummeraanduiding_ids: nummeraanduidingen.iter().map(|id| id.get()).collect(),
            openbare_ruimte_ids: openbare_ruimten.iter().map(|id| id.get()).collect(),
            report,
        }
    }

    /// Nummeraanduidingen that may have another address than in `base`.
    pub(crate) fn nummeraanduidingen(&self) -> impl Iterator<Item = BagId<NummeraanduidingKind>> {
        self.nummeraanduiding_ids
            .iter()
            .filter_map(|&key| BagId::from_key(key))
    }

    /// Streets that may have another name than in `base`.
    pub(crate) fn openbare_ruimten(&self) -> impl Iterator<Item = BagId<OpenbareRuimteKind>> {
        self.openbare_ruimte_ids
            .iter()
            .filter_map(|&key| BagId::from_key(key))
    }
}
