//! Starts nginx with the machine's own `nginx.conf`, which includes the example, in front of a service.

use std::fs;
use std::io::{Read as _, Write as _};
use std::net::{SocketAddr, TcpListener};
use std::os::fd::OwnedFd;
use std::path::{Path, PathBuf};
use std::process::{Child, Command};
use std::thread;
use std::time::{Duration, Instant};

use rustix::process::Signal;
use tempfile::TempDir;

use crate::process::{
    Answer, Service, WAIT_TIMEOUT, open_account, open_account_with, signal, wait_until,
};
use crate::tools::{existing_path, program};

const EXAMPLE: &str = include_str!("../../../../docker/nginx.conf");
const SNIPPET: &str = include_str!("../../../../docker/nginx-proxy.conf");

/// Another site on the same nginx.
pub(super) const NEIGHBOUR: &str = "neighbour.example.org";

/// nginx and the service, both stopped on drop.
pub(super) struct NginxSite {
    nginx: Child,
    program: PathBuf,
    pub(super) address: SocketAddr,
    service: Service,
    pub(super) keys: [String; 2],
    folder: TempDir,
}

impl NginxSite {
    /// Starts nginx and the service, and opens an account with these options; `None` if nginx is not installed.
    pub(super) fn start(
        account: &[&str],
        change: fn(String) -> String,
        more: &[&str],
    ) -> Option<Self> {
        let program = program("nginx")?;
        let settings = existing_path("/etc/nginx/nginx.conf".into(), "Debian package nginx-light")?;
        let folder = crate::data_dir::village_folder();
        let keys = match account {
            [] => open_account(folder.path()),
            options => open_account_with(folder.path(), options),
        };
        let trusting = ["--trusted-proxy", "127.0.0.1"];
        let service = Service::start(folder.path(), &[&trusting, more].concat());
        let listener = TcpListener::bind("127.0.0.1:0").expect("a free port");
        // nginx expects an inherited socket to be non-blocking. Otherwise, if one connection wakes two workers, one of them blocks in
        // `accept`, and its other connections hang.
        listener
            .set_nonblocking(true)
            .expect("a non-blocking socket");
        let address = listener.local_addr().expect("a bound port");
        let settings = fs::read_to_string(settings).expect("reads");
        let example = example(change, address, &service);
        let neighbour = format!(
            "server {{ listen {address}; server_name {NEIGHBOUR}; location / {{ proxy_pass http://{}; }} }}",
            service.address("live")
        );
        for (name, content) in [
            ("nginx.conf", with_folder(folder.path(), settings).as_str()),
            ("conf.d/neighbour.conf", &neighbour),
            ("conf.d/postduif.conf", &example),
            ("snippets/postduif.conf", SNIPPET),
        ] {
            let path = folder.path().join(name);
            fs::create_dir_all(path.parent().expect("a folder")).expect("a new folder");
            fs::write(path, content).expect("writes");
        }
        let child = command(&program, folder.path())
            .args(["-g", "daemon off;"])
            // nginx inherits the listener as in an upgrade of nginx, so no other process can take the port.
            .stdin(OwnedFd::from(listener))
            .env("NGINX", "0;")
            .spawn();
        let site = Self {
            nginx: child.expect("nginx starts"),
            program,
            address,
            service,
            keys,
            folder,
        };
        Some(site)
    }

    /// The output of `nginx -t`.
    pub(super) fn check_config(&self) -> String {
        let output = command(&self.program, self.folder.path())
            .arg("-t")
            .output();
        let output = output.expect("it runs");
        String::from_utf8_lossy(&output.stderr).into_owned()
    }

    /// Reloads the settings of nginx, and waits until they are active.
    pub(super) fn reload(&self) {
        let path = format!("/reloaded-{}", uuid::Uuid::now_v7());
        let neighbour = self.folder.path().join("conf.d/neighbour.conf");
        let settings = fs::read_to_string(&neighbour).expect("reads");
        let last = settings.rfind('}').expect("a server");
        let known = format!("location = {path} {{ return 204; }} }}");
        fs::write(neighbour, settings[..last].to_owned() + &known).expect("writes");
        signal(self.nginx.id(), Signal::HUP);
        wait_until("the new settings hold", || {
            self.get(NEIGHBOUR, &path, "none", "").status == 204
        });
    }

