//! Represents investigations: features of objects that are *in onderzoek* because they may be wrong.

use super::identificatie::Identificatie;
use crate::calendar::LocalMoment;

/// One record (*kenmerk in onderzoek*) of an investigation that is open or has ended.
#[derive(Clone, Copy)]
pub(crate) struct OnderzoekRecord {
    pub(crate) id: Identificatie,
    pub(crate) is_open: bool,
    pub(crate) begin: LocalMoment,
    pub(crate) end: Option<LocalMoment>,
}

/// A record before and after a mutation. The record before is `None` if the mutation adds the record.
pub(crate) type OnderzoekChange = (Option<OnderzoekRecord>, OnderzoekRecord);

/// An investigation of one object that mutations opened and may have closed.
#[derive(Clone, Copy)]
pub(crate) struct Onderzoek {
    pub(crate) id: Identificatie,
    pub(crate) opened: LocalMoment,
    pub(crate) closed: Option<LocalMoment>,
}

impl Onderzoek {
    /// The records of the investigation: an open record and, once the investigation is closed, an ended record.
    pub(crate) fn records(&self) -> impl Iterator<Item = OnderzoekRecord> {
        let ended = self.closed.map(|begin| OnderzoekRecord {
            id: self.id,
            is_open: false,
            begin,
            end: None,
        });
        [OnderzoekRecord {
            id: self.id,
            is_open: true,
            begin: self.opened,
            end: self.closed,
        }]
        .into_iter()
        .chain(ended)
    }

    /// The changes that register a new investigation.
    pub(crate) fn opening_changes(&self) -> Vec<OnderzoekChange> {
        self.records().map(|record| (None, record)).collect()
    }

    /// Closes the investigation and returns the changes that register the end.
    pub(crate) fn close(&mut self, at: LocalMoment) -> Vec<OnderzoekChange> {
        let before: Vec<OnderzoekRecord> = self.records().collect();
        self.closed = Some(at);
        let was = before.into_iter().map(Some).chain([None]);
        was.zip(self.records()).collect()
    }
}
