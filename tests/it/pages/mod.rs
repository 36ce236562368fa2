//! Tests the web pages and the widget in a real browser, with a service of the demo town. The browser's steps are JavaScript files
//! in `tests/browser`, one for each test in this module. Set `POSTDUIF_TEST_PICTURES` to save screenshots in `target/screenshots`,
//! which doubles the duration.
//!
//! Node drives the browser with `playwright-core`, and `axe-core` checks accessibility. `.ci/run` installs both packages. The
//! browser is Debian's Chromium.

#![expect(clippy::print_stdout, reason = "the test prints its measurements")]

mod runner;
mod widget_build;

use std::process::Command;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};

use serde_json::json;
use tempfile::TempDir;

use crate::process::{Service, postduif, run_json};
use crate::scratch;
use crate::tools::{browser, node_package, program, root};
use runner::BrowserTestRunner;

const ACCOUNT: &str = "shop@example.org";

/// A data folder with the demo town, and an account with a key that any origin may use.
struct SharedTown {
    folder: TempDir,
    key: String,
    /// Runners that no test uses at present. Their home is a folder beside the town.
    idle: Mutex<Vec<BrowserTestRunner>>,
    home: TempDir,
}

/// Built once for all tests that run at the same time, and deleted when the last of them ends.
static BUILT: Mutex<Weak<SharedTown>> = Mutex::new(Weak::new());

/// The service for all tests of the widget that run at the same time. Their key has limits that they do not reach.
static FOR_WIDGETS: Mutex<Weak<Town>> = Mutex::new(Weak::new());

/// The value that other tests use at present, or else a new one.
fn shared<T>(slot: &Mutex<Weak<T>>, new: impl FnOnce() -> T) -> Arc<T> {
    let mut shared = slot.lock().unwrap_or_else(PoisonError::into_inner);
    shared.upgrade().unwrap_or_else(|| {
        let built = Arc::new(new());
        *shared = Arc::downgrade(&built);
        built
    })
}

impl SharedTown {
    fn new() -> Self {
        let folder = scratch::folder();
        let built = postduif()
            .args(["index", "build", "--data"])
            .arg(folder.path())
            .arg("--extract")
            .arg(root().join("testdata/town.zip"))
            .arg("--po-boxes")
            .arg(root().join("testdata/po-boxes.csv"))
            .output()
            .expect("the binary runs");
        let message = String::from_utf8_lossy(&built.stderr);
        assert!(built.status.success(), "{message}");
        let make = |arguments: &[&str]| run_json(folder.path(), arguments);
        // Limits so high that no page reaches them by accident.
        let own = ["--calls-per-month", "1000000", "--calls-per-second", "1000"];
        let account = ["accounts", "create", "--json", "--email", ACCOUNT];
        make(&[&account[..], &["--plan", "enterprise"], &own].concat());
        let key = ["keys", "create", "--json", "--account", ACCOUNT];
        let key = make(&[&key[..], &["--origin", "*"]].concat());
        Self {
            key: key["key"].as_str().expect("a key").to_owned(),
            folder,
            idle: Mutex::default(),
            home: scratch::folder(),
        }
    }

