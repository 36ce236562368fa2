//! A delivery whose application is stopped on the way, and what must hold then.

use std::path::PathBuf;

use postduif_indexer::verify_generation;
use postduif_schema::Address;
use synth::Layout;

use super::run::Run;
use crate::data_dir::Served;

/// A data folder before a delivery, and what it serves before and after.
pub(crate) struct Case {
    pub(crate) base: Served,
    pub(crate) delivery: PathBuf,
    before: Vec<Address>,
    after: Vec<Address>,
    content: Vec<String>,
    _run: Run,
}

impl Case {
    pub(crate) fn new() -> Self {
        let run = Run::of(Layout::National, 1_000, 5, 3);
        let base = Served::generation_of(&std::fs::read(run.extract(0)).expect("readable"));
        // The second day has nothing but a change that was told for it; the third is one like any other.
        run.paths[..2]
            .iter()
            .for_each(|path| drop(base.applied(path)));
        let delivery = run.paths[2].clone();
        let done = base.copy();
        let report = done.applied(&delivery);
        assert!(
            report.change_counts.changed > 10,
            "a day with changes: {report}"
        );
        Self {
            before: base.addresses(),
            after: done.addresses(),
            content: done.sorted_content(),
            base,
            delivery,
            _run: run,
        }
    }

    /// Every generation is whole, and what is served is the one or the other: says whether it is the new one.
    pub(crate) fn is_new(&self, served: &Served, what: &str) -> bool {
        for generation in served.data.list_generations().expect("readable") {
            verify_generation(&served.data, generation).expect(what);
        }
        let found = served.addresses();
        let new = found == self.after;
        assert!(
            new || found == self.before,
            "{what}: neither the old nor the new"
        );
        new
    }

    /// The next run leads to the new state, and leaves nothing behind.
    pub(crate) fn ends_well(&self, served: &Served, what: &str) {
        served.apply(&self.delivery).expect(what);
        assert!(self.is_new(served, what), "{what}");
        assert!(served.sorted_content() == self.content, "{what}");
        served.is_sound();
    }
}
