//! Tests the content and the recipient of notices, and that several senders send each notice once.

use std::collections::HashSet;
use std::time::Duration;

use serde_json::json;

use super::sink::Sink;
use super::{Node, clock, insert_due_notice, period_start, until_sent};
use crate::accounts::tests::{add_account, notices, plan, sqlite};
use crate::accounts::{AccountRef, AccountStore, PlanName, count_due_notices, set_plan};
use crate::expect_ok::expect_ok;

#[tokio::test]
async fn both_notices_arrive_once_and_a_restart_does_not_send_them_again() {
    let Some(sink) = Sink::start(&[]) else { return };
    let (_folder, store) = sqlite::new_store().await;
    let account = insert_due_notice(&store, "kees@example.nl").await;
    notices::insert(&store, account.id, 100, period_start()).await;
    let clock = clock();
    let node = Node::start(&store, &sink.url(), &clock);
    until_sent(&store, 2).await;
    assert_eq!(node.stop().await, "");

    clock.advance(Duration::from_secs(86_400));
    let node = Node::start(&store, &sink.url(), &clock);
    insert_due_notice(&store, "mia@example.nl").await;
    until_sent(&store, 3).await;
    node.stop().await;
    let messages = sink.messages(3).await;
    let received: Vec<_> = messages
        .iter()
        .map(|one| (&one["to"], &one["headers"]["subject"]))
        .collect();
    let subject = |percent| {
        json!(format!(
            "{percent}% van uw bundel gebruikt / {percent}% of your quota used"
        ))
    };
    let (kees, mia) = (json!(["kees@example.nl"]), json!(["mia@example.nl"]));
    assert_eq!(
        received,
        [
            (&kees, &subject(80)),
            (&kees, &subject(100)),
            (&mia, &subject(80))
        ]
    );
}

#[tokio::test]
async fn a_notice_has_the_numbers_of_the_plan_in_both_languages() {
    let Some(sink) = Sink::start(&[]) else { return };
    let (_folder, store) = sqlite::new_store().await;
    let paid = insert_due_notice(&store, "paid@example.nl").await;
    notices::insert(&store, paid.id, 100, period_start()).await;
    let free = add_account(&store, "free@example.nl").await.account;
    let account_ref = AccountRef::Id(free.id);
    expect_ok(set_plan(&store, &account_ref, plan(PlanName::Free))).await;
    notices::insert(&store, free.id, 100, period_start()).await;
    let node = Node::start(&store, &sink.url(), &clock());
    until_sent(&store, 3).await;
    node.stop().await;

    let messages = sink.messages(3).await;
    let texts: Vec<_> = messages
        .iter()
        .map(|one| one["text"].as_str().expect("text"))
        .collect();
    for text in &texts {
        assert!(text.contains("bundel van 1000 aanvragen"), "{text}");
        assert!(
            text.contains("eindigt op 1 december 2026, 00:00 UTC"),
            "{text}"
        );
        assert!(
            text.contains("ends on 1 December 2026, 00:00 UTC"),
            "{text}"
        );
        assert!(text.contains("één keer per periode"), "{text}");
        assert!(text.contains("status 429"), "{text}");
    }
    let mentions_grace =
        |text: &str| text.contains("another 100 calls") || text.contains("Another 100 calls");
    assert_eq!(
        texts
            .iter()
            .map(|text| mentions_grace(text))
            .collect::<Vec<_>>(),
        [true, true, false]
    );
    assert!(texts[0].contains("U hebt 80% gebruikt"), "{}", texts[0]);
    assert!(
        texts[1].contains("You have used 100% of your quota"),
        "{}",
        texts[1]
    );
    let headers = &messages[0]["headers"];
    assert_eq!(headers["from"], "postduif <notices@example.org>");
    assert_eq!(headers["auto-submitted"], "auto-generated");
    let id = format!(
        "<notice.{}.{}.80@example.org>",
        paid.id,
        period_start().as_second()
    );
    assert_eq!(headers["message-id"], json!(id));
}

#[tokio::test]
async fn two_senders_on_one_sqlite_file_send_each_notice_once() {
    let Some(sink) = Sink::start(&[]) else { return };
    let (folder, first) = sqlite::new_store().await;
    let second = expect_ok(AccountStore::open_in_dir(folder.path())).await;
    two_senders(&sink, &first, &second).await;
}

#[cfg(unix)]
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn two_senders_on_one_postgresql_send_each_notice_once() {
    use crate::accounts::tests::postgres::Server;
    let (Some(sink), Some(server)) = (Sink::start(&[]), Server::start()) else {
        return;
    };
    let first = server.new_store("notices").await;
    let second = expect_ok(AccountStore::open(&server.url("notices"))).await;
    two_senders(&sink, &first, &second).await;
}

/// Sends the notices of twenty accounts from two nodes.
async fn two_senders(sink: &Sink, first: &AccountStore, second: &AccountStore) {
    const ACCOUNTS: usize = 20;
    for number in 0..ACCOUNTS {
        insert_due_notice(first, &format!("kees{number}@example.nl")).await;
    }
    let clock = clock();
    let nodes = [first, second].map(|store| Node::start(store, &sink.url(), &clock));
    until_sent(first, ACCOUNTS).await;
    for node in nodes {
        assert_eq!(node.stop().await, "");
    }
    let messages = sink.messages(ACCOUNTS).await;
    let ids: HashSet<_> = messages
        .iter()
        .map(|one| one["headers"]["message-id"].to_string())
        .collect();
    assert_eq!((messages.len(), ids.len()), (ACCOUNTS, ACCOUNTS));
}

#[tokio::test]
async fn without_a_mail_server_notices_stay_due_and_one_line_is_logged() {
    let (_folder, store) = sqlite::new_store().await;
    let clock = clock();
    let quiet = Node::start_with_mailer(&store, None, &clock);
    quiet.task.await.expect("the sender ends");
    assert_eq!(quiet.log.text(), "");
    insert_due_notice(&store, "kees@example.nl").await;
    insert_due_notice(&store, "mia@example.nl").await;
    let node = Node::start_with_mailer(&store, None, &clock);
    node.task.await.expect("the sender ends");
    let log = node.log.text();
    assert_eq!(log.lines().count(), 1, "{log}");
    assert!(
        log.contains("notices are due, but smtp_url is empty") && log.contains("notices=2"),
        "{log}"
    );
    let due = count_due_notices(&store, clock.now()).await;
    assert_eq!(
        due.expect("the database answers"),
        2,
        "the notices stay due for a mail server that is configured later"
    );
}