    fn idle(&self) -> MutexGuard<'_, Vec<BrowserTestRunner>> {
        self.idle.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A service with its own copy of the town.
struct Town {
    folder: TempDir,
    service: Service,
    built: Arc<SharedTown>,
}

impl Town {
    fn start(settings: &[&str]) -> Self {
        let (folder, built) = (scratch::folder(), shared(&BUILT, SharedTown::new));
        let data = folder.path().join("data");
        let copied = Command::new("cp")
            .arg("-a")
            .arg(built.folder.path())
            .arg(&data)
            .status();
        assert!(copied.expect("cp runs").success());
        let service = Service::start(&data, settings);
        // The first call waits for a lease of calls from the accounts database. Make it here, so that no page waits.
        let found = service.get("live", "/v1/postcodes/3931AA", Some(&built.key));
        assert_eq!(found.status, 200, "{}", found.body);
        Self {
            folder,
            service,
            built,
        }
    }
}

/// Runs a file of `tests/browser` against the town and checks that all its tests pass.
#[track_caller]
fn assert_passes(file: &str) {
    passes_on(file, || {
        if file.starts_with("widget/") {
            shared(&FOR_WIDGETS, || Town::start(&[]))
        } else {
            Arc::new(Town::start(&[]))
        }
    });
}

/// Runs a file of `tests/browser` like [`assert_passes`], on a service with these settings.
#[track_caller]
fn passes_with(file: &str, settings: &[&str]) {
    passes_on(file, || Arc::new(Town::start(settings)));
}

#[track_caller]
fn passes_on(file: &str, town: impl FnOnce() -> Arc<Town>) {
    let packages = ["playwright-core", "axe-core"].map(node_package);
    let (Some(node), Some(chromium), [Some(_), Some(_)]) = (program("node"), browser(), packages)
    else {
        return;
    };
    let town = town();
    let idle = town.built.idle().pop();
    let mut runner =
        idle.unwrap_or_else(|| BrowserTestRunner::start(&node, &chromium, town.built.home.path()));
    let environment = json!({
        "LIVE": town.service.address("live").to_string(),
        "SANDBOX": town.service.address("sandbox").to_string(),
        "DATA": town.folder.path().join("data"),
        "POSTDUIF": env!("CARGO_BIN_EXE_postduif"),
        "ACCOUNT": ACCOUNT,
        "KEY": town.built.key,
    });
    let report = runner.run(file, &environment);
    assert!(report.passed, "{}", report.output);
    town.built.idle().push(runner);
    let figures = report.output.lines();
    for figures in figures.filter_map(|line| line.strip_prefix("page: ")) {
        println!("{file}: {figures}");
    }
}

#[test]
fn every_page_loads_only_from_its_service_and_is_accessible() {
    assert_passes("front.js");
}

#[test]
fn the_test_page_leads_from_the_first_letter_to_a_filled_form() {
    assert_passes("page/typing.js");
}

#[test]
fn the_tabs_of_the_test_page_work_by_keyboard_and_by_url() {
    assert_passes("page/tabs.js");
}

#[test]
fn the_order_form_of_the_test_page_and_its_copied_html_work() {
    assert_passes("page/checkout.js");
}

#[test]
fn the_test_page_finds_real_addresses_with_the_public_live_key() {
    passes_with("page/public-key.js", &["--public-live-key", "on"]);
}

#[test]
fn panels_of_the_test_page_show_the_services_answers() {
    assert_passes("page/panels.js");
}

#[test]
fn the_map_around_a_point_is_correct() {
    assert_passes("page/near.js");
}

#[test]
fn the_test_page_recovers_from_every_error() {
    assert_passes("page/trouble.js");
}

#[test]
fn the_test_page_does_not_leak_a_key() {
    assert_passes("page/key.js");
}

#[test]
fn the_test_page_asks_for_a_key_where_there_is_no_trial_key() {
    passes_with("page/no-trial.js", &["--trial-key", "off"]);
}

#[test]
fn only_the_pages_that_a_key_lists_can_use_the_key() {
    passes_with("origins.js", &["--public-live-key", "on"]);
}

#[test]
fn the_test_page_is_accessible_and_small() {
    assert_passes("page/looks.js");
}

#[test]
fn the_page_of_an_account_shows_its_holder_everything_and_others_nothing() {
    assert_passes("account.js");
}

#[test]
fn the_widget_goes_from_the_first_letter_to_a_filled_form() {
    assert_passes("widget/typing.js");
}

#[test]
fn the_widget_has_the_keys_and_roles_of_a_combobox() {
    assert_passes("widget/keys.js");
}

#[test]
fn the_widget_works_in_any_form() {
    assert_passes("widget/form.js");
}

#[test]
fn the_widget_never_blocks_a_form() {
    assert_passes("widget/trouble.js");
}

#[test]
fn the_widget_handles_quick_edits_and_unusual_forms() {
    assert_passes("widget/customers.js");
}

#[test]
fn the_widget_survives_scripts_of_shops() {
    assert_passes("widget/shops.js");
}

#[test]
fn at_a_checkout_id_event_and_fields_name_the_same_address() {
    assert_passes("widget/stories.js");
}

#[test]
fn the_id_belongs_to_the_fields_also_in_unusual_forms() {
    assert_passes("widget/exact.js");
}

#[test]
fn the_widgets_own_fields_find_the_address_of_postcode_and_number() {
    assert_passes("widget/postcode.js");
}

#[test]
fn the_widget_uses_the_fields_of_a_shop() {
    assert_passes("widget/attach.js");
}

#[test]
fn the_widget_asks_for_the_unit_of_a_crowded_number() {
    assert_passes("widget/units.js");
}

#[test]
fn the_widgets_package_works_without_a_bundler_and_in_preact() {
    let packages = ["preact", "typescript"].map(node_package);
    if let (Some(_), [Some(_), Some(_)]) = (program("npm"), packages) {
        assert_passes("widget/package.js");
    }
}

#[test]
fn the_widget_covers_and_moves_no_field_of_a_shop() {
    assert_passes("widget/layout.js");
}

#[test]
fn the_widget_renders_correctly_and_measures_its_speed() {
    assert_passes("widget/looks.js");
}

#[test]
fn the_description_works_on_a_phone_by_keyboard_and_in_print() {
    assert_passes("docs.js");
}
