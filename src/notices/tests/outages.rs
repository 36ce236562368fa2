//! Tests crashes, a mail server that is unreachable or refuses, and a database that fails before a notice is marked.

use std::time::Duration;

use super::sink::Sink;
use super::{Node, clock, insert_due_notice, mailer, until_sent, until_tried};
use crate::accounts::tests::watch::wait_until;
use crate::accounts::tests::{notices, sql, sqlite};
use crate::accounts::{claim_notice, count_due_notices};
use crate::clock::Clock;
use crate::expect_ok::expect_ok;
use crate::ports::ReservedPort;

async fn until_logged(node: &Node, text: &str) {
    wait_until(text, || node.log.text().contains(text)).await;
}

/// Advances the clock until `holds` returns true. That takes some hours, far less than a billing period.
async fn hours_until(clock: &Clock, holds: impl Fn() -> bool) {
    wait_until("hours pass", || {
        clock.advance(Duration::from_secs(30));
        holds()
    })
    .await;
}

#[tokio::test]
async fn a_notice_is_not_lost_if_its_node_dies_before_sending_it() {
    let Some(sink) = Sink::start(&[]) else { return };
    let (_folder, store) = sqlite::new_store().await;
    insert_due_notice(&store, "kees@example.nl").await;
    let clock = clock();
    let claimed = claim_notice(&store, clock.now()).await;
    assert!(
        claimed.expect("the database answers").is_some(),
        "the node claims the notice and dies"
    );

    let node = Node::start(&store, &sink.url(), &clock);
    insert_due_notice(&store, "mia@example.nl").await;
    until_sent(&store, 1).await;
    assert_eq!(
        sink.messages(1).await[0]["to"][0],
        "mia@example.nl",
        "the other notice is claimed"
    );
    clock.advance(Duration::from_secs(301));
    until_sent(&store, 2).await;
    node.stop().await;
    assert_eq!(sink.messages(2).await.len(), 2);
}

#[tokio::test]
async fn a_mail_server_that_is_down_at_first_gets_each_notice_once() {
    // Skips the test if there is no mail server for tests.
    if Sink::start(&[]).is_none() {
        return;
    }
    let (_folder, store) = sqlite::new_store().await;
    insert_due_notice(&store, "kees@example.nl").await;
    insert_due_notice(&store, "mia@example.nl").await;
    let (clock, port) = (clock(), ReservedPort::new());
    let url = format!("smtp://{}", port.address());
    let killed = Node::start(&store, &url, &clock);
    until_logged(&killed, "mail server cannot be used").await;
    killed.kill().await;

    let node = Node::start(&store, &url, &clock);
    hours_until(&clock, || {
        node.log.text().contains("mail server cannot be used")
    })
    .await;
    let sink =
        Sink::start_at(port.address().port(), &[]).expect("the mail server could start before");
    hours_until(&clock, || sink.count() == 2).await;
    until_sent(&store, 2).await;
    let log = node.stop().await;
    assert_eq!(
        log.matches("mail server cannot be used").count(),
        1,
        "{log}"
    );
    assert_eq!(
        log.matches("mail server can be used again").count(),
        1,
        "{log}"
    );
    assert!(!log.contains("example.nl"), "{log}");
    assert_eq!(sink.messages(2).await.len(), 2);
    for (_, attempts) in notices::sent(&store).await {
        assert!(attempts >= 2, "tried before: {attempts}");
    }
}

#[tokio::test]
async fn a_refused_recipient_is_given_up_after_a_day_and_delays_no_other_notice() {
    let Some(sink) = Sink::start(&["--refuse", "refused@example.nl"]) else {
        return;
    };
    let (_folder, store) = sqlite::new_store().await;
    insert_due_notice(&store, "refused@example.nl").await;
    insert_due_notice(&store, "mia@example.nl").await;
    // This clock starts when the notices are created.
    let clock = Clock::fake(super::period_start());
    let node = Node::start(&store, &sink.url(), &clock);
    until_sent(&store, 1).await;
    for tried in 1..=4 {
        until_tried(&store, &clock, 1 + tried).await;
        assert!(
            !node.log.text().contains("is not retried"),
            "retried after {tried} attempts"
        );
        clock.advance(Duration::from_secs(6 * 3600));
    }
    hours_until(&clock, || node.log.text().contains("is not retried")).await;
    clock.advance(Duration::from_secs(86_400));
    assert_eq!(expect_ok(count_due_notices(&store, clock.now())).await, 0);
    let log = node.stop().await;
    assert!(
        log.contains("the mail server refuses the message or its recipient, with status 550"),
        "{log}"
    );
    assert_eq!(log.lines().count(), 1, "{log}");
    assert!(!log.contains('@'), "{log}");
    assert_eq!(sink.messages(1).await.len(), 1);
}

#[tokio::test]
async fn an_invalid_email_address_is_not_retried() {
    let Some(sink) = Sink::start(&[]) else { return };
    let (_folder, store) = sqlite::new_store().await;
    insert_due_notice(&store, "kees@exa_mple..nl").await;
    let node = Node::start(&store, &sink.url(), &clock());
    until_logged(&node, "is not retried").await;
    let log = node.stop().await;
    assert!(log.contains("attempts=1") && !log.contains("kees"), "{log}");
}

