//! Generates an extract and the mutation deliveries that follow it.

use std::path::PathBuf;

use synth::{Deliveries, ExpectedAddress, Layout, Spec};

/// The files of a generated extract and its mutation deliveries, deleted on drop.
pub(crate) struct GeneratedRun {
    folder: tempfile::TempDir,
    spec: Spec,
    deliveries: Deliveries,
    /// The mutation deliveries, in the order of their days.
    pub(crate) paths: Vec<PathBuf>,
}

impl GeneratedRun {
    pub(crate) fn generate(layout: Layout, addresses: u64, seed: u64, days: u32) -> Self {
        let spec = Spec::new(addresses, seed)
            .expect("a spec")
            .with_layout(layout);
        let deliveries = Deliveries::new(days).expect("a year at most");
        let folder = tempfile::tempdir().expect("a temporary folder");
        let written = synth::write_deliveries(&spec, &deliveries, folder.path(), |_| ());
        let paths = written.expect("writes").deliveries;
        Self {
            folder,
            spec,
            deliveries,
            paths,
        }
    }

    /// Writes an extract of the state after `day` deliveries; returns its path.
    pub(crate) fn extract(&self, day: u32) -> PathBuf {
        let path = self.folder.path().join(format!("extract-{day}.zip"));
        let written = synth::write_extract_on(&self.spec, &self.deliveries, day, &path, |_| ());
        written.expect("writes");
        path
    }

    /// The addresses that must be served after `day` deliveries, by id.
    pub(crate) fn expected(&self, day: u32) -> Vec<ExpectedAddress> {
        let expected = synth::expected_addresses_on(&self.spec, &self.deliveries, day);
        let mut expected: Vec<_> = expected.collect();
        expected.sort_by(|a, b| a.id.cmp(&b.id));
        expected
    }
}
