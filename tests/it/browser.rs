//! Tests the service with a real browser. Pages of two origins call the service with the same key. Only the page whose origin the
//! key lists can read the answers.
//!
//! The browser is Debian's Chromium, headless. The test serves each page on a loopback port of its own, so that the pages have
//! different origins. The script of a page sends its results back to this port. The port forwards requests below `/v1` to the
//! service and keeps their `Host`, like a reverse proxy that serves pages and the service under one name.

use std::fs::File;
use std::io::{Read as _, Write as _};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::mpsc::{self, Receiver, Sender};
use std::sync::{Arc, OnceLock};

use serde_json::{Value, json};
use tempfile::TempDir;

use crate::process::{KillOnDrop, Service, WAIT_TIMEOUT, open_account_with};
use crate::scratch;
use crate::tools::browser;

/// A page that calls the service as a check-out form would. The query of the page's URL has the listener and the key.
const PAGE: &str = r#"<!doctype html>
<script>
const [listener, key] = location.search.slice(1).split(',');
async function call(path, more) {
  const headers = { 'X-Api-Key': key, ...(more && { 'Content-Type': 'application/json' }) };
  try {
    const response = await fetch(`http://${listener}${path}`, { headers, ...more });
    const read = (name) => response.headers.get(name);
    return {
      status: response.status, body: await response.json(), quota: read('X-Quota-Remaining'),
      rate: read('X-RateLimit-Limit'), id: read('X-Request-Id'), waits: read('Retry-After'), hidden: read('Vary'),
    };
  } catch (error) {
    return { failed: error.name };
  }
}
async function main() {
  const seen = {
    suggestions: await call('/v1/autocomplete?q=dijk'),
    malformed: await call('/v1/autocomplete?q=x'),
    validation: await call('/v1/validate', { method: 'POST', body: '{"postcode":"1234AB","number":29}' }),
  };
  await fetch('/seen', { method: 'POST', body: JSON.stringify(seen) });
}
main();
</script>
"#;

/// A page on a port of its own, so that no other page has the same origin.
struct Page {
    address: SocketAddr,
    /// The address of the service, set once the service has started.
    service: Arc<OnceLock<SocketAddr>>,
    /// Receives the results of the page's script, one for each run.
    seen: Receiver<Value>,
}

impl Page {
    fn serve() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a free port");
        let address = listener.local_addr().expect("a bound port");
        let service = Arc::new(OnceLock::new());
        let known = service.clone();
        let (results, seen) = mpsc::channel();
        std::thread::spawn(move || {
            // A browser opens connections that it may never use, so each connection has its own thread.
            for stream in listener.incoming().map_while(Result::ok) {
                let (known, results) = (known.clone(), results.clone());
                std::thread::spawn(move || answer(stream, &known, &results));
            }
        });
        Self {
            address,
            service,
            seen,
        }
    }

    fn origin(&self) -> String {
        format!("http://{}", self.address)
    }

    /// Opens the page in the browser. The page's script calls the listener `calls` with this key. Returns the results of the
    /// script.
    fn open(&self, browser: &Path, calls: SocketAddr, key: &str) -> Value {
        let folder = scratch::folder();
        let log = folder.path().join("log");
        let url = format!("{}/?{calls},{key}", self.origin());
        let _browser = KillOnDrop(
            Command::new(browser)
                // Chromium refuses to run as root with its sandbox. The browser opens only the pages of the test, so it needs no
                // sandbox.
                .args([
                    "--headless",
                    "--no-sandbox",
                    "--disable-gpu",
                    "--disable-dev-shm-usage",
                ])
                .args([
                    "--no-first-run",
                    "--disable-background-networking",
                    "--no-proxy-server",
                ])
                .arg(format!(
                    "--user-data-dir={}",
                    folder.path().join("profile").display()
                ))
                .arg(url)
                .env("HOME", folder.path())
                .env("TMPDIR", folder.path())
                .stdout(Stdio::null())
                .stderr(File::create(&log).expect("a file"))
                .spawn()
                .expect("the browser starts"),
        );
        self.seen.recv_timeout(WAIT_TIMEOUT).unwrap_or_else(|_| {
            let log = std::fs::read_to_string(log).unwrap_or_default();
            panic!("the script reported nothing: {log}")
        })
    }
}

/// Answers one request. Errors are ignored, because the browser may have closed the connection.
fn answer(mut stream: TcpStream, service: &OnceLock<SocketAddr>, results: &Sender<Value>) {
    stream
        .set_read_timeout(Some(WAIT_TIMEOUT))
        .expect("a timeout");
    let Some(request) = read_request(&mut stream) else {
        return;
    };
    if request
        .split(' ')
        .nth(1)
        .is_some_and(|path| path.starts_with("/v1/"))
    {
        let service = service
            .get()
            .expect("pages are opened after the service has started");
        let mut service = TcpStream::connect(service).expect("a listener");
        let once = request.replace("Connection: keep-alive", "Connection: close");
        service.write_all(once.as_bytes()).expect("it reads");
        std::io::copy(&mut service, &mut stream).ok();
        return;
    }
    if let Some(("POST /seen HTTP/1.1", rest)) = request.split_once("\r\n") {
        let (_, seen) = rest.split_once("\r\n\r\n").expect("a body");
        write!(
            stream,
            "HTTP/1.1 204 No Content\r\nConnection: close\r\n\r\n"
        )
        .ok();
        // The test may have ended, and then no receiver is left.
        results.send(serde_json::from_str(seen).expect("JSON")).ok();
        return;
    }
    let length = PAGE.len();
    let head = "HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=utf-8\r\nConnection: close";
    write!(stream, "{head}\r\nContent-Length: {length}\r\n\r\n{PAGE}").ok();
}

