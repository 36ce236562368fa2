//! The real worker, as far as it decides anything.

use postduif_schema::NoProgress;

use crate::cli::index::delivery_indexer::*;

fn carried(name: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
        .join("testdata")
        .join(name)
}

fn worker(
    folder: &Path,
    po_boxes: Option<PathBuf>,
    municipalities: Option<PathBuf>,
) -> DataFolderIndexer {
    DataFolderIndexer {
        data: DataFolder::new(folder),
        municipalities,
        po_boxes,
        accept_fewer: false,
        progress: Box::new(NoProgress),
    }
}

#[test]
fn a_rebuild_does_not_lose_the_tables_that_were_given() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let worker = |po_boxes, municipalities| worker(folder.path(), po_boxes, municipalities);
    let plain = worker(None, None);
    assert_eq!(plain.resume_register().expect("no register yet"), None);
    assert_eq!(plain.served_summary(), None);
    let boxes = Some(carried("po-boxes.csv"));
    let table = Some(carried("../indexer/data/municipalities.csv"));
    let town = carried("town.zip");
    let both = worker(boxes.clone(), table.clone());
    both.build(&town).expect("sound");
    let held = both.resume_register().expect("reads").expect("a register");
    assert_eq!(held.stand.to_string(), "2026-01-08");
    assert_eq!(
        both.served_summary().map(|served| served.addresses),
        Some(4371)
    );
    let case = |worker: &DataFolderIndexer, flag: &str| {
        let trouble = worker.build(&town).expect_err("they would be lost");
        assert_eq!(trouble.kind, DeliveryErrorKind::Settings);
        assert!(trouble.error.to_string().contains(flag), "{trouble:?}");
    };
    case(&worker(None, table), "--po-boxes");
    case(&worker(boxes, None), "--municipalities");
}

#[test]
fn a_mistake_of_the_operator_is_not_the_deliverys() {
    #[track_caller]
    fn case(municipalities: Option<PathBuf>, extract: PathBuf, cause: DeliveryErrorKind) {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let worker = worker(folder.path(), None, municipalities);
        let trouble = worker.build(&extract).expect_err("it cannot be built");
        assert_eq!(trouble.kind, cause, "{:#}", trouble.error);
    }
    let no_table = Some(carried("town.zip"));
    case(no_table, carried("town.zip"), DeliveryErrorKind::Settings);
    case(None, carried("po-boxes.csv"), DeliveryErrorKind::Damaged);
    case(None, carried("no-such.zip"), DeliveryErrorKind::Refused);
}

#[test]
fn damage_is_told_from_what_will_never_do() {
    let damaged = || {
        ExtractError::Archive(ArchiveError::Damaged {
            path: "day.zip".into(),
            reason: "no whole zip archive".into(),
        })
    };
    let other = || ExtractError::NoMutations("day.zip".into());
    let built = |error: ExtractError| DeliveryError::from(BuildError::from(error)).kind;
    let applied = |error: ExtractError| DeliveryError::from(ApplyError::from(error)).kind;
    assert_eq!(
        [built(damaged()), applied(damaged())],
        [DeliveryErrorKind::Damaged; 2]
    );
    assert_eq!(
        [built(other()), applied(other())],
        [DeliveryErrorKind::Refused; 2]
    );
}
