//! Commits an update of the register when the generation that is written from it is ready.

use std::sync::mpsc;
use std::thread;

use super::affected::AffectedAddresses;
use super::error::ApplyError;
use super::register_update::RegisterUpdate;
use crate::day::Day;
use crate::municipalities::MunicipalityTable;
use crate::register::{PendingChanges, PendingGeneration, Register, RegisterCommit, RegisterHead};

/// Writes an update of the register on another thread while `write_generation` runs. Commits only after `write_generation` has returned
/// a generation and the report in JSON. From then until the generation is published, the register is newer than the published
/// generation. If `write_generation` or writing the update fails, the register does not change.
pub(super) fn commit_after<T>(
    register: &Register,
    previous_head: &RegisterHead,
    update: &RegisterUpdate<'_>,
    new_head: &RegisterHead,
    municipalities: &MunicipalityTable,
    write_generation: impl FnOnce() -> Result<(T, String), ApplyError>,
) -> Result<T, ApplyError> {
    let AffectedAddresses { addresses, streets } = &update.affected;
    let base = previous_head.generation;
    let pending =
        |report| PendingGeneration::Write(PendingChanges::new(base, addresses, streets, report));
    let commit = RegisterCommit {
        overlay: &update.overlay,
        previous_stand: Day::from(previous_head.stand),
        head: new_head,
        left_out: &update.left_out,
        relations: update.new_relations(),
        municipalities,
    };
    let (report_sender, report_receiver) = mpsc::sync_channel(1);
    thread::scope(|scope| {
        let commit = &commit;
        let committed = scope
            .spawn(move || register.commit(commit, || report_receiver.recv().ok().map(pending)));
        let outcome = write_generation().map(|(outcome, report)| {
            // Sending fails only if the other thread failed. The error of that thread is then in `committed`.
            report_sender.send(report).ok();
            outcome
        });
        drop(report_sender);
        let committed = committed.join().expect("writing rows does not panic");
        let outcome = outcome?;
        committed?;
        Ok(outcome)
    })
}
