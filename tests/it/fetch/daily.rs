//! Fetches daily mutations from a list. Only mutations that continue the register are fetched, missing days are reported, and an
//! extract closes a gap.

use super::*;
use crate::process::run_json;

/// Serves the list of these days at `/list.json`, the mutations of these days, and an extract.
fn start_list_server(days: &[Date], extract: Option<ServedFile>) -> FileServer {
    let list = list(days);
    FileServer::start(move |request, _| match (request.path.as_str(), &extract) {
        ("/list.json", _) => Reply::text(&list),
        ("/extract.zip", Some(file)) => Reply::file(request, file),
        ("/extract.zip", None) => Reply::status(404),
        _ => serve_mutation(request),
    })
}

/// The options with the URLs of both sources on a server: the list and the extract.
fn options(server: &FileServer) -> [String; 4] {
    [
        "--extract-url", "/extract.zip", "--mutations-url", "/list.json",
    ]
    .map(|word| {
        if word.starts_with('/') {
            server.url(word)
        } else {
            word.to_owned()
        }
    })
}

#[track_caller]
fn fetch(workspace: &FetchWorkspace, server: &FileServer, code: i32) -> (Value, String) {
    let options = options(server);
    workspace.fetch(&options.each_ref().map(String::as_str), code)
}

fn file_path(from: Date) -> String {
    format!("/files/{}", mutation_name(from))
}

#[test]
fn only_mutations_that_continue_the_register_are_fetched() {
    let workspace = FetchWorkspace::serving(day(-3));
    let days = [-5, -4, -3, -2, -1].map(day);
    let server = start_list_server(&days, None);
    let (report, _) = fetch(&workspace, &server, 0);
    assert_eq!(report["mode"], "daily");
    assert_eq!(report["missing"], serde_json::json!([]));
    let expected = [-3, -2, -1].map(|from| mutation_name(day(from)));
    let mut sorted = expected.clone();
    sorted.sort();
    assert_eq!(workspace.deliveries(), sorted);
    let fetched = report["fetched"].as_array().expect("a list").iter();
    let fetched: Vec<_> = fetched
        .map(|file| file["name"].as_str().expect("a name"))
        .collect();
    assert_eq!(fetched, expected, "in the order of their days");
    for from in [-3, -2, -1].map(day) {
        assert!(workspace.delivery(&mutation_name(from)) == mutation(from));
    }
    // The mutations continue the register, so no request asks for the extract.
    let mut paths = vec!["/list.json".to_owned()];
    paths.extend([-3, -2, -1].map(|from| file_path(day(from))));
    assert_eq!(server.paths(), paths);
    // A delivery that waits in the inbox or was applied is not fetched again.
    fetch(&workspace, &server, 0);
    let inbox = workspace.inbox();
    fs::create_dir(inbox.join("applied")).expect("writable");
    for name in &expected {
        fs::rename(inbox.join(name), inbox.join("applied").join(name)).expect("writable");
    }
    fetch(&workspace, &server, 0);
    assert_eq!(
        server.paths().len(),
        paths.len() + 2,
        "only the list is requested"
    );
}

#[test]
fn without_a_register_the_extract_comes_first_and_then_the_mutations_after_it() {
    let workspace = FetchWorkspace::new();
    let file = ServedFile::new(extract(day(-3)), "one", day(-1));
    let server = start_list_server(&[-4, -3, -2].map(day), Some(file));
    let (report, _) = fetch(&workspace, &server, 0);
    assert_eq!(report["stand"], day(-3).to_string());
    let mut expected = vec![
        extract_name(day(-3)),
        mutation_name(day(-3)),
        mutation_name(day(-2)),
    ];
    expected.sort();
    assert_eq!(workspace.deliveries(), expected);
}