    /// Sends a request from this local IP, on a new connection.
    pub(super) fn ask_from(&self, from: &str, head: &str, body: &[u8]) -> Answer {
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .build();
        let stream = runtime.expect("a runtime").block_on(async {
            let socket = tokio::net::TcpSocket::new_v4().expect("a socket");
            let from = format!("{from}:0").parse().expect("an address");
            socket.bind(from).expect("an address of this machine");
            let stream = socket.connect(self.address).await.expect("nginx");
            stream.into_std().expect("a socket")
        });
        stream.set_nonblocking(false).expect("a plain socket");
        stream
            .set_read_timeout(Some(WAIT_TIMEOUT))
            .expect("a limit");
        let mut stream = stream;
        let text = format!("{head}\r\nConnection: close\r\n\r\n");
        stream.write_all(text.as_bytes()).expect("a head");
        stream.write_all(body).expect("a body");
        let mut answer = Vec::new();
        stream.read_to_end(&mut answer).expect("an answer");
        // Only the head is text, because a body may be compressed.
        Answer::parse(&String::from_utf8_lossy(&answer))
    }

    pub(super) fn get(&self, host: &str, path: &str, key: &str, more: &str) -> Answer {
        let head = format!("GET {path} HTTP/1.1\r\nHost: {host}\r\nX-Api-Key: {key}{more}");
        self.ask_from("127.0.0.1", &head, b"")
    }

    /// The number of connections that the live listener has accepted; 0 before it listens.
    pub(super) fn accepted(&self) -> u64 {
        let page = self.service.get("admin", "/metrics", None).body;
        let series = "postduif_connections_accepted_total{listener=\"live\"} ";
        let line = page.lines().find_map(|line| line.strip_prefix(series));
        line.and_then(|count| count.parse().ok()).unwrap_or(0)
    }
}

impl Drop for NginxSite {
    fn drop(&mut self) {
        // Send SIGTERM, because the workers of nginx would survive a kill of their master process. Repeat it until the master ends,
        // because a master that has just started may lose a signal.
        let began = Instant::now();
        while let Ok(None) = self.nginx.try_wait() {
            if began.elapsed() > WAIT_TIMEOUT {
                self.nginx.kill().ok();
            }
            signal(self.nginx.id(), Signal::TERM);
            thread::sleep(Duration::from_millis(100));
        }
    }
}

pub(crate) fn command(program: &Path, folder: &Path) -> Command {
    let mut command = Command::new(program);
    // Set no prefix (`-p`), because nginx looks for its modules below the prefix.
    command.arg("-c").arg(folder.join("nginx.conf"));
    command.arg("-e").arg(folder.join("nginx.log"));
    command
}

/// The example with the ports of this test, after `change`.
fn example(change: fn(String) -> String, address: SocketAddr, service: &Service) -> String {
    let ports = [
        ("listen 80;", format!("listen {address};")),
        ("127.0.0.1:8080", service.address("live").to_string()),
        ("127.0.0.1:8081", service.address("sandbox").to_string()),
    ];
    ports
        .iter()
        .fold(change(EXAMPLE.to_owned()), |text, (from, to)| {
            assert!(text.contains(from), "the example contains {from}");
            text.replace(from, to)
        })
}

/// The machine's nginx settings, with `folder` in place of every folder that nginx writes to and of its folder of sites.
pub(crate) fn with_folder(folder: &Path, settings: String) -> String {
    let own = |name: &str| folder.join(name).display().to_string();
    let temporary = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"];
    let temporary = temporary.map(|of| format!("{of}_temp_path {};\n", own(of)));
    // nginx changes the user of its workers only if root starts it. The workers stay root here, because only root can read the
    // test's folder.
    let user = if is_root() { "user root;" } else { "" };
    let changes = [
        ("user www-data;", user.to_owned()),
        ("worker_processes auto;", "worker_processes 1;".to_owned()),
        ("/run/nginx.pid", own("nginx.pid")),
        ("/var/log/nginx", folder.display().to_string()),
        ("http {", format!("http {{\n{}", temporary.concat())),
        ("/etc/nginx/conf.d/", own("conf.d/")),
        ("include /etc/nginx/sites-enabled/*;", String::new()),
    ];
    changes.iter().fold(settings, |text, (from, to)| {
        assert!(text.contains(from), "Debian's nginx.conf contains {from}");
        text.replace(from, to)
    })
}

pub(crate) fn is_root() -> bool {
    use std::os::unix::fs::MetadataExt as _;
    fs::metadata("/proc/self").is_ok_and(|own| own.uid() == 0)
}
