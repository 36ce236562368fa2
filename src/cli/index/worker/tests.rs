//! The real worker, as far as it decides anything.

use postduif_indexer::Silent;

use super::*;

fn carried(name: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
        .join("testdata")
        .join(name)
}

#[test]
fn a_rebuild_does_not_lose_the_post_office_boxes() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let worker = |po_boxes| Indexer {
        data: DataFolder::new(folder.path()),
        municipalities: None,
        po_boxes,
        accept_fewer: false,
        progress: Box::new(Silent),
    };
    let (with, without) = (worker(Some(carried("po-boxes.csv"))), worker(None));
    assert_eq!(without.held().expect("no register yet"), None);
    assert_eq!(without.addresses(), None);
    let town = carried("town.zip");
    with.build(&town).expect("sound");
    let held = with.held().expect("reads").expect("a register");
    assert_eq!(held.stand.to_string(), "2026-01-08");
    assert_eq!(with.addresses(), Some(4371));
    let trouble = without.build(&town).expect_err("they would be lost");
    assert_eq!(trouble.cause, Cause::Settings);
    assert!(trouble.error.to_string().contains("--po-boxes"));
}

#[test]
fn a_mistake_of_the_operator_is_not_the_deliverys() {
    #[track_caller]
    fn case(municipalities: Option<PathBuf>, extract: PathBuf, cause: Cause) {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let worker = Indexer {
            data: DataFolder::new(folder.path()),
            municipalities,
            po_boxes: None,
            accept_fewer: false,
            progress: Box::new(Silent),
        };
        let trouble = worker.build(&extract).expect_err("it cannot be built");
        assert_eq!(trouble.cause, cause, "{:#}", trouble.error);
    }
    let no_table = Some(carried("town.zip"));
    case(no_table, carried("town.zip"), Cause::Settings);
    case(None, carried("po-boxes.csv"), Cause::Delivery);
}
