//! From a delivery to a generation.

use postduif_indexer::{Build, Silent};
use postduif_schema::DataFolder;

#[test]
fn weesp() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let data = DataFolder::new(folder.path());
    for (extract) in [
        "BAGGEM0457L-15092021.zip",
        "small-national/BAGNLDL-15092020-small.zip",
    ] {
        let build = Build {
            extract: format!("../shared/data/bag/{extract}").into(),
            po_boxes: None,
            municipalities: None,
            accept_fewer: false,
        };
        match build.run(&data, &Silent) {
            Ok(report) => println!("{report}\n{}", serde_json::to_string(&report).expect("x")),
            Err(e) => println!("ERR {e}"),
        }
    }
    panic!();
}