/// Reads a request with its body; returns `None` if the browser sends no request on the connection.
fn read_request(stream: &mut TcpStream) -> Option<String> {
    let mut request = Vec::new();
    let mut part = [0; 1024];
    loop {
        let text = String::from_utf8_lossy(&request);
        if let Some((head, body)) = text.split_once("\r\n\r\n") {
            let length = head
                .lines()
                .find_map(|line| line.strip_prefix("Content-Length: "));
            let length = length.map_or(0, |length| length.parse().expect("a length"));
            if body.len() >= length {
                return Some(text.into_owned());
            }
        }
        let read = stream.read(&mut part).ok().filter(|length| *length > 0)?;
        request.extend_from_slice(&part[..read]);
    }
}

/// Two pages, a service, and a live key that lists the origin of the first page.
struct Shop {
    pages: [Page; 2],
    service: Service,
    key: String,
    _folder: TempDir,
}

impl Shop {
    fn open() -> Self {
        let folder = crate::data_dir::village_folder();
        let pages = [(); 2].map(|()| Page::serve());
        let origin = pages[0].origin();
        let [key, _] = open_account_with(folder.path(), &["--plan", "pro", "--origin", &origin]);
        let service = Service::start(folder.path(), &[]);
        for page in &pages {
            page.service.set(service.address("live")).expect("set once");
        }
        Self {
            pages,
            service,
            key,
            _folder: folder,
        }
    }

    fn has_counted(&self, line: &str) -> bool {
        let figures = self.service.get("admin", "/metrics", None).body;
        figures.lines().any(|found| found == line)
    }
}

/// Checks that the page's script has read every answer and its headers.
#[track_caller]
fn assert_reads_all(seen: &Value) {
    let [suggestions, malformed, validation] =
        ["suggestions", "malformed", "validation"].map(|call| &seen[call]);
    assert_eq!(suggestions["status"], 200, "{seen}");
    assert_eq!(suggestions["body"]["meta"]["query"], "dijk", "{seen}");
    assert_ne!(suggestions["body"]["meta"]["count"], 0, "{seen}");
    assert_eq!(
        malformed["body"]["error"]["code"], "invalid_query",
        "{seen}"
    );
    assert_eq!(validation["body"]["data"]["valid"], true, "{seen}");
    // Each of the three requests is charged, even the malformed one. Preflights are not charged.
    for (answer, left) in [
        (suggestions, 99_999),
        (malformed, 99_998),
        (validation, 99_997),
    ] {
        let number = |name: &str| {
            answer[name]
                .as_str()
                .and_then(|text| text.parse::<u64>().ok())
        };
        assert_eq!(number("quota"), Some(left), "{seen}");
        assert_eq!(number("rate"), Some(50), "{answer}");
        let id = answer["id"]
            .as_str()
            .and_then(|id| id.parse::<uuid::Uuid>().ok());
        assert!(id.is_some(), "{answer}");
        assert_eq!(answer["waits"], Value::Null, "{answer}");
    }
}

#[test]
fn only_a_listed_origin_reads_answers_and_headers() {
    let Some(browser) = browser() else {
        return;
    };
    let shop = Shop::open();
    let [listed, other] = &shop.pages;
    let live = shop.service.address("live");
    let seen = listed.open(&browser, live, &shop.key);
    assert_reads_all(&seen);
    let hidden = &seen["suggestions"]["hidden"];
    assert_eq!(hidden, &Value::Null, "a header that is not exposed: {seen}");

    let seen = other.open(&browser, live, &shop.key);
    let nothing = json!({ "failed": "TypeError" });
    assert_eq!(
        seen,
        json!({ "suggestions": nothing, "malformed": nothing, "validation": nothing })
    );
    let refusals = r#"postduif_keys_denied_total{cause="origin"} 3"#;
    assert!(
        shop.has_counted(refusals),
        "the metrics count three refused calls"
    );
}

#[test]
fn a_page_of_the_service_is_recognized_by_browser_headers() {
    let Some(browser) = browser() else {
        return;
    };
    let shop = Shop::open();
    let [listed, other] = &shop.pages;
    assert_reads_all(&listed.open(&browser, listed.address, &shop.key));
    let seen = other.open(&browser, other.address, &shop.key);
    let [suggestions, malformed] = ["suggestions", "malformed"].map(|call| &seen[call]);
    for answer in [suggestions, malformed] {
        assert_eq!(answer["status"], 401, "{seen}");
        assert_eq!(answer["body"]["error"]["code"], "invalid_api_key", "{seen}");
    }
}
