//! The table: what is sent, and the statuses that postduif answers. A new case is one line.

/// A look-up that says in its answer what was asked for.
pub(crate) const ECHO: &str = "/v1/autocomplete?q=";

/// What the second request of a connection asks for, hidden in the first or behind it.
pub(crate) const HIDDEN: &str = "hidden";

/// Bytes, and the statuses of the answers; what is behind a `400` alone was not looked at, for the connection ended.
pub(crate) type Case = (String, &'static str);

/// Every case, each with another request at its end.
pub(crate) fn cases(key: &str) -> Vec<Case> {
    let own = format!("Host: api.example.org\r\nX-Api-Key: {key}\r\n");
    let hidden = format!("GET {ECHO}{HIDDEN} HTTP/1.1\r\n{own}Connection: close\r\n\r\n");
    let get = |headers: &str| format!("{} HTTP/1.1\r\n{own}{headers}\r\n", get_line());
    let line = |line: &str| format!("{line}\r\n{own}\r\n");
    let hosts = |headers: &str| {
        let line = get_line();
        format!("{line} HTTP/1.1\r\n{headers}X-Api-Key: {key}\r\n\r\n")
    };
    let post = |headers: &str, body: &str| {
        let json = "Content-Type: application/json\r\n";
        format!("POST /v1/validate HTTP/1.1\r\n{own}{json}{headers}\r\n{body}")
    };
    let (length, size) = (BODY.len(), format!("{:x}", BODY.len()));
    let sized = |told: &str| post(&format!("Content-Length: {told}\r\n"), BODY);
    let chunks = |body: &str| post("Transfer-Encoding: chunked\r\n", body);
    let chunked = format!("{size}\r\n{BODY}\r\n0\r\n\r\n");
    let coded = |coding: &str| post(&format!("Transfer-Encoding:{coding}\r\n"), &chunked);
    let chunk = |line: &str, end: &str| chunks(&format!("{line}{BODY}{end}0\r\n\r\n"));
    let path = get_line();
    let all: Vec<Case> = vec![
        // One after another.
        (get(""), "200 200"),
        (get("Content-Length: 5\r\n") + "abcde", "200 200"),
        (
            get("Transfer-Encoding: chunked\r\n") + "0\r\n\r\n",
            "200 200",
        ),
        (get("").replacen("GET", "HEAD", 1), "200 200"),
        (sized(&length.to_string()), "200 200"),
        (
            post(
                &format!("Content-Length: {length}\r\nExpect: 100-continue\r\n"),
                BODY,
            ),
            "100 200 200",
        ),
        (
            post(
                &format!("Content-Length: {length}\r\nExpect: something\r\n"),
                BODY,
            ),
            "200 200",
        ),
        (format!("\r\n{}", get("")), "200 200"),
        // Two lengths: the chunks count and the connection ends, or nothing counts.
        (
            coded(&format!(" chunked\r\nContent-Length: {length}")),
            "200",
        ),
        (coded(" chunked\r\nContent-Length: 3"), "200"),
        (
            post(
                "Content-Length: 3\r\nTransfer-Encoding: chunked\r\n",
                &chunked,
            ),
            "200",
        ),
        (
            get("Content-Length: 4\r\nTransfer-Encoding: chunked\r\n") + "0\r\n\r\n",
            "200",
        ),
        (
            post(
                &format!("Content-Length: {length}\r\nTransfer-Encoding: identity\r\n"),
                BODY,
            ),
            "400",
        ),
        (
            post(
                &format!("Content-Length: {length}\r\nTransfer-Encoding: xchunked\r\n"),
                BODY,
            ),
            "400",
        ),
        (
            post(
                &format!("Content-Length: {length}\r\nTransfer-Encoding:\r\n"),
                BODY,
            ),
            "400",
        ),
        (
            post(
                &format!("Content-Length: {length}\r\nContent-Length: {length}\r\n"),
                BODY,
            ),
            "200 200",
        ),
        (
            post(
                &format!("Content-Length: {length}\r\nContent-Length: 0\r\n"),
                BODY,
            ),
            "400",
        ),
        (
            post(
                &format!("Content_Length: 0\r\nContent-Length: {length}\r\n"),
                BODY,
            ),
            "200 200",
        ),
        // A length that is no number, or none that can be.
        (sized(&format!("{length}, {length}")), "400"),
        (sized(&format!("{length}, 0")), "400"),
        (sized(&format!("+{length}")), "400"),
        (sized("-1"), "400"),
        (sized("0x21"), "400"),
        (sized("3 3"), "400"),
        (sized(""), "400"),
        (sized(&format!("0{length}")), "200 200"),
        (sized("9223372036854775808"), "413"),
        (sized("18446744073709551615"), "431"),
        (sized("18446744073709551616"), "400"),
        (post(&format!("Content-Length : {length}\r\n"), BODY), "400"),
        (
            post(&format!("Content-Length:\r\n {length}\r\n"), BODY),
            "400",
        ),
        // Codings.
        (coded(" chunked"), "200 200"),
        (coded(" CHUNKED"), "200 200"),
        (coded("\tchunked"), "200 200"),
        (coded(" \u{b}chunked"), "400"),
        (coded(" \"chunked\""), "400"),
        (coded(" chunked;q=1"), "400"),
        (coded(" chunked, identity"), "400"),
        (coded(" identity, chunked"), "400"),
        (coded(" gzip, chunked"), "400"),
        (coded(" chunked, chunked"), "400"),
        (coded(" chunked\r\nTransfer-Encoding: chunked"), "400"),
        (coded(" chunked\r\nTransfer-Encoding: identity"), "400"),
        (
            coded(" chunked").replacen(": chunked", " : chunked", 1),
            "400",
        ),
        (coded(" chunked").replacen("HTTP/1.1", "HTTP/1.0", 1), "400"),
        // Chunks.
        (chunk(&format!("{size};a=b\r\n"), "\r\n"), "200 200"),
        (chunk(&format!("{size};a=\"\r\n"), "\r\n"), "200 200"),
        (chunk(&format!("{size} \r\n"), "\r\n"), "200 200"),
        (chunk(&format!("{:0>40}\r\n", size), "\r\n"), "200 200"),
        (
            chunks(&format!(
                "{size}\r\n{BODY}\r\n0\r\nX-A: b\r\nContent-Length: 3\r\n\r\n"
            )),
            "200 200",
        ),
        (chunk(&format!("{size};\n"), "\r\n"), "400"),
        (
            chunk(&format!("{size};{}\r\n", "a".repeat(20_000)), "\r\n"),
            "400",
        ),
        (chunk(&format!("{size}\n"), "\n"), "400"),
        (chunk(&format!(" {size}\r\n"), "\r\n"), "400"),
        (chunk("\r\n", "\r\n"), "400"),
        (chunk("-1\r\n", "\r\n"), "400"),
        (chunk(&format!("0x{size}\r\n"), "\r\n"), "400"),
        (chunk("fffffffffffffffff\r\n", "\r\n"), "400"),
        // More than will come: its time runs out.
        (chunk("ffffffffffffffff\r\n", "\r\n"), "503"),
        (chunk(&format!("{size}\r\n"), ""), "400"),
        (chunk(&format!("{size}\r\n"), "xx"), "400"),
        (
            chunks(&format!("{size}\r\n{BODY}\r\n0\r\nno colon\r\n\r\n")),
            "400",
        ),
        // Whom it is for.
        (hosts(""), "400"),
        (hosts("").replacen("HTTP/1.1", "HTTP/1.0", 1), "200"),
        (hosts("Host: a\r\nHost: b\r\n"), "400"),
        (hosts("Host: a\r\nhost: a\r\n"), "400"),
        (hosts("Host: a b\r\n"), "400"),
        (hosts("Host: a/b?c\r\n"), "400"),
        (hosts("Host: user@a\r\n"), "400"),
        (hosts("Host : a\r\n"), "400"),
        (hosts("Host:\r\n"), "200 200"),
        // The whole address is a right form, of which the path counts.
        (
            line(&format!(
                "{} HTTP/1.1",
                path.replacen('/', "http://api.example.org/", 1)
            )),
            "200 200",
        ),
        (
            line(&format!(
                "{} HTTP/1.1",
                path.replacen('/', "http://other.example.org/", 1)
            )),
            "200 200",
        ),
        (
            line(&format!("{} HTTP/1.1", path.replacen('/', "file:///", 1))),
            "400",
        ),
        (line("GET * HTTP/1.1"), "404 200"),
        (line("OPTIONS * HTTP/1.1"), "404 200"),
        (line("CONNECT api.example.org:443 HTTP/1.1"), "404 200"),
        (line("CONNECT /v1/validate HTTP/1.1"), "405 200"),
        (
            get("Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n"),
            "200 200",
        ),
        (
            get(
                "Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABkAAQAAP__\r\n",
            ),
            "200 200",
        ),
        ("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".to_owned(), ""),
        // The request line.
        (line(&format!("{path}  HTTP/1.1")), "400"),
        (line(&format!("{path} HTTP/1.1 ")), "400"),
        (line(&format!(" {path} HTTP/1.1")), "400"),
        (
            line(&format!("{} HTTP/1.1", path.replacen(' ', "  ", 1))),
            "400",
        ),
        (
            line(&format!("{} HTTP/1.1", path.replacen(' ', "\t", 1))),
            "400",
        ),
        (line(&format!("{path}%20a b HTTP/1.1")), "400"),
        (line(&format!("{path}\0 HTTP/1.1")), "400"),
        (line(&format!("{path} HTTP/1.2")), "400"),
        (line(&format!("{path} HTTP/1.10")), "400"),
        (line(&format!("{path} HTTP/2.0")), "400"),
        (line(&format!("{path} http/1.1")), "400"),
        (format!("{path}\r\n\r\n"), "400"),
        (
            line(&format!("{} HTTP/1.1", path.replacen("GET", "get", 1))),
            "405 200",
        ),
        (
            line(&format!("{} HTTP/1.1", path.replacen("GET", "G(T", 1))),
            "400",
        ),
        // Header lines. A lone line feed ends one; a lone carriage return, a fold or a control character is none of HTTP.
        (get("").replace("\r\n", "\n"), "200 200"),
        (get("X-A: b\r\n c\r\n"), "400"),
        (format!("{path} HTTP/1.1\r\n X-A: b\r\n{own}\r\n"), "400"),
        (get("X-A: b\rContent-Length: 5\r\n"), "400"),
        (get("X-A: b\r\r\n"), "400"),
        (get("X-A: b\0c\r\n"), "400"),
        (get("X-\0A: b\r\n"), "400"),
        (get("X-A: b\u{1}c\r\n"), "400"),
        (get("X-A: b\u{7f}c\r\n"), "400"),
        (get("X-A b\r\n"), "400"),
        (get("X A: b\r\n"), "400"),
        (get(": b\r\n"), "400"),
        (get("X-A: \u{e9}\r\n"), "200 200"),
        // What a client says of a connection is for the next one to it alone, and removes no key.
        (get("Connection: close, X-Api-Key\r\n"), "200"),
        (get("Connection: X-Api-Key\r\n"), "200 200"),
    ];
    all.into_iter()
        .map(|(sent, answers)| (sent + &hidden, answers))
        .collect()
}

fn get_line() -> String {
    format!("GET {ECHO}seen")
}

const BODY: &str = r#"{"postcode":"1234AB","number":29}"#;
