//! Bytes on a connection that two readers might take in two ways: a table of requests with what postduif answers, and what came
//! back over a socket, answer by answer.
//!
//! Source of what is right: RFC 9112, sections 2.2, 3.2, 6 and 7; where it leaves a choice, the table says what was chosen.

pub(crate) mod table;

use std::io::{ErrorKind, Read as _, Write as _};
use std::net::{SocketAddr, TcpStream};
use std::time::Duration;

use crate::process::Answer;

/// What came back over one connection.
#[derive(Debug)]
pub(crate) struct Heard {
    pub(crate) answers: Vec<Answer>,
    /// A body came without a head, as HTTP/0.9 had it: nginx still answers so where it was asked so.
    pub(crate) headless: bool,
    /// The other side has ended it.
    pub(crate) closed: bool,
}

/// Sends these bytes on a connection of their own, and listens until it is closed or nothing has come for a while.
pub(crate) fn say(to: SocketAddr, bytes: &[u8], patience: Duration) -> Heard {
    let mut stream = TcpStream::connect(to).expect("a listener");
    stream.set_read_timeout(Some(patience)).expect("a timeout");
    // Who is refused early is not listened to any more.
    stream.write_all(bytes).ok();
    let mut heard = Vec::new();
    let mut part = vec![0; 1 << 16];
    let closed = loop {
        match stream.read(&mut part) {
            Ok(0) => break true,
            Ok(length) => heard.extend_from_slice(&part[..length]),
            Err(error) if [ErrorKind::WouldBlock, ErrorKind::TimedOut].contains(&error.kind()) => {
                break false;
            }
            Err(_) => break true,
        }
    };
    let text = String::from_utf8_lossy(&heard);
    // What HAProxy says to who speaks HTTP/2 is neither.
    let is_http = text.starts_with("HTTP/1.");
    Heard {
        answers: if is_http { parted(&text) } else { Vec::new() },
        headless: text.starts_with('{'),
        closed,
    }
}

impl Heard {
    /// The statuses, one after another.
    pub(crate) fn statuses(&self) -> String {
        let statuses = self.answers.iter().map(|answer| answer.status.to_string());
        statuses.collect::<Vec<_>>().join(" ")
    }
}

/// Answers follow each other as their lengths say.
fn parted(mut text: &str) -> Vec<Answer> {
    let mut answers = Vec::new();
    while let Some((head, rest)) = text.split_once("\r\n\r\n") {
        let mut answer = Answer::parse(&format!("{head}\r\n\r\n"));
        let told = answer.header("content-length").map(str::parse::<usize>);
        let length = match told {
            // An answer to HEAD tells a length and has no body.
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
