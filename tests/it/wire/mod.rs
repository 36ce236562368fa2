//! Sends ambiguous bytes on a connection: a table of requests with postduif's answers, and a parser that splits the returned bytes
//! into answers.
//!
//! Source: RFC 9112, sections 2.2, 3.2, 6 and 7. Where the RFC permits several answers, the table has the answer of postduif.

pub(crate) mod table;

use std::io::{ErrorKind, Read as _, Write as _};
use std::net::{SocketAddr, TcpStream};
use std::time::Duration;

use crate::process::Answer;

/// The bytes that were received on one connection, split into answers.
#[derive(Debug)]
pub(crate) struct RawAnswers {
    pub(crate) answers: Vec<Answer>,
    /// Whether a body arrived without a head. nginx answers an HTTP/0.9 request in this way.
    pub(crate) headless: bool,
    /// Whether the other side has closed the connection.
    pub(crate) closed: bool,
}

/// Sends these bytes on a new connection. Reads until the connection is closed or no byte has arrived for `timeout`.
pub(crate) fn send_raw(to: SocketAddr, bytes: &[u8], timeout: Duration) -> RawAnswers {
    let mut stream = TcpStream::connect(to).expect("a listener");
    stream.set_read_timeout(Some(timeout)).expect("a timeout");
    // Ignore an error, because the other side may have refused the request early.
    stream.write_all(bytes).ok();
    let mut raw = Vec::new();
    let mut part = vec![0; 1 << 16];
    let closed = loop {
        match stream.read(&mut part) {
            Ok(0) => break true,
            Ok(length) => raw.extend_from_slice(&part[..length]),
            Err(error) if [ErrorKind::WouldBlock, ErrorKind::TimedOut].contains(&error.kind()) => {
                break false;
            }
            Err(_) => break true,
        }
    };
    let text = String::from_utf8_lossy(&raw);
    // HAProxy may answer with HTTP/2 bytes. They count neither as an answer nor as a body without a head.
    let is_http = text.starts_with("HTTP/1.");
    RawAnswers {
        answers: if is_http {
            split_answers(&text)
        } else {
            Vec::new()
        },
        headless: text.starts_with('{'),
        closed,
    }
}

impl RawAnswers {
    /// The statuses of the answers, in order.
    pub(crate) fn statuses(&self) -> String {
        let statuses = self.answers.iter().map(|answer| answer.status.to_string());
        statuses.collect::<Vec<_>>().join(" ")
    }
}

/// Splits consecutive answers by the `Content-Length` in their heads.
fn split_answers(mut text: &str) -> Vec<Answer> {
    let mut answers = Vec::new();
    while let Some((head, rest)) = text.split_once("\r\n\r\n") {
        let mut answer = Answer::parse(&format!("{head}\r\n\r\n"));
        let message = answer.header("content-length").map(str::parse::<usize>);
        let length = match message {
            // An answer to HEAD has a `Content-Length` but no body, so the next answer follows its head at once.
            Some(length) if !rest.starts_with("HTTP/1.1 ") => length.expect("a length"),
            _ => 0,
        };
        let (body, next) = rest.split_at(length.min(rest.len()));
        answer.body = body.to_owned();
        answers.push(answer);
        text = next;
    }
    answers
}
