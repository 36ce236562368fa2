//! Notes that something is being looked into, as they come in with mutations.

use super::super::calendar::Moment;
use super::super::record::Id;

/// A note on an object, opened and perhaps closed since.
#[derive(Clone, Copy)]
pub(in super::super) struct Note {
    pub(in super::super) id: Id,
    pub(in super::super) opened: Moment,
    pub(in super::super) closed: Option<Moment>,
}
