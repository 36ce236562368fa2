//! Lists requests, and the statuses with which postduif must answer them. To add a case, add a line.

/// The path of a look-up whose answer repeats the query.
pub(crate) const ECHO: &str = "/v1/autocomplete?q=";

/// The query of the request that follows each case. A server that reads this request as part of the case does not answer it.
pub(crate) const HIDDEN: &str = "hidden";

/// The bytes to send, and the expected statuses. After a single `400` the service closes the connection and reads no further bytes.
pub(crate) type Case = (String, &'static str);

const LINE: &str = "GET /v1/autocomplete?q=seen";

const BODY: &str = r#"{"postcode":"1234AB","number":29}"#;

/// [`BODY`] as one chunk, and the end of a chunked body.
const CHUNKED: &str = "21\r\n{\"postcode\":\"1234AB\",\"number\":29}\r\n0\r\n\r\n";

/// Every case. Another request, with the query [`HIDDEN`], follows the bytes of each case.
pub(crate) fn cases(key: &str) -> Vec<Case> {
    let own = format!("Host: api.example.org\r\nX-Api-Key: {key}\r\n");
    let hidden = format!("GET {ECHO}{HIDDEN} HTTP/1.1\r\n{own}Connection: close\r\n\r\n");
    let made = Requests { own, key };
    let groups = [
        made.sequences(),
        made.two_lengths(),
        made.lengths(),
        made.codings(),
        made.chunks(),
        made.hosts(),
        made.targets(),
        made.lines(),
        made.headers(),
    ];
    let all = groups.into_iter().flatten();
    all.map(|(sent, answers)| (sent + &hidden, answers))
        .collect()
}

/// Builds requests.
struct Requests<'a> {
    /// The header lines that every request has.
    own: String,
    key: &'a str,
}

