//! Sends requests that a proxy might split differently. The service must either refuse a request and close the connection, or
//! answer this request and all further requests in order.

use super::village_folder;
use crate::process::{Service, WAIT_TIMEOUT};
use crate::wire::{RawAnswers, send_raw, table};

#[test]
fn ambiguous_requests_are_refused_or_answered_in_order() {
    let (folder, _, [live, _]) = village_folder();
    let service = Service::start(
        folder.path(),
        &["--request-timeout-s", "3", "--header-timeout-s", "5"],
    );
    service.wait_until_key_works(&live);
    let (cases, to) = (table::cases(&live), service.address("live"));
    assert!(cases.len() > 100, "{}", cases.len());
    let wrong: Vec<String> = std::thread::scope(|scope| {
        let parts = cases.chunks(cases.len().div_ceil(4)).map(|cases| {
            scope.spawn(move || {
                let judged = cases.iter().map(|(sent, answers)| {
                    let raw = send_raw(to, sent.as_bytes(), WAIT_TIMEOUT);
                    fault(&raw, answers).map(|fault| format!("{fault}\n  {sent:?}"))
                });
                judged.flatten().collect::<Vec<_>>()
            })
        });
        let parts: Vec<_> = parts.collect();
        let parts = parts.into_iter().map(|part| part.join().expect("no panic"));
        parts.flatten().collect()
    });
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    let after = send_raw(
        to,
        format!(
            "GET {}after HTTP/1.1\r\nHost: a\r\nX-Api-Key: {live}\r\nConnection: close\r\n\r\n",
            table::ECHO
        )
        .as_bytes(),
        WAIT_TIMEOUT,
    );
    assert_eq!(after.statuses(), "200");
}

/// Describes how the answers differ from the expected statuses; `None` if they match.
fn fault(raw: &RawAnswers, expected: &str) -> Option<String> {
    let statuses = raw.statuses();
    if statuses != expected || !raw.closed {
        return Some(format!("{expected} expected, not {statuses} {raw:?}"));
    }
    for answer in raw.answers.iter().filter(|answer| answer.status == 400) {
        // A refusal by hyper has neither a body nor a request id. A refusal by postduif has both.
        let shaped = match answer.header("x-request-id") {
            None => answer.header("content-length") == Some("0"),
            Some(_) => answer.body.starts_with(r#"{"error":{"code":"invalid_"#),
        };
        if !shaped {
            return Some(format!("{answer:?}"));
        }
    }
    let hidden = raw
        .answers
        .iter()
        .filter(|answer| answer.body.contains(table::HIDDEN));
    let behind = usize::from(expected.ends_with(" 200"));
    (hidden.count() != behind).then(|| format!("the hidden request was answered: {raw:?}"))
}
