//! Crashes, a mail server that is away or refuses, and a database that goes away at the worst moment.

use std::time::Duration;

use super::sink::Sink;
use super::{Node, clock, due, mailer, until_sent, until_tried};
use crate::accounts::tests::watch::until;
use crate::accounts::tests::{notices, sql, sqlite};
use crate::clock::Clock;
use crate::ports::ReservedPort;

async fn until_said(node: &Node, text: &str) {
    until(text, || node.said.text().contains(text)).await;
}

/// Lets time pass until `holds`: some hours while the sender looks a few times, and far less than a period.
async fn hours_until(clock: &Clock, holds: impl Fn() -> bool) {
    until("hours pass", || {
        clock.advance(Duration::from_secs(30));
        holds()
    })
    .await;
}

#[tokio::test]
async fn a_node_that_dies_before_it_sends_loses_nothing() {
    let Some(sink) = Sink::start(&[]) else { return };
    let (_folder, ledger) = sqlite::ledger().await;
    due(&ledger, "kees@example.nl").await;
    let clock = clock();
    let claimed = ledger.claim_notice(clock.now()).await;
    assert!(
        claimed.expect("the ledger answers").is_some(),
        "and there it dies"
    );

    let node = Node::start(&ledger, &sink.url(), &clock);
    due(&ledger, "mia@example.nl").await;
    until_sent(&ledger, 1).await;
    assert_eq!(
        sink.messages(1).await[0]["to"][0],
        "mia@example.nl",
        "the other one is claimed"
    );
    clock.advance(Duration::from_secs(301));
    until_sent(&ledger, 2).await;
    node.stop().await;
    assert_eq!(sink.messages(2).await.len(), 2);
}

#[tokio::test]
async fn a_server_that_is_down_at_first_gets_each_notice_once() {
    // Whether there is a mail server for the tests at all.
    if Sink::start(&[]).is_none() {
        return;
    }
    let (_folder, ledger) = sqlite::ledger().await;
    due(&ledger, "kees@example.nl").await;
    due(&ledger, "mia@example.nl").await;
    let (clock, port) = (clock(), ReservedPort::new());
    let url = format!("smtp://{}", port.address());
    let killed = Node::start(&ledger, &url, &clock);
    until_said(&killed, "mail server is away").await;
    killed.kill().await;

    let node = Node::start(&ledger, &url, &clock);
    hours_until(&clock, || node.said.text().contains("mail server is away")).await;
    let sink = Sink::start_at(port.address().port(), &[]).expect("it was there before");
    hours_until(&clock, || sink.count() == 2).await;
    until_sent(&ledger, 2).await;
    let said = node.stop().await;
    assert_eq!(said.matches("mail server is away").count(), 1, "{said}");
    assert_eq!(said.matches("mail server is back").count(), 1, "{said}");
    assert!(!said.contains("example.nl"), "{said}");
    assert_eq!(sink.messages(2).await.len(), 2);
    for (_, attempts) in notices::sent(&ledger).await {
        assert!(attempts >= 2, "tried before: {attempts}");
    }
}

#[tokio::test]
async fn a_refused_address_is_given_up_after_a_day_and_holds_up_no_other() {
    let Some(sink) = Sink::start(&["--refuse", "nobody@example.nl"]) else {
        return;
    };
    let (_folder, ledger) = sqlite::ledger().await;
    due(&ledger, "nobody@example.nl").await;
    due(&ledger, "mia@example.nl").await;
    // The notices are new.
    let clock = Clock::fake(super::start());
    let node = Node::start(&ledger, &sink.url(), &clock);
    until_sent(&ledger, 1).await;
    for tried in 1..=4 {
        until_tried(&ledger, &clock, 1 + tried).await;
        assert!(!node.said.text().contains("given up"), "not after {tried}");
        clock.advance(Duration::from_secs(6 * 3600));
    }
    hours_until(&clock, || node.said.text().contains("given up")).await;
    clock.advance(Duration::from_secs(86_400));
    assert_eq!(
        ledger
            .count_due_notices(clock.now())
            .await
            .expect("a number"),
        0
    );
    let said = node.stop().await;
    assert!(
        said.contains("the mail server refuses the address, with 550"),
        "{said}"
    );
    assert_eq!(said.lines().count(), 1, "{said}");
    assert!(!said.contains('@'), "{said}");
    assert_eq!(sink.messages(1).await.len(), 1);
}

#[tokio::test]
async fn an_address_that_none_can_send_to_is_given_up_at_once() {
    let Some(sink) = Sink::start(&[]) else { return };
    let (_folder, ledger) = sqlite::ledger().await;
    due(&ledger, "kees@exa_mple..nl").await;
    let node = Node::start(&ledger, &sink.url(), &clock());
    until_said(&node, "given up").await;
    let said = node.stop().await;
    assert!(
        said.contains("attempts=1") && !said.contains("kees"),
        "{said}"
    );
}

