//! Notes that something is being looked into, as they come in with mutations: opened on one day, closed on a later one.

use crate::synth::aside::Inquiry;
use crate::synth::calendar::Moment;
use crate::synth::record::Id;

/// A note on an object, opened and perhaps closed since.
#[derive(Clone, Copy)]
pub(in super::super) struct Note {
    pub(in super::super) id: Id,
    pub(super) opened: Moment,
    pub(super) closed: Option<Moment>,
}

/// A record before and after.
pub(in super::super) type Noted = (Option<Inquiry>, Inquiry);

impl Note {
    /// The records that it has: that something is looked into, and when that is over, that it no longer is.
    pub(in super::super) fn inquiries(&self) -> impl Iterator<Item = Inquiry> {
        let over = self.closed.map(|begin| Inquiry {
            id: self.id,
            open: false,
            begin,
            end: None,
        });
        [Inquiry {
            id: self.id,
            open: true,
            begin: self.opened,
            end: self.closed,
        }]
        .into_iter()
        .chain(over)
    }

    /// What is registered when it is opened.
    pub(super) fn open(&self) -> Vec<Noted> {
        self.inquiries().map(|inquiry| (None, inquiry)).collect()
    }

    /// Closes it and tells what is registered then.
    pub(super) fn close(&mut self, at: Moment) -> Vec<Noted> {
        let before: Vec<Inquiry> = self.inquiries().collect();
        self.closed = Some(at);
        let was = before.into_iter().map(Some).chain([None]);
        was.zip(self.inquiries()).collect()
    }
}