/// The server counts as unavailable if the password is wrong or the server has no TLS. Nothing is sent in plain text.
#[tokio::test]
async fn a_mail_server_that_refuses_the_login_counts_as_unavailable() {
    let Some(sink) = Sink::start(&["--password", "geheim"]) else {
        return;
    };
    let (_folder, store) = sqlite::new_store().await;
    insert_due_notice(&store, "kees@example.nl").await;
    let (clock, port) = (clock(), sink.port());
    for user in ["duif:fout@", ""] {
        let node = Node::start(&store, &format!("smtp://{user}127.0.0.1:{port}"), &clock);
        until_logged(&node, "mail server cannot be used; notices wait").await;
        assert!(!node.stop().await.contains("fout"));
        clock.advance(Duration::from_secs(3600));
    }
    let node = Node::start(
        &store,
        &format!("smtp://duif:geheim@127.0.0.1:{port}?tls=required"),
        &clock,
    );
    until_logged(&node, "mail server cannot be used; notices wait").await;
    node.stop().await;
    assert_eq!(sink.messages(0).await.len(), 0);
    clock.advance(Duration::from_secs(3600));
    let node = Node::start(
        &store,
        &format!("smtp://duif:geheim@127.0.0.1:{port}"),
        &clock,
    );
    until_sent(&store, 1).await;
    node.stop().await;
}

/// A notice is sent twice only in this case: the server accepts the message, and the node dies before it reads the response.
#[tokio::test]
async fn a_node_that_dies_before_the_response_sends_again_with_the_same_id() {
    let Some(mut sink) = Sink::start(&["--hold"]) else {
        return;
    };
    let (_folder, store) = sqlite::new_store().await;
    insert_due_notice(&store, "kees@example.nl").await;
    let clock = clock();
    let node = Node::start(&store, &sink.url(), &clock);
    sink.messages(1).await;
    node.kill().await;
    clock.advance(Duration::from_secs(301));
    let node = Node::start(&store, &sink.url(), &clock);
    sink.messages(2).await;
    sink.accept();
    sink.accept();
    until_sent(&store, 1).await;
    node.stop().await;
    let messages = sink.messages(2).await;
    let id = |index: usize| &messages[index]["headers"]["message-id"];
    assert_eq!((messages.len(), id(0)), (2, id(1)));
}

#[tokio::test]
async fn a_stop_finishes_and_marks_the_current_message() {
    let Some(mut sink) = Sink::start(&["--hold"]) else {
        return;
    };
    let (_folder, store) = sqlite::new_store().await;
    insert_due_notice(&store, "kees@example.nl").await;
    insert_due_notice(&store, "mia@example.nl").await;
    let node = Node::start(&store, &sink.url(), &clock());
    sink.messages(1).await;
    node.stop.cancel();
    sink.accept();
    node.stop().await;
    assert_eq!(
        notices::sent(&store).await,
        [(80, 1)],
        "the node starts no other notice"
    );
}

#[tokio::test]
async fn marking_a_notice_is_retried_until_the_database_is_back() {
    let Some(mut sink) = Sink::start(&["--hold"]) else {
        return;
    };
    let (_folder, store) = sqlite::new_store().await;
    insert_due_notice(&store, "kees@example.nl").await;
    let clock = clock();
    let node = Node::start(&store, &sink.url(), &clock);
    sink.messages(1).await;
    sql(&store, "ALTER TABLE notices RENAME TO away").await;
    sink.accept();
    until_logged(&node, "outbox of notices is unreachable").await;
    // The claim has expired, but the notice was sent only once.
    clock.advance(Duration::from_secs(3600));
    sql(&store, "ALTER TABLE away RENAME TO notices").await;
    until_sent(&store, 1).await;
    let log = node.stop().await;
    assert!(
        log.contains("outbox of notices is reachable again"),
        "{log}"
    );
    assert_eq!(sink.messages(1).await.len(), 1);
}

#[test]
fn the_delay_between_attempts_grows_to_an_hour() {
    #[track_caller]
    fn case(attempts: u32, seconds: u64) {
        assert_eq!(
            crate::notices::retry_delay(attempts),
            Duration::from_secs(seconds)
        );
    }
    case(1, 5);
    case(2, 10);
    case(3, 20);
    case(10, 2560);
    case(11, 3600);
    case(u32::MAX, 3600);
}

#[test]
fn debug_output_has_no_password() {
    let shown = format!("{:?}", mailer("smtp://duif:geheim@mail.example:587"));
    assert!(!shown.contains("geheim"), "{shown}");
}

#[tokio::test]
async fn an_unreachable_database_is_logged_once() {
    let (_folder, store) = sqlite::new_store().await;
    sql(&store, "ALTER TABLE notices RENAME TO away").await;
    let node = Node::start(&store, "smtp://127.0.0.1:1", &clock());
    until_logged(&node, "outbox of notices is unreachable").await;
    sql(&store, "ALTER TABLE away RENAME TO notices").await;
    until_logged(&node, "outbox of notices is reachable again").await;
    let log = node.stop().await;
    assert_eq!(log.lines().count(), 2, "{log}");
}