impl Requests<'_> {
    fn get(&self, headers: &str) -> String {
        format!("{LINE} HTTP/1.1\r\n{}{headers}\r\n", self.own)
    }

    fn post(&self, headers: &str, body: &str) -> String {
        let own = &self.own;
        let json = "Content-Type: application/json";
        format!("POST /v1/validate HTTP/1.1\r\n{own}{json}\r\n{headers}\r\n\r\n{body}")
    }

    fn with_length(&self, length: &str) -> String {
        self.post(&format!("Content-Length:{length}"), BODY)
    }

    /// A POST with the right length and more header lines.
    fn with_length_and(&self, more: &str) -> String {
        self.post(&format!("Content-Length: 33\r\n{more}"), BODY)
    }

    fn with_coding(&self, coding: &str) -> String {
        self.post(&format!("Transfer-Encoding:{coding}"), CHUNKED)
    }

    fn chunked(&self, body: &str) -> String {
        self.post("Transfer-Encoding: chunked", body)
    }

    /// A POST with one chunk: `line` comes before the content of the chunk, `end` after it.
    fn chunk(&self, line: &str, end: &str) -> String {
        self.chunked(&format!("{line}{BODY}{end}0\r\n\r\n"))
    }

    fn with_hosts(&self, hosts: &str) -> String {
        format!("{LINE} HTTP/1.1\r\n{hosts}X-Api-Key: {}\r\n\r\n", self.key)
    }

    fn line(&self, line: &str) -> String {
        format!("{line}\r\n{}\r\n", self.own)
    }

    /// Several requests, one after another.
    fn sequences(&self) -> Vec<Case> {
        let empty = "0\r\n\r\n";
        vec![
            (self.get(""), "200 200"),
            (self.get("Content-Length: 5\r\n") + "abcde", "200 200"),
            (
                self.get("Transfer-Encoding: chunked\r\n") + empty,
                "200 200",
            ),
            (self.get("").replacen("GET", "HEAD", 1), "200 200"),
            (self.with_length(" 33"), "200 200"),
            (self.with_length_and("Expect: 100-continue"), "100 200 200"),
            (self.with_length_and("Expect: something"), "200 200"),
            (format!("\r\n{}", self.get("")), "200 200"),
        ]
    }

    /// Requests with two lengths. Either the chunks are read and the connection ends, or the request is refused.
    fn two_lengths(&self) -> Vec<Case> {
        let with_coding = |length: &str| format!("{length}\r\nTransfer-Encoding: chunked");
        let both = "Content-Length: 4\r\nTransfer-Encoding: chunked\r\n";
        vec![
            (self.with_coding(" chunked\r\nContent-Length: 33"), "200"),
            (self.with_coding(" chunked\r\nContent-Length: 3"), "200"),
            (self.post(&with_coding("Content-Length: 3"), CHUNKED), "200"),
            (self.get(both) + "0\r\n\r\n", "200"),
            (self.with_length_and("Transfer-Encoding: identity"), "400"),
            (self.with_length_and("Transfer-Encoding: xchunked"), "400"),
            (self.with_length_and("Transfer-Encoding:"), "400"),
            (self.with_length_and("Content-Length: 33"), "200 200"),
            (self.with_length_and("Content-Length: 0"), "400"),
            (self.with_length_and("Content_Length: 0"), "200 200"),
        ]
    }

    /// Invalid and impossible lengths.
    fn lengths(&self) -> Vec<Case> {
        vec![
            (self.with_length(" 33, 33"), "400"),
            (self.with_length(" 33, 0"), "400"),
            (self.with_length(" +33"), "400"),
            (self.with_length(" -1"), "400"),
            (self.with_length(" 0x21"), "400"),
            (self.with_length(" 3 3"), "400"),
            (self.with_length(" 33a"), "400"),
            (self.with_length(""), "400"),
            (self.with_length(" 033"), "200 200"),
            (self.with_length("\r\n 33"), "400"),
            (self.with_length(" 9223372036854775808"), "413"),
            (self.with_length(" 18446744073709551615"), "431"),
            (self.with_length(" 18446744073709551616"), "400"),
            (
                self.with_length(" 33").replacen("Length:", "Length :", 1),
                "400",
            ),
        ]
    }

    fn codings(&self) -> Vec<Case> {
        let old = self
            .with_coding(" chunked")
            .replacen("HTTP/1.1", "HTTP/1.0", 1);
        let parted = self
            .with_coding(" chunked")
            .replacen("Encoding:", "Encoding :", 1);
        let line = " chunked\r\nTransfer-Encoding:";
        vec![
            (self.with_coding(" chunked"), "200 200"),
            (self.with_coding(" CHUNKED"), "200 200"),
            (self.with_coding("\tchunked"), "200 200"),
            (self.with_coding(" \u{b}chunked"), "400"),
            (self.with_coding(" \"chunked\""), "400"),
            (self.with_coding(" chunked;q=1"), "400"),
            (self.with_coding(" chunked, identity"), "400"),
            (self.with_coding(" identity, chunked"), "400"),
            (self.with_coding(" gzip, chunked"), "400"),
            (self.with_coding(" chunked, chunked"), "400"),
            (self.with_coding(" ,chunked"), "400"),
            (self.with_coding("\r\n chunked"), "400"),
            (self.with_coding(&format!("{line} chunked")), "400"),
            (self.with_coding(&format!("{line} identity")), "400"),
            (parted, "400"),
            (old, "400"),
        ]
    }

    fn chunks(&self) -> Vec<Case> {
        let long = format!("21;{}\r\n", "a".repeat(20_000));
        let trailer = |line: &str| format!("21\r\n{BODY}\r\n0\r\n{line}\r\n\r\n");
        vec![
            (self.chunk("21;a=b\r\n", "\r\n"), "200 200"),
            (self.chunk("21;a=\"\r\n", "\r\n"), "200 200"),
            (self.chunk("21 \r\n", "\r\n"), "200 200"),
            (
                self.chunk("00000000000000000000000021\r\n", "\r\n"),
                "200 200",
            ),
            (self.chunked(&trailer("Content-Length: 3")), "200 200"),
            (self.chunk("21;\n", "\r\n"), "400"),
            (self.chunk(&long, "\r\n"), "400"),
            (self.chunk("21\n", "\n"), "400"),
            (self.chunk(" 21\r\n", "\r\n"), "400"),
            (self.chunk("\r\n", "\r\n"), "400"),
            (self.chunk("-1\r\n", "\r\n"), "400"),
            (self.chunk("0x21\r\n", "\r\n"), "400"),
            (self.chunk("fffffffffffffffff\r\n", "\r\n"), "400"),
            // The chunk is longer than the bytes that arrive, so the request times out.
            (self.chunk("ffffffffffffffff\r\n", "\r\n"), "503"),
            (self.chunk("21\r\n", ""), "400"),
            (self.chunk("21\r\n", "xx"), "400"),
            (self.chunked(&trailer("no colon")), "400"),
        ]
    }

    fn hosts(&self) -> Vec<Case> {
        let old = self.with_hosts("").replacen("HTTP/1.1", "HTTP/1.0", 1);
        vec![
            (self.with_hosts(""), "400"),
            (old, "200"),
            (self.with_hosts("Host: a\r\nHost: b\r\n"), "400"),
            (self.with_hosts("Host: a\r\nhost: a\r\n"), "400"),
            (self.with_hosts("Host: a b\r\n"), "400"),
            (self.with_hosts("Host: a/b?c\r\n"), "400"),
            (self.with_hosts("Host: user@a\r\n"), "400"),
            (self.with_hosts("Host : a\r\n"), "400"),
            (self.with_hosts("Host:\r\n"), "200 200"),
        ]
    }

    /// Request targets. An absolute URL is valid, and its path is used. No request starts a tunnel or switches to another protocol.
    fn targets(&self) -> Vec<Case> {
        let from = |start: &str| self.line(&format!("{} HTTP/1.1", LINE.replacen('/', start, 1)));
        let upgrade = |to: &str| self.get(&format!("Connection: Upgrade\r\nUpgrade: {to}\r\n"));
        vec![
            (from("http://api.example.org/"), "200 200"),
            (from("http://other.example.org/"), "200 200"),
            (from("file:///"), "400"),
            (self.line("GET * HTTP/1.1"), "404 200"),
            (self.line("OPTIONS * HTTP/1.1"), "404 200"),
            (self.line("CONNECT api.example.org:443 HTTP/1.1"), "404 200"),
            (self.line("CONNECT /v1/validate HTTP/1.1"), "405 200"),
            (upgrade("websocket\r\nSec-WebSocket-Version: 13"), "200 200"),
            (
                upgrade("h2c\r\nHTTP2-Settings: AAMAAABkAAQAAP__"),
                "200 200",
            ),
            ("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".to_owned(), ""),
        ]
    }

    fn lines(&self) -> Vec<Case> {
        let with = |from: &str, to: &str| {
            let line = format!("{LINE} HTTP/1.1");
            self.line(&line.replacen(from, to, 1))
        };
        vec![
            (with(" HTTP", "  HTTP"), "400"),
            (with("1.1", "1.1 "), "400"),
            (with("GET", " GET"), "400"),
            (with("GET ", "GET  "), "400"),
            (with("GET ", "GET\t"), "400"),
            (with("seen", "se en"), "400"),
            (with("seen", "se\0en"), "400"),
            (with("seen", "se\ren"), "400"),
            (with("1.1", "1.2"), "400"),
            (with("1.1", "1.10"), "400"),
            (with("1.1", "2.0"), "400"),
            (with("HTTP", "http"), "400"),
            (format!("{LINE}\r\n\r\n"), "400"),
            (with("GET", "get"), "405 200"),
            (with("GET", "G(T"), "400"),
        ]
    }

    /// Header lines. A lone line feed ends a line. A lone carriage return, a folded line or a control character is invalid. A
    /// client that names `X-Api-Key` in its Connection header is still identified by its key.
    fn headers(&self) -> Vec<Case> {
        let first = |line: &str| format!("{LINE} HTTP/1.1\r\n{line}\r\n{}\r\n", self.own);
        vec![
            (self.get("").replace("\r\n", "\n"), "200 200"),
            (self.get("X-A: b\r\n c\r\n"), "400"),
            (first(" X-A: b"), "400"),
            (self.get("X-A: b\rContent-Length: 5\r\n"), "400"),
            (self.get("X-A: b\r\r\n"), "400"),
            (self.get("X-A: b\0c\r\n"), "400"),
            (self.get("X-\0A: b\r\n"), "400"),
            (self.get("X-A: b\u{1}c\r\n"), "400"),
            (self.get("X-A: b\u{7f}c\r\n"), "400"),
            (self.get("X-A b\r\n"), "400"),
            (self.get("X A: b\r\n"), "400"),
            (self.get(": b\r\n"), "400"),
            (self.get("X-A: \u{e9}\r\n"), "200 200"),
            (self.get("Connection: close, X-Api-Key\r\n"), "200"),
            (self.get("Connection: X-Api-Key\r\n"), "200 200"),
        ]
    }
}
