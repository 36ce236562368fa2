//! Fetches a list that needs a login with a form, a redirect and a cookie. The secrets must not appear in messages or stored files.

use std::net::Ipv4Addr;
use std::os::unix::fs::PermissionsExt as _;

use super::*;

const PASSWORD: &str = "p&ss word";
const SESSION: &str = "KadasterTicketId=5e55107";

/// Imitates Mijn Kadaster. The list and its files need the cookie of the login. Requests for files are redirected to the server
/// `other`.
fn kadaster(other: String) -> FileServer {
    let days = [day(-1)];
    let list = list(&days);
    FileServer::start(move |request, _| {
        let has_session = request
            .header("cookie")
            .is_some_and(|cookies| cookies.contains(SESSION));
        let path = request.path.split('?').next().unwrap_or_default();
        match path {
            "/login" if request.body == "user=jan%40example.org&password=p%26ss+word" => {
                Reply::redirect("/portal")
                    .with_header("Set-Cookie", &format!("{SESSION}; Path=/; HttpOnly"))
            }
            // The credentials are wrong, so show the form again.
            "/login" => Reply::text("<form>"),
            _ if !has_session => Reply::status(401),
            "/list.json" => Reply::redirect("/moved/list.json").with_header("Set-Cookie", "step=2"),
            "/moved/list.json"
                if request
                    .header("cookie")
                    .is_some_and(|cookie| cookie.contains("step=2")) =>
            {
                Reply::text(&list)
            }
            path if path.starts_with("/moved/files/") => {
                Reply::redirect(&format!("{other}{path}?signature=s1gned"))
            }
            _ => Reply::status(404),
        }
    })
}

impl FetchWorkspace {
    fn credentials(&self, text: &str, mode: u32) -> String {
        let path = self.0.path().join("credentials");
        fs::write(&path, text).expect("writable");
        fs::set_permissions(&path, fs::Permissions::from_mode(mode)).expect("our own file");
        path.to_str().expect("UTF-8").to_owned()
    }
}

#[track_caller]
fn fetch(
    workspace: &FetchWorkspace,
    server: &FileServer,
    credentials: &str,
    code: i32,
) -> (Value, String) {
    let (list, login) = (server.url("/list.json?key=s3cret"), server.url("/login"));
    let options = [
        "--mutations-url", &list, "--login-url", &login, "--credentials", credentials,
    ];
    workspace.fetch(&options, code)
}

#[test]
fn the_cookie_of_the_login_is_sent_only_to_the_host_of_the_login() {
    // Requests for files are redirected to another host on loopback.
    let store = FileServer::start_at(Ipv4Addr::new(127, 0, 0, 2), |request, _| {
        let (path, _) = request.path.split_once('?').expect("a signature");
        let mut request = request.clone();
        request.path = path.to_owned();
        serve_mutation(&request)
    });
    let server = kadaster(store.url(""));
    let workspace = FetchWorkspace::serving(day(-1));
    let credentials = workspace.credentials(&format!("jan@example.org\n{PASSWORD}\n"), 0o600);
    let (report, message) = fetch(&workspace, &server, &credentials, 0);
    assert_eq!(
        report["fetched"][0]["name"],
        mutation_name(day(-1)),
        "{message}"
    );
    let login = &server.received()[0];
    assert_eq!(
        (login.method.as_str(), login.path.as_str()),
        ("POST", "/login")
    );
    assert!(!server.paths().contains(&"/portal".to_owned()));
    let at_the_store = store.received();
    assert_eq!(at_the_store.len(), 1);
    assert_eq!(at_the_store[0].header("cookie"), None);

    let state = fs::read_to_string(workspace.inbox().join(".postduif-fetch/state.json"));
    for text in [&state.expect("a state"), &message, &report.to_string()] {
        for secret in [PASSWORD, "p%26ss", "5e55107", "s1gned", "s3cret"] {
            assert!(!text.contains(secret), "{secret} in {text}");
        }
    }
}

#[test]
fn a_login_that_is_not_accepted_is_refused_without_the_password() {
    let server = kadaster(String::new());
    let workspace = FetchWorkspace::serving(day(-1));
    let credentials = workspace.credentials("jan@example.org\nwr0ng\n", 0o600);
    let (_, message) = fetch(&workspace, &server, &credentials, 2);
    assert!(message.contains("the login was not accepted"), "{message}");
    assert!(!message.contains("wr0ng"), "{message}");
    assert_eq!(
        server.paths(),
        ["/login"],
        "the command does not try the login again"
    );
}

#[test]
fn a_list_that_needs_a_login_is_refused_with_advice() {
    let server = kadaster(String::new());
    let workspace = FetchWorkspace::serving(day(-1));
    let (_, message) = workspace.fetch(&["--mutations-url", &server.url("/list.json")], 2);
    assert!(
        message.contains("check --credentials and --login-url"),
        "{message}"
    );
}

#[test]
fn a_password_that_every_user_can_read_is_refused() {
    let server = kadaster(String::new());
    let workspace = FetchWorkspace::serving(day(-1));
    let credentials = workspace.credentials("jan@example.org\ns3cret\n", 0o644);
    let (_, message) = fetch(&workspace, &server, &credentials, 2);
    assert!(
        message.contains("chmod 0600") && !message.contains("s3cret"),
        "{message}"
    );
    assert_eq!(server.paths(), [""; 0]);
}

#[test]
fn at_most_five_redirects_are_followed() {
    let server = FileServer::start(|_, _| Reply::redirect("/extract.zip"));
    let workspace = FetchWorkspace::new();
    let (_, message) = workspace.fetch(&["--extract-url", &server.url("/extract.zip")], 2);
    assert!(message.contains("more than 5 redirects"), "{message}");
    assert_eq!(server.paths().len(), 6);
}

#[test]
fn a_url_with_a_password_is_refused_and_not_printed() {
    let workspace = FetchWorkspace::new();
    let (_, message) = workspace.fetch(&["--extract-url", "https://jan:s3cret@example.org/"], 2);
    assert!(
        message.contains("--extract-url") && !message.contains("s3cret"),
        "{message}"
    );
}
