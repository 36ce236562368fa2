//! Truncates or deletes files of generations, before they are opened or while they are served.

use std::fs;
use std::io::{Read as _, Write as _};
use std::path::PathBuf;

use postduif_schema::{Address, DataFolder, Generation, GenerationName};

use super::{PATH, village_folder};
use crate::addresses::{house, village};
use crate::data_dir::{ServedFolder, overwrite};
use crate::delivery::municipal;
use crate::generation::publish;
use crate::process::{Answer, Service, wait_until};

fn street(name: &str) -> Vec<Address> {
    let renamed = |address: Address| Address {
        street: name.into(),
        ..address
    };
    vec![
        renamed(house(29, ("", ""), 1)),
        renamed(house(31, ("", ""), 2)),
    ]
}

fn name(text: &str) -> GenerationName {
    text.parse().expect("a name")
}

/// Every file of a generation.
fn files(data: &DataFolder, generation: GenerationName) -> Vec<PathBuf> {
    let mut folders = vec![data.generation_path(generation)];
    let mut files = Vec::new();
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).expect("a folder") {
            let path = entry.expect("an entry").path();
            if path.is_dir() {
                folders.push(path);
            } else {
                files.push(path);
            }
        }
    }
    files
}

#[test]
fn a_generation_with_a_truncated_or_missing_file_is_refused_by_name() {
    let served = ServedFolder::generation_of(&municipal().pack());
    let (data, generation) = (&served.data, served.current());
    let open = || Generation::open(&data.generation_path(generation), generation);
    open().expect("whole");
    let files = files(data, generation);
    assert!(files.len() > 10, "{files:?}");
    for path in files {
        let whole = fs::read(&path).expect("a file");
        let shown = path.display().to_string();
        // Truncate files only before the generation is opened, because truncating a mapped file would crash the process.
        let mut cuts = vec![0, whole.len() / 2, whole.len().saturating_sub(1)];
        cuts.dedup();
        for cut in cuts {
            overwrite(&path, &whole[..cut]);
            let error = open().err().expect("cut short").to_string();
            assert!(error.contains(&shown), "{shown} at {cut}: {error}");
        }
        fs::remove_file(&path).expect("removes");
        let error = open().err().expect("missing").to_string();
        assert!(error.contains(&shown), "{shown}: {error}");
        overwrite(&path, &whole);
    }
    open().expect("whole again");
}

#[test]
fn deleted_files_of_the_served_generation_stay_readable() {
    let (folder, data, [live, _]) = village_folder();
    publish(&data, "2026-01-02-1", &village());
    let mut service = Service::start(folder.path(), &[]);
    assert_eq!(service.get("live", PATH, Some(&live)).status, 200);
    fs::remove_dir_all(data.generations_path()).expect("removes");
    let paths = [
        PATH,
        "/v1/addresses/1234AB/12?all=true",
        "/v1/postcodes/1234AB",
        "/v1/autocomplete?q=dijk+12",
        "/v1/reverse?lat=52.3276543&lon=5.04",
    ];
    for path in paths.iter().cycle().take(60) {
        let answer = service.get("live", path, Some(&live));
        assert!(answer.status == 200 || answer.status == 404, "{path}");
        assert!(path != &PATH || answer.status == 200, "{}", answer.body);
    }
    publish(&data, "2026-01-03-1", &street("Daarna"));
    wait_until("the next generation is served", || {
        let found = service.get("live", PATH, Some(&live));
        assert_eq!(found.status, 200, "{}", found.body);
        found.body.contains("Daarna")
    });
    service.terminate();
    assert!(service.wait().success());
}

/// The number of memory maps and open descriptors of the process that refer to a file of this generation.
#[cfg(target_os = "linux")]
fn open_files(service: &Service, generation: &str) -> usize {
    let process = PathBuf::from(format!("/proc/{}", service.id()));
    let maps = fs::read_to_string(process.join("maps")).expect("proc is readable");
    let files = fs::read_dir(process.join("fd")).expect("proc is readable");
    let files = files.filter_map(|file| fs::read_link(file.ok()?.path()).ok());
    let open = files.filter(|path| path.to_string_lossy().contains(generation));
    maps.lines()
        .filter(|line| line.contains(generation))
        .count()
        + open.count()
}

#[cfg(target_os = "linux")]
#[test]
fn a_generation_is_released_after_its_last_request() {
    let (folder, data, [live, _]) = village_folder();
    publish(&data, "2026-01-02-1", &street("Eerst"));
    let patient = ["--request-timeout-s", "120"];
    let service = Service::start(folder.path(), &patient);
    assert_eq!(service.get("live", PATH, Some(&live)).status, 200);
    assert!(open_files(&service, "2026-01-02-1") > 0);

    // Start a request and let it run: the service has authenticated it and waits for its body.
    let body = r#"{"addresses":[{"postcode":"1234AB","number":29}]}"#;
    let mut slow = service.connect();
    write!(
        slow,
        "POST /v1/bulk/lookup HTTP/1.1\r\nHost: test\r\nConnection: close\r\nX-Api-Key: {live}\r\n\
         Content-Type: application/json\r\nContent-Length: {}\r\nExpect: 100-continue\r\n\r\n",
        body.len()
    )
    .expect("a head");
    // The service sends 100 Continue only after the request has taken its snapshot.
    let mut asked = [0; 25];
    slow.read_exact(&mut asked).expect("an interim answer");
    assert!(asked.starts_with(b"HTTP/1.1 100 Continue"));

    publish(&data, "2026-01-03-1", &street("Daarna"));
    fs::remove_dir_all(data.generation_path(name("2026-01-02-1"))).expect("removes");
    wait_until("the next generation is served", || {
        let found = service.get("live", PATH, Some(&live));
        found.body.contains("Daarna")
    });
    publish(&data, "2026-01-04-1", &street("Ten slotte"));
    wait_until("the third generation is released", || {
        let found = service.get("live", PATH, Some(&live));
        found.body.contains("Ten slotte") && open_files(&service, "2026-01-03-1") == 0
    });
    assert!(
        open_files(&service, "2026-01-02-1") > 0,
        "a running request holds the generation"
    );
    slow.write_all(body.as_bytes()).expect("a body");
    let mut text = String::new();
    slow.read_to_string(&mut text).expect("an answer");
    let answer = Answer::parse(&text);
    assert_eq!(answer.status, 200, "{}", answer.body);
    assert!(answer.body.contains("Eerst"), "{}", answer.body);
    wait_until("it is released", || {
        open_files(&service, "2026-01-02-1") == 0
    });
}

#[test]
fn the_service_follows_a_rollback_by_the_command_line() {
    let (folder, data, [live, _]) = village_folder();
    publish(&data, "2026-01-02-1", &street("Eerst"));
    publish(&data, "2026-01-03-1", &street("Daarna"));
    let service = Service::start(folder.path(), &[]);
    assert!(
        service
            .get("live", PATH, Some(&live))
            .body
            .contains("Daarna")
    );
    let to = ["index", "rollback", "--to", "2026-01-02-1", "--json"];
    crate::process::run_json(folder.path(), &to);
    wait_until("the earlier generation is served", || {
        let found = service.get("live", PATH, Some(&live));
        assert_eq!(found.status, 200, "{}", found.body);
        found.body.contains("Eerst")
    });
    let version = service.get("admin", "/version", None).body;
    assert!(
        version.contains(r#""generation":"2026-01-02-1""#),
        "{version}"
    );
}
