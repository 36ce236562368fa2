//! Tables that an operator gives: post-office boxes and municipalities, as CSV, by the door that a build has for them.

use std::path::{Path, PathBuf};

use postduif_indexer::Build;
use postduif_schema::DataFolder;
use postduif_schema::NoProgress;

/// The first byte says which table the rest is. There is no delivery, so a table that is sound is not what is refused.
pub(super) fn tables(bytes: &[u8]) {
    super::in_folder(|folder| tables_in(folder, bytes));
}

fn tables_in(folder: &Path, bytes: &[u8]) {
    let Some((&which, table)) = bytes.split_first() else {
        return;
    };
    let path = folder.join("table.csv");
    std::fs::write(&path, table).expect("writes");
    let given = |wanted: u8| -> Option<PathBuf> { (which & 1 == wanted).then(|| path.clone()) };
    let build = Build {
        extract: folder.join("nowhere.zip"),
        po_boxes: given(0),
        municipalities: given(1),
        accept_fewer: false,
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
