//! Checks that the program shows its own version together with the version of its HTTP interface.

use crate::data_dir::village_folder;
use crate::process::{Service, run};

#[test]
fn the_program_version_and_the_interface_version_are_the_same_everywhere() {
    let program = env!("CARGO_PKG_VERSION");
    let printed = String::from_utf8(run(&["--version"]).stdout).expect("UTF-8");
    let description = run(&["openapi"]).stdout;
    let description: serde_json::Value = serde_json::from_slice(&description).expect("JSON");
    let interface = description["info"]["version"].as_str().expect("a version");
    assert_eq!(
        printed,
        format!("postduif {program} (interface {interface})\n")
    );
    let folder = village_folder();
    let service = Service::start(folder.path(), &[]);
    let version = service.get("admin", "/version", None).body;
    let expected = format!("{{\"version\":\"{program}\",\"interface\":\"{interface}\",");
    assert!(version.starts_with(&expected), "{version}");
    let metrics = service.get("admin", "/metrics", None).body;
    let labels = format!("version=\"{program}\",interface=\"{interface}\"");
    assert!(metrics.contains(&labels), "{metrics}");
    let page = service.get("live", "/docs", None).body;
    let expected = format!("<small>{program}, interface {interface}</small>");
    assert!(page.contains(&expected), "no {expected}");
    assert!(
        !page.contains(&format!("postduif {interface}")),
        "the version of the interface is not that of the program"
    );
}