#[test]
fn a_list_that_lacks_a_day_is_reported_and_the_next_extract_closes_the_gap() {
    let workspace = FetchWorkspace::serving(day(-6));
    // The latest extract is older than the register.
    let old = ServedFile::new(extract(day(-20)), "old", day(-18));
    let days = [-6, -4, -3].map(day);
    let server = start_list_server(&days, Some(old));
    let (report, _) = fetch(&workspace, &server, 0);
    let missing = serde_json::json!([{ "from": day(-5).to_string(), "to": day(-4).to_string() }]);
    assert_eq!(report["missing"], missing);
    let text = workspace.text(&options(&server));
    let expected = format!(
        "no delivery has the mutations from {} to {}",
        day(-5),
        day(-4)
    );
    assert!(text.contains(&expected), "{text}");
    let mut expected = days.map(mutation_name).to_vec();
    expected.sort();
    assert_eq!(
        workspace.deliveries(),
        expected,
        "the old extract is not fetched"
    );

    let next = ServedFile::new(extract(day(-3)), "next", day(-2));
    let server = start_list_server(&days, Some(next));
    let (report, _) = fetch(&workspace, &server, 0);
    assert_eq!(report["missing"], serde_json::json!([]));
    assert!(workspace.deliveries().contains(&extract_name(day(-3))));
    // The watcher applies the extract and then the mutation after it.
    let watched = workspace.watch(&["--once"]).output();
    assert_eq!(watched.expect("it runs").status.code(), Some(0));
    let list = run_json(&workspace.data(), &["index", "list", "--json"]);
    let generation = format!("{}-1", day(-2));
    let generations = list.as_array().expect("a list").iter();
    let names: Vec<_> = generations.map(|row| row["generation"].clone()).collect();
    assert!(names.contains(&Value::from(generation)), "{names:?}");
    assert_eq!(workspace.deliveries(), [""; 0]);
}

#[test]
fn the_extract_is_fetched_if_the_list_has_no_recent_mutation() {
    let workspace = FetchWorkspace::serving(day(-20));
    let file = ServedFile::new(extract(day(-6)), "one", day(-5));
    let server = start_list_server(&[], Some(file));
    let (report, _) = fetch(&workspace, &server, 0);
    assert_eq!(report["fetched"][0]["name"], extract_name(day(-6)));
}

#[test]
fn the_extract_is_fetched_even_if_the_list_fails() {
    let workspace = FetchWorkspace::serving(day(-20));
    let server = FileServer::start(|request, _| match request.path.as_str() {
        "/extract.zip" => Reply::file(request, &ServedFile::new(extract(day(-6)), "one", day(-5))),
        _ => Reply::status(500),
    });
    let (report, message) = fetch(&workspace, &server, 1);
    assert!(
        message.contains("list.json: the server answers with status 500"),
        "{message}"
    );
    assert_eq!(report["fetched"][0]["name"], extract_name(day(-6)));
}

#[test]
fn a_missing_or_wrong_listed_file_does_not_stop_the_other_files() {
    let workspace = FetchWorkspace::serving(day(-4));
    let days = [-4, -3, -2].map(day);
    let mut listed: serde_json::Value = serde_json::from_str(&list(&days)).expect("a list");
    // List the length of the file that the server sends below, so that only its content is wrong. The lengths of two days may differ
    // by a byte.
    listed[1]["grootte"] = mutation(day(-2)).len().into();
    let list = listed.to_string();
    let server = FileServer::start(move |request, _| {
        if request.path == "/list.json" {
            Reply::text(&list)
        } else if request.path == file_path(day(-4)) {
            Reply::status(404)
        } else if request.path == file_path(day(-3)) {
            // The server sends another day's file of the same length.
            Reply::file(request, &ServedFile::new(mutation(day(-2)), "x", day(-1)))
        } else {
            serve_mutation(request)
        }
    });
    let (report, message) = fetch(&workspace, &server, 2);
    assert!(message.contains("status 404"), "{message}");
    assert!(message.contains("expected mutations from"), "{message}");
    assert_eq!(report["errors"].as_array().map(Vec::len), Some(2));
    assert_eq!(workspace.deliveries(), [mutation_name(day(-2))]);
    assert_eq!(workspace.parts(), [""; 0]);
}

