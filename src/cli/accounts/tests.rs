//! Tests what `postduif accounts` prints and what it refuses.

use super::{AccountsAction, AccountsArgs, manage, parse_email};
use crate::accounts::tests::client;
use crate::accounts::tests::sqlite::new_store;
use crate::accounts::{AcceptedKeys, AccountStore, KeyDirectory, list_accounts};
use crate::cli::run_line::run_line;
use crate::expect_ok::expect_ok;

/// Runs one command and returns its output or its error.
async fn try_accounts(store: &AccountStore, line: &str) -> Result<String, String> {
    let command = async |args: AccountsArgs, out: &mut Vec<u8>| match args.action {
        AccountsAction::Manage(action) => manage(action, store, args.json, out).await,
        AccountsAction::Backup(_) => panic!("a backup has tests of its own"),
    };
    run_line(line, command).await
}

async fn accounts(store: &AccountStore, line: &str) -> String {
    let outcome = try_accounts(store, line).await;
    outcome.unwrap_or_else(|error| panic!("{line}: {error}"))
}

fn json(text: &str) -> serde_json::Value {
    serde_json::from_str(text).expect("the output is JSON")
}

fn text<'a>(value: &'a serde_json::Value, pointer: &str) -> &'a str {
    value
        .pointer(pointer)
        .and_then(serde_json::Value::as_str)
        .expect("a string")
}

#[tokio::test]
async fn a_created_account_is_one_line_of_json_and_its_keys_work() {
    let (_folder, store) = new_store().await;
    let line = "create --email Kees@example.nl --plan pro --json";
    let printed = accounts(&store, line).await;
    let value = json(&printed);
    let [id, tag, made] =
        ["/account/id", "/account/tag", "/account/createdAt"].map(|at| text(&value, at));
    let [live, test] = ["/live_key", "/test_key"].map(|at| text(&value, at));
    assert_eq!(
        printed,
        format!(
            r#"{{"account":{{"id":"{id}","email":"kees@example.nl","plan":"pro","callsPerMonth":100000,"#
        ) + &format!(
            r#""grace":10000,"callsPerSecond":50,"bulkMax":1000,"tag":"{tag}","createdAt":"{made}","closedAt":null}},"#
        ) + &format!("\"live_key\":\"{live}\",\"test_key\":\"{test}\"}}\n")
    );
    assert!(
        made.len() == 20 && made.ends_with('Z'),
        "{made} is in whole seconds, UTC"
    );

    let directory = KeyDirectory::new_unloaded();
    expect_ok(directory.refresh(&store)).await;
    for (key, accepted) in [(live, AcceptedKeys::Live), (test, AcceptedKeys::Test)] {
        let grant = directory.authenticate(key.as_bytes(), accepted, &client());
        assert!(grant.is_ok(), "{accepted:?}");
    }
}

#[tokio::test]
async fn both_keys_of_an_account_have_the_requested_restrictions() {
    let (_folder, store) = new_store().await;
    let line = "create --email kees@example.nl --plan free --origin * --ip 2001:db8::/32 --read-only --per-ip 40";
    accounts(&store, line).await;
    let shown = json(&accounts(&store, "show kees@example.nl --json").await);
    for key in ["/keys/0", "/keys/1"] {
        let key = shown.pointer(key).expect("two keys");
        let names = ["readOnly", "origins", "networks", "perIpPerMinute"];
        let expected = serde_json::json!([true, ["*"], ["2001:db8::/32"], 40]);
        assert_eq!(serde_json::json!(names.map(|name| &key[name])), expected);
    }
    let shown = accounts(&store, "show kees@example.nl").await;
    assert_eq!(
        shown.matches("    per IP    40 a minute\n").count(),
        2,
        "{shown}"
    );
    assert_eq!(shown.matches("  read only  ").count(), 2, "{shown}");
}

#[tokio::test]
async fn keys_are_printed_only_by_create() {
    let (_folder, store) = new_store().await;
    let printed = accounts(&store, "create --email kees@example.nl --plan free").await;
    let key = |label| {
        printed
            .lines()
            .find_map(|line| line.strip_prefix(label))
            .expect("the key is shown")
    };
    let secrets = [key("live key  "), key("test key  ")].map(|key| &key[16..40]);
    assert!(
        printed.contains("The keys are shown only once"),
        "{printed}"
    );
    for line in [
        "list",
        "list --json",
        "show kees@example.nl",
        "show kees@example.nl --json",
        "close kees@example.nl",
    ] {
        let later = accounts(&store, line).await;
        assert!(
            secrets.iter().all(|secret| !later.contains(secret)),
            "{line}: {later}"
        );
    }
}

#[test]
fn an_email_address_that_cannot_receive_notices_is_refused() {
    for text in [
        "kees@example.nl",
        "kees+post@example.nl",
        "josé@example.nl",
        "kees@localhost",
    ] {
        assert!(parse_email(text).is_ok(), "{text}");
    }
    for text in [
        "kees@example,nl",
        "<kees@example.nl>",
        "kees..jan@example.nl",
        "mailto:kees@example.nl",
        "kees@example.nl.",
        "kees@example..nl",
        "kees",
    ] {
        let error = parse_email(text).expect_err(text).to_string();
        assert!(error.contains("malformed e-mail address"), "{error}");
    }
}

