//! Tests what `postduif accounts` prints and what it refuses.

use std::net::Ipv4Addr;

use clap::Parser;
use tempfile::TempDir;

use super::{AccountsArgs, run};
use crate::accounts::{AcceptedKeys, AccountStore, ClientInfo, KeyDirectory};

#[derive(Parser)]
struct Line {
    #[command(flatten)]
    args: AccountsArgs,
}

/// Runs one command and returns its output or its error.
async fn accounts(store: &AccountStore, line: &str) -> Result<String, String> {
    let words = ["accounts"].into_iter().chain(line.split_whitespace());
    let line = Line::try_parse_from(words).map_err(|error| error.to_string())?;
    let mut out = Vec::new();
    let outcome = run(line.args, store, &mut out).await;
    outcome.map_err(|error| format!("{error:#}"))?;
    Ok(String::from_utf8(out).expect("text is printed"))
}

async fn new_store() -> (TempDir, AccountStore) {
    let folder = crate::scratch::folder();
    let store = AccountStore::open_in_dir(folder.path())
        .await
        .expect("an empty folder has no accounts yet");
    (folder, store)
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
    let printed = accounts(&store, line).await.expect("the account is new");
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

    let directory = KeyDirectory::load(&store)
        .await
        .expect("the database answers");
    assert!(
        directory
            .authenticate(
                live.as_bytes(),
                AcceptedKeys::Live,
                &ClientInfo::from_ip(Ipv4Addr::LOCALHOST.into())
            )
            .is_ok()
    );
    assert!(
        directory
            .authenticate(
                test.as_bytes(),
                AcceptedKeys::Test,
                &ClientInfo::from_ip(Ipv4Addr::LOCALHOST.into())
            )
            .is_ok()
    );
}

#[tokio::test]
async fn both_keys_of_an_account_have_the_requested_restrictions() {
    let (_folder, store) = new_store().await;
    let line = "create --email kees@example.nl --plan free --origin * --ip 2001:db8::/32 --read-only --per-ip 40";
    accounts(&store, line).await.expect("the account is new");
    let shown = json(
        &accounts(&store, "show kees@example.nl --json")
            .await
            .expect("the account exists"),
    );
    for key in ["/keys/0", "/keys/1"] {
        let key = shown.pointer(key).expect("two keys");
        let names = ["readOnly", "origins", "networks", "perIpPerMinute"];
        let expected = serde_json::json!([true, ["*"], ["2001:db8::/32"], 40]);
        assert_eq!(serde_json::json!(names.map(|name| &key[name])), expected);
    }
    let shown = accounts(&store, "show kees@example.nl")
        .await
        .expect("the account exists");
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
    let printed = accounts(&store, "create --email kees@example.nl --plan free")
        .await
        .expect("the account is new");
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
        let later = accounts(&store, line).await.expect("the account exists");
        assert!(
            secrets.iter().all(|secret| !later.contains(secret)),
            "{line}: {later}"
        );
    }
}

#[tokio::test]
async fn columns_of_tables_are_aligned() {
    let (_folder, store) = new_store().await;
    for line in [
        "--email kees@example.nl --plan free",
        "--email mia@example.nl --plan standaard",
    ] {
        accounts(&store, &format!("create {line}"))
            .await
            .expect("the account is new");
    }
    accounts(&store, "close kees@example.nl")
        .await
        .expect("the account exists");
    let list = accounts(&store, "list").await.expect("two accounts");
    let column = list.find("e-mail").expect("a heading");
    let emails: Vec<_> = list.lines().skip(1).map(|line| &line[column..]).collect();
    assert_eq!(emails, ["kees@example.nl", "mia@example.nl"], "{list}");

    let shown = accounts(&store, "show kees@example.nl")
        .await
        .expect("the account exists");
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
    accounts(&store, "create --email kees@example.nl --plan free")
        .await
        .expect("the account is new");
    let shown = accounts(&store, "show kees@example.nl")
        .await
        .expect("the account exists");
    assert!(
        shown.contains("plan      free: 500 calls a month, 3 a second, no bulk\n"),
        "{shown}"
    );

    let line = "set-plan kees@example.nl --plan enterprise --calls-per-second 200 --calls-per-month 9000000 --json";
    let moved = json(&accounts(&store, line).await.expect("the account exists"));
    assert_eq!(text(&moved, "/account/plan"), "enterprise");
    assert_eq!(moved.pointer("/account/bulkMax"), Some(&1000.into()));
    assert_eq!(
        moved.pointer("/account/callsPerMonth"),
        Some(&9_000_000.into())
    );

    let id = text(&moved, "/account/id");
    let closed = json(
        &accounts(&store, &format!("close {id} --json"))
            .await
            .expect("the account is open"),
    );
    assert_eq!(closed.pointer("/revokedKeys"), Some(&2.into()));
    assert!(text(&closed, "/account/closedAt").ends_with('Z'));
    let shown = json(
        &accounts(&store, &format!("show {id} --json"))
            .await
            .expect("the account exists"),
    );
    assert_eq!(
        shown.pointer("/keys/1/revokedAt"),
        closed.pointer("/account/closedAt")
    );
    let listed = json(&accounts(&store, "list --json").await.expect("a list"));
    assert_eq!(listed.pointer("/0"), closed.pointer("/account"));
}

#[tokio::test]
async fn set_email_changes_the_email_address_of_an_account() {
    let (_folder, store) = new_store().await;
    accounts(&store, "create --email kees@example.nl --plan free")
        .await
        .expect("the account is new");
    let line = "set-email kees@example.nl --email Info@example.nl --json";
    let changed = json(
        &accounts(&store, line)
            .await
            .expect("the address is not in use"),
    );
    assert_eq!(text(&changed, "/account/email"), "info@example.nl");
    let shown = accounts(&store, "show info@example.nl")
        .await
        .expect("the account exists");
    assert!(shown.contains("info@example.nl"), "{shown}");
}

#[tokio::test]
async fn invalid_commands_are_refused_with_a_remedy() {
    let (_folder, store) = new_store().await;
    accounts(&store, "create --email kees@example.nl --plan free")
        .await
        .expect("the account is new");
    let id = store.list_accounts().await.expect("a list")[0].id;
    for (line, error) in [
        (
            "create --email kees --plan free",
            r#"malformed e-mail address "kees"; expected name@domain"#,
        ),
        (
            "create --email k@b --plan gratis",
            r#"unknown plan "gratis"; expected free, starter,"#,
        ),
        (
            "create --email k@b --plan enterprise",
            "has no limits by default; give calls per month and calls per second",
        ),
        (
            "create --email k@b --plan pro --bulk-max 5",
            r#"plan "pro" has fixed limits; only enterprise"#,
        ),
        (
            "create --email k@b --plan enterprise --calls-per-second 0",
            "invalid value '0'",
        ),
        (
            "create --email KEES@example.nl --plan pro",
            &format!("kees@example.nl has account {id} already"),
        ),
        (
            "set-email kees@example.nl --email mia",
            r#"malformed e-mail address "mia"; expected name@domain"#,
        ),
        (
            "show mia@example.nl",
            "no account mia@example.nl; `accounts list` shows them all",
        ),
        (
            "show 17",
            r#"malformed account "17"; expected its id (a UUID) or its e-mail address"#,
        ),
    ] {
        let refused = accounts(&store, line).await.expect_err(line);
        assert!(refused.contains(error), "{line}: {refused}");
    }
    assert_eq!(store.list_accounts().await.expect("a list").len(), 1);
}
