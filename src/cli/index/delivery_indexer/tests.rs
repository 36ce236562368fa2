//! Tests which kinds of error the indexer of a data folder returns.

use postduif_schema::NoProgress;

use crate::cli::index::delivery_indexer::*;

fn test_file(name: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
        .join("testdata")
        .join(name)
}

fn indexer(
    folder: &Path,
    po_boxes: Option<PathBuf>,
    municipalities: Option<PathBuf>,
) -> DataFolderIndexer {
    DataFolderIndexer {
        data: DataFolder::new(folder),
        municipalities,
        po_boxes,
        accept_fewer: false,
        accept_unknown_municipalities: false,
        rejection_limit: RejectionLimit::Usual,
        progress: Box::new(NoProgress),
        unusable_register: UnusableRegister::default(),
    }
}

#[test]
fn a_rebuild_without_the_tables_of_the_register_is_refused() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let indexer = |po_boxes, municipalities| indexer(folder.path(), po_boxes, municipalities);
    let plain = indexer(None, None);
    assert_eq!(plain.resume_register().expect("no register yet"), None);
    assert_eq!(plain.served_summary(), None);
    let boxes = Some(test_file("po-boxes.csv"));
    let table = Some(test_file("../indexer/data/municipalities.csv"));
    let town = test_file("town.zip");
    let both = indexer(boxes.clone(), table.clone());
    both.build(&town).expect("a whole delivery");
    let coverage = both.resume_register().expect("reads").expect("a register");
    assert_eq!(coverage.stand.to_string(), "2026-01-08");
    assert_eq!(
        both.served_summary().map(|served| served.addresses),
        Some(4371)
    );
    let case = |indexer: &DataFolderIndexer, flag: &str| {
        let error = indexer.build(&town).expect_err("the tables would be lost");
        assert_eq!(error.kind, DeliveryErrorKind::Settings);
        assert!(error.error.to_string().contains(flag), "{error:?}");
    };
    case(&indexer(None, table), "--po-boxes");
    case(&indexer(boxes, None), "--municipalities");
}

#[test]
fn a_data_folder_that_disappeared_is_an_error_and_not_created_again() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let data = folder.path().join("data");
    let error = indexer(&data, None, None).resume_register();
    let error = error.expect_err("the folder is missing");
    assert_eq!(error.kind, DeliveryErrorKind::Transient);
    assert!(
        error.error.to_string().contains("data: No such file"),
        "{error:?}"
    );
    assert!(!data.exists());
}

#[test]
fn a_mistake_of_the_operator_is_a_settings_error() {
    #[track_caller]
    fn case(municipalities: Option<PathBuf>, extract: PathBuf, kind: DeliveryErrorKind) {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let indexer = indexer(folder.path(), None, municipalities);
        let error = indexer
            .build(&extract)
            .expect_err("the extract cannot be built");
        assert_eq!(error.kind, kind, "{:#}", error.error);
    }
    let no_table = Some(test_file("town.zip"));
    case(no_table, test_file("town.zip"), DeliveryErrorKind::Settings);
    case(None, test_file("po-boxes.csv"), DeliveryErrorKind::Damaged);
    case(None, test_file("no-such.zip"), DeliveryErrorKind::Refused);
}

#[test]
fn damaged_and_refused_extracts_have_different_error_kinds() {
    let damaged = || {
        ExtractError::Archive(ArchiveError::Damaged {
            path: "day.zip".into(),
            reason: "not a complete zip archive".into(),
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

#[test]
fn an_error_of_the_disk_names_the_data_folder() {
    let data = DataFolder::new("/var/lib/postduif");
    let full = || std::io::Error::from_raw_os_error(28);
    let error = DeliveryError::transient(full()).with_data_folder(&data);
    assert_eq!(error.error.to_string(), "data folder /var/lib/postduif");
    let settings = DeliveryError {
        kind: DeliveryErrorKind::Settings,
        error: anyhow::Error::from(full()).context("gemeenten.csv"),
    };
    let error = settings.with_data_folder(&data);
    assert_eq!(error.error.to_string(), "gemeenten.csv");
    let at_file = anyhow::Error::from(full()).context("/var/lib/postduif/CURRENT");
    let error = DeliveryError::transient(at_file).with_data_folder(&data);
    assert_eq!(error.error.to_string(), "/var/lib/postduif/CURRENT");
}
