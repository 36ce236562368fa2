//! Fuzzes the CSV tables that an operator may give to a build: post-office boxes and municipalities.

use std::path::{Path, PathBuf};

use postduif_indexer::Build;
use postduif_schema::DataFolder;
use postduif_schema::NoProgress;

/// The first byte selects the table; the other bytes are its content. The delivery does not exist, so the build fails even if the
/// table is valid.
pub(super) fn tables(bytes: &[u8]) {
    super::in_folder(|folder| tables_in(folder, bytes));
}

fn tables_in(folder: &Path, bytes: &[u8]) {
    let Some((&which, table)) = bytes.split_first() else {
        return;
    };
    let path = folder.join("table.csv");
    std::fs::write(&path, table).expect("writes");
    let table_path =
        |wanted: u8| -> Option<PathBuf> { (which & 1 == wanted).then(|| path.clone()) };
    let build = Build {
        po_boxes: table_path(0),
        municipalities: table_path(1),
        ..Build::new(folder.join("nowhere.zip"))
    };
    let data = DataFolder::new(folder.join("data"));
    let error = build
        .run(&data, &NoProgress)
        .expect_err("there is no delivery");
    let text = error.to_string();
    assert!(error.is_refusal(), "{text}");
    assert!(
        text.contains("table.csv") || text.contains("nowhere.zip"),
        "{text}"
    );
    assert!(text.len() < 1000, "{} bytes: {text}", text.len());
    assert_eq!(data.current_generation().expect("readable"), None);
}