/// The password is wrong, or the server does not speak TLS: nobody's address is to blame, and nothing goes out in the clear.
#[tokio::test]
async fn a_server_that_does_not_know_us_counts_as_away() {
    let Some(sink) = Sink::start(&["--password", "geheim"]) else {
        return;
    };
    let (_folder, ledger) = sqlite::ledger().await;
    due(&ledger, "kees@example.nl").await;
    let (clock, port) = (clock(), sink.port());
    for user in ["duif:fout@", ""] {
        let node = Node::start(&ledger, &format!("smtp://{user}127.0.0.1:{port}"), &clock);
        until_said(&node, "mail server is away; notices wait").await;
        assert!(!node.stop().await.contains("fout"));
        clock.advance(Duration::from_secs(3600));
    }
    let node = Node::start(
        &ledger,
        &format!("smtp://duif:geheim@127.0.0.1:{port}?tls=required"),
        &clock,
    );
    until_said(&node, "mail server is away; notices wait").await;
    node.stop().await;
    assert_eq!(sink.messages(0).await.len(), 0);
    clock.advance(Duration::from_secs(3600));
    let node = Node::start(
        &ledger,
        &format!("smtp://duif:geheim@127.0.0.1:{port}"),
        &clock,
    );
    until_sent(&ledger, 1).await;
    node.stop().await;
}

/// The one window that is open: the server has the message, and the node dies before it hears so.
#[tokio::test]
async fn a_node_that_dies_before_the_answer_sends_again_under_the_same_id() {
    let Some(mut sink) = Sink::start(&["--hold"]) else {
        return;
    };
    let (_folder, ledger) = sqlite::ledger().await;
    due(&ledger, "kees@example.nl").await;
    let clock = clock();
    let node = Node::start(&ledger, &sink.url(), &clock);
    sink.messages(1).await;
    node.kill().await;
    clock.advance(Duration::from_secs(301));
    let node = Node::start(&ledger, &sink.url(), &clock);
    sink.messages(2).await;
    sink.accept();
    sink.accept();
    until_sent(&ledger, 1).await;
    node.stop().await;
    let messages = sink.messages(2).await;
    let id = |index: usize| &messages[index]["headers"]["message-id"];
    assert_eq!((messages.len(), id(0)), (2, id(1)));
}

#[tokio::test]
async fn a_stop_lets_the_message_under_way_be_sent_and_marked() {
    let Some(mut sink) = Sink::start(&["--hold"]) else {
        return;
    };
    let (_folder, ledger) = sqlite::ledger().await;
    due(&ledger, "kees@example.nl").await;
    due(&ledger, "mia@example.nl").await;
    let node = Node::start(&ledger, &sink.url(), &clock());
    sink.messages(1).await;
    node.stop.cancel();
    sink.accept();
    node.stop().await;
    assert_eq!(
        notices::sent(&ledger).await,
        [(80, 1)],
        "and no other is begun"
    );
}

#[tokio::test]
async fn a_database_that_goes_away_before_the_mark_is_waited_for() {
    let Some(mut sink) = Sink::start(&["--hold"]) else {
        return;
    };
    let (_folder, ledger) = sqlite::ledger().await;
    due(&ledger, "kees@example.nl").await;
    let clock = clock();
    let node = Node::start(&ledger, &sink.url(), &clock);
    sink.messages(1).await;
    sql(&ledger, "ALTER TABLE notices RENAME TO away").await;
    sink.accept();
    until_said(&node, "the outbox of notices is away").await;
    // Its claim is over, and still nobody has sent it twice.
    clock.advance(Duration::from_secs(3600));
    sql(&ledger, "ALTER TABLE away RENAME TO notices").await;
    until_sent(&ledger, 1).await;
    let said = node.stop().await;
    assert!(said.contains("the outbox of notices is back"), "{said}");
    assert_eq!(sink.messages(1).await.len(), 1);
}

#[test]
fn rests_grow_to_an_hour() {
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
fn what_is_held_shows_no_password() {
    let shown = format!("{:?}", mailer("smtp://duif:geheim@mail.example:587"));
    assert!(!shown.contains("geheim"), "{shown}");
}

#[tokio::test]
async fn a_database_that_is_away_is_told_once() {
    let (_folder, ledger) = sqlite::ledger().await;
    sql(&ledger, "ALTER TABLE notices RENAME TO away").await;
    let node = Node::start(&ledger, "smtp://127.0.0.1:1", &clock());
    until_said(&node, "the outbox of notices is away").await;
    sql(&ledger, "ALTER TABLE away RENAME TO notices").await;
    until_said(&node, "the outbox of notices is back").await;
    let said = node.stop().await;
    assert_eq!(said.lines().count(), 2, "{said}");
}
