//! Unmounts the served generation. Look-ups go on, and the service reports the missing mount until the folder is mounted again.

use super::{PATH, publish_village};
use crate::process::{Service, open_account, wait_until};
use crate::scratch;
use crate::small_disk::SmallDisk;

#[test]
fn a_lost_mount_is_reported_while_look_ups_go_on() {
    let folder = scratch::folder();
    let Some(small) = SmallDisk::mount(folder.path(), "size=6m") else {
        return;
    };
    publish_village(folder.path());
    let [live, _] = open_account(folder.path());
    let service = Service::start(folder.path(), &[]);
    let call = || service.get("live", PATH, Some(&live)).status;
    assert_eq!(call(), 200);
    drop(small);
    wait_until("the log reports the missing mount", || {
        assert_eq!(call(), 200);
        service
            .log()
            .contains("check that the data folder is mounted")
    });
    let failed = || {
        service
            .metric("postduif_generation_reload_failing")
            .unwrap_or_default()
    };
    assert_eq!(failed(), 1.0);
    let ready = service.get("admin", "/health/ready", None);
    assert_eq!(ready.status, 200, "{}", ready.body);
    assert!(ready.body.contains("is mounted"), "{}", ready.body);

    let Some(_again) = SmallDisk::mount(folder.path(), "size=6m") else {
        return;
    };
    publish_village(folder.path());
    wait_until("the metrics report no failure", || failed() == 0.0);
    assert_eq!(call(), 200);
}