#[tokio::test]
async fn columns_of_tables_are_aligned() {
    let (_folder, store) = new_store().await;
    for line in [
        "--email kees@example.nl --plan free",
        "--email mia@example.nl --plan standaard",
    ] {
        accounts(&store, &format!("create {line}")).await;
    }
    accounts(&store, "close kees@example.nl").await;
    let list = accounts(&store, "list").await;
    let column = list.find("e-mail").expect("a heading");
    let emails: Vec<_> = list.lines().skip(1).map(|line| &line[column..]).collect();
    assert_eq!(emails, ["kees@example.nl", "mia@example.nl"], "{list}");

    let shown = accounts(&store, "show kees@example.nl").await;
    let heading = shown
        .lines()
        .find(|line| line.ends_with("  revoked"))
        .expect("a heading");
    let column = heading.len() - "revoked".len();
    let revoked: Vec<_> = shown
        .lines()
        .filter(|line| line.contains('…'))
        .map(|line| line.chars().skip(column))
        .collect();
    assert_eq!(revoked.len(), 2, "{shown}");
    for moment in revoked {
        assert!(
            moment
                .collect::<String>()
                .parse::<jiff::Timestamp>()
                .is_ok(),
            "{shown}"
        );
    }
}

#[tokio::test]
async fn set_plan_changes_the_plan_and_close_closes_the_account() {
    let (_folder, store) = new_store().await;
    accounts(&store, "create --email kees@example.nl --plan free").await;
    let shown = accounts(&store, "show kees@example.nl").await;
    assert!(
        shown.contains("plan      free: 500 calls a month, 3 a second, no bulk\n"),
        "{shown}"
    );

    let line = "set-plan kees@example.nl --plan enterprise --calls-per-second 200 --calls-per-month 9000000 --json";
    let moved = json(&accounts(&store, line).await);
    assert_eq!(text(&moved, "/account/plan"), "enterprise");
    assert_eq!(moved.pointer("/account/bulkMax"), Some(&1000.into()));
    assert_eq!(
        moved.pointer("/account/callsPerMonth"),
        Some(&9_000_000.into())
    );

    let id = text(&moved, "/account/id");
    let closed = json(&accounts(&store, &format!("close {id} --json")).await);
    assert_eq!(closed.pointer("/revokedKeys"), Some(&2.into()));
    assert!(text(&closed, "/account/closedAt").ends_with('Z'));
    let shown = json(&accounts(&store, &format!("show {id} --json")).await);
    assert_eq!(
        shown.pointer("/keys/1/revokedAt"),
        closed.pointer("/account/closedAt")
    );
    let listed = json(&accounts(&store, "list --json").await);
    assert_eq!(listed.pointer("/0"), closed.pointer("/account"));
}

#[tokio::test]
async fn set_email_changes_the_email_address_of_an_account() {
    let (_folder, store) = new_store().await;
    accounts(&store, "create --email kees@example.nl --plan free").await;
    let line = "set-email kees@example.nl --email Info@example.nl --json";
    let changed = json(&accounts(&store, line).await);
    assert_eq!(text(&changed, "/account/email"), "info@example.nl");
    let shown = accounts(&store, "show info@example.nl").await;
    assert!(shown.contains("info@example.nl"), "{shown}");
}

#[tokio::test]
async fn invalid_commands_are_refused_with_a_remedy() {
    let (_folder, store) = new_store().await;
    accounts(&store, "create --email kees@example.nl --plan free").await;
    let id = list_accounts(&store).await.expect("a list")[0].id;
    #[rustfmt::skip]
    let cases = [
        ("create --email kees --plan free", r#"malformed e-mail address "kees"; expected name@domain"#),
        ("create --email k@b --plan gratis", r#"unknown plan "gratis"; expected free, starter,"#),
        ("create --email k@b --plan enterprise", "has no limits by default; give --calls-per-month and --calls-per-second"),
        ("create --email k@b --plan pro --bulk-max 5", r#"plan "pro" has fixed limits; only enterprise"#),
        ("create --email k@b --plan enterprise --calls-per-second 0", "invalid value '0'"),
        ("create --email KEES@example.nl --plan pro", &format!("kees@example.nl has account {id} already")),
        ("set-email kees@example.nl --email mia", r#"malformed e-mail address "mia"; expected name@domain"#),
        ("show mia@example.nl", "no account mia@example.nl; `accounts list` shows them all"),
        ("show 17", r#"malformed account "17"; expected its id (a UUID) or its e-mail address"#),
    ];
    for (line, error) in cases {
        let refused = try_accounts(&store, line).await.expect_err(line);
        assert!(refused.contains(error), "{line}: {refused}");
    }
    assert_eq!(list_accounts(&store).await.expect("a list").len(), 1);
}
