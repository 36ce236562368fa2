//! Tests notices of changes: their text, their recipients, and that their rows are deleted.

use std::time::Duration;

use super::sink::Sink;
use super::{Node, clock};
use crate::accounts::tests::watch::LIMIT;
use crate::accounts::tests::{add_account, sqlite};
use crate::accounts::{AccountRef, AccountStore, list_keys, rotate_key, set_email};
use crate::expect_ok::expect_ok;

/// Waits until no notice of a change is in the outbox.
async fn until_all_sent(store: &AccountStore) {
    let wait = async {
        let count = "SELECT COUNT(*) FROM change_notices";
        while sqlx::query_scalar::<_, i64>(count)
            .fetch_one(store.pool())
            .await
            .expect("a number")
            > 0
        {
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
    };
    expect_ok(tokio::time::timeout(LIMIT, wait)).await;
}

#[tokio::test]
async fn notices_of_a_key_rotation_and_of_a_new_email_address_contain_no_secret() {
    let Some(sink) = Sink::start(&[]) else { return };
    let (_folder, store) = sqlite::new_store().await;
    let opened = add_account(&store, "kees@example.nl").await;
    let clock = clock();
    let old = &list_keys(&store, None).await.expect("a list")[0];
    let end = clock.now() + Duration::from_secs(7 * 86_400);
    let rotated = expect_ok(rotate_key(&store, old.id, end, clock.now())).await;
    // Two nodes on one database must together send each notice once.
    let nodes = [(); 2].map(|()| Node::start(&store, &sink.url(), &clock));
    until_all_sent(&store).await;
    let id = AccountRef::Id(opened.account.id);
    let email = "info@example.nl".parse().expect("an address");
    expect_ok(set_email(&store, &id, email, clock.now())).await;
    until_all_sent(&store).await;
    for node in nodes {
        assert_eq!(node.stop().await, "");
    }

    let messages = sink.messages(3).await;
    assert_eq!(messages.len(), 3);
    let rotation = &messages[0];
    assert_eq!(rotation["to"][0], "kees@example.nl");
    assert_eq!(
        rotation["headers"]["subject"],
        "Uw API-sleutel wordt vervangen / Your API key is being replaced"
    );
    let text = rotation["text"].as_str().expect("text");
    let (masked_old, masked_new) = (&old.hint, &rotated.new.hint);
    for expected in [
        format!("De sleutel {masked_old} van uw account wordt vervangen door {masked_new}."),
        "Tot 18 november 2026, 00:00 UTC werken beide sleutels.".to_owned(),
        format!("The key {masked_old} of your account is being replaced by {masked_new}."),
        "Both keys work until 18 November 2026, 00:00 UTC.".to_owned(),
    ] {
        assert!(text.contains(&expected), "{expected:?} in {text}");
    }
    for key in [&rotated.key, &opened.live_key] {
        assert!(
            !rotation.to_string().contains(&key.reveal()[16..40]),
            "a secret in {text}"
        );
    }
    let mut recipients = Vec::new();
    for message in &messages[1..] {
        let text = message["text"].as_str().expect("text");
        for expected in [
            "gewijzigd van kees@example.nl in info@example.nl.",
            "changed from kees@example.nl to info@example.nl.",
        ] {
            assert!(text.contains(expected), "{expected:?} in {text}");
        }
        recipients.push(message["to"][0].as_str().expect("an address"));
    }
    recipients.sort_unstable();
    assert_eq!(recipients, ["info@example.nl", "kees@example.nl"]);
}