#[test]
fn a_file_of_another_length_than_listed_does_not_enter_the_inbox() {
    let workspace = FetchWorkspace::serving(day(-2));
    let from = day(-2);
    let (name, bytes) = (mutation_name(from), mutation(from).len());
    let entry =
        serde_json::json!([{ "naam": name, "url": format!("files/{name}"), "grootte": bytes + 1 }]);
    for has_length in [true, false] {
        let list = entry.to_string();
        let server = FileServer::start(move |request, _| match request.path.as_str() {
            "/list.json" => Reply::text(&list),
            _ if has_length => serve_mutation(request),
            _ => serve_mutation(request).with_header("Content-Length", ""),
        });
        let code = if has_length { 2 } else { 1 };
        let (_, message) = fetch(&workspace, &server, code);
        let expected = if has_length {
            format!("offers {bytes} bytes, but the list says {}", bytes + 1)
        } else {
            format!("stopped after {bytes} bytes of {}", bytes + 1)
        };
        assert!(message.contains(&expected), "{message}");
        assert_eq!(workspace.deliveries(), [""; 0]);
    }
}

#[test]
fn a_list_in_another_format_is_refused() {
    for body in ["<html>log in</html>", "{\"naam\": 1}"] {
        let server = FileServer::start(move |_, _| Reply::text(body));
        let workspace = FetchWorkspace::serving(day(-1));
        let (_, message) = fetch(&workspace, &server, 2);
        assert!(message.contains("expected a JSON list"), "{message}");
    }
}

#[test]
fn a_rejected_delivery_is_fetched_again_once_its_file_is_deleted() {
    let workspace = FetchWorkspace::serving(day(-1));
    let server = start_list_server(&[day(-1)], None);
    let rejected = workspace.inbox().join("rejected");
    fs::create_dir(&rejected).expect("writable");
    let name = mutation_name(day(-1));
    fs::write(rejected.join(&name), "damaged").expect("writable");
    fetch(&workspace, &server, 0);
    assert_eq!(workspace.deliveries(), [""; 0]);
    fs::remove_file(rejected.join(&name)).expect("writable");
    fetch(&workspace, &server, 0);
    assert_eq!(workspace.deliveries(), [name]);
}

#[test]
fn unfinished_files_that_are_no_longer_needed_are_deleted() {
    let workspace = FetchWorkspace::serving(day(-1));
    let server = start_list_server(&[], None);
    fetch(&workspace, &server, 0);
    let part = format!(".postduif-fetch/{}.part", mutation_name(day(-9)));
    fs::write(workspace.inbox().join(part), "half").expect("writable");
    fetch(&workspace, &server, 0);
    assert_eq!(workspace.parts(), [""; 0]);
}

#[test]
fn names_that_are_not_understood_are_counted_in_the_report() {
    let workspace = FetchWorkspace::serving(day(-3));
    let days = [-3, -2, -1].map(day);
    let renamed = list(&days).replace("\"naam\":\"BAGNLDM-", "\"naam\":\"BAG-NLD-MUT-");
    let unknown = format!(
        "BAG-NLD-MUT-{}",
        &mutation_name(day(-3))["BAGNLDM-".len()..]
    );
    let server = FileServer::start(move |request, _| match request.path.as_str() {
        "/list.json" => Reply::text(&renamed),
        _ => Reply::status(404),
    });
    let (report, _) = fetch(&workspace, &server, 0);
    let expected = serde_json::json!({ "count": 3, "example": unknown });
    assert_eq!(report["unknownNames"], expected);
    let text = workspace.text(&options(&server));
    assert!(
        text.contains(&format!(
            "skipped 3 entries of the list of mutations, such as {unknown}"
        )),
        "{text}"
    );
}
