//! Sets up a delivery whose application the tests interrupt, and checks the state after the interruption.

use std::path::PathBuf;

use postduif_indexer::verify_generation;
use postduif_schema::Address;
use synth::Layout;

use super::run::GeneratedRun;
use crate::data_dir::ServedFolder;

/// A data folder before a delivery is applied, and its content before and after the delivery.
pub(crate) struct InterruptedDelivery {
    pub(crate) base: ServedFolder,
    pub(crate) delivery: PathBuf,
    before: Vec<Address>,
    after: Vec<Address>,
    content: Vec<String>,
    _run: GeneratedRun,
}

impl InterruptedDelivery {
    pub(crate) fn new() -> Self {
        let run = GeneratedRun::generate(Layout::National, 1_000, 5, 3);
        let base = ServedFolder::generation_of(&std::fs::read(run.extract(0)).expect("readable"));
        // The second delivery is empty, but an announced change takes effect on its day. The third delivery is an ordinary one.
        run.paths[..2]
            .iter()
            .for_each(|path| drop(base.apply_as_new(path)));
        let delivery = run.paths[2].clone();
        let done = base.copy();
        let report = done.apply_as_new(&delivery);
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

    /// Checks that every generation is complete, and that the old or the new generation is served. Returns whether the new
    /// generation is served.
    pub(crate) fn is_new(&self, served: &ServedFolder, context: &str) -> bool {
        for generation in served.data.list_generations().expect("readable") {
            verify_generation(&served.data, generation).expect(context);
        }
        let found = served.addresses();
        let new = found == self.after;
        assert!(
            new || found == self.before,
            "{context}: neither the old nor the new addresses are served"
        );
        new
    }

    /// Applies the delivery again. Checks that the result is the state after the delivery, without temporary files.
    pub(crate) fn check_recovery(&self, served: &ServedFolder, context: &str) {
        served.apply(&self.delivery).expect(context);
        assert!(self.is_new(served, context), "{context}");
        assert!(served.sorted_content() == self.content, "{context}");
        served.assert_sound();
    }
}
