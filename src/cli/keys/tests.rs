//! Tests what `postduif keys` prints and what it refuses.

use std::net::Ipv4Addr;

use jiff::Timestamp;
use tempfile::TempDir;

use super::{KeysArgs, run};
use crate::accounts::tests::{add_account, sqlite};
use crate::accounts::{AcceptedKeys, Account, AccountStore, ClientInfo, KeyDirectory, list_keys};
use crate::cli::run_line::run_line;
use crate::expect_ok::expect_ok;

/// Runs one command and returns its output or its error.
async fn try_keys(store: &AccountStore, line: &str) -> Result<String, String> {
    run_line(line, async |args: KeysArgs, out: &mut Vec<u8>| {
        run(args, store, out).await
    })
    .await
}

async fn keys(store: &AccountStore, line: &str) -> String {
    let outcome = try_keys(store, line).await;
    outcome.unwrap_or_else(|error| panic!("{line}: {error}"))
}

async fn new_store() -> (TempDir, AccountStore, Account) {
    let (folder, store) = sqlite::new_store().await;
    let created = add_account(&store, "kees@example.nl").await;
    (folder, store, created.account)
}

#[tokio::test]
async fn a_created_key_is_one_line_of_json_and_works() {
    let (_folder, store, account) = new_store().await;
    let line = "create --account kees@example.nl --environment test --read-only --json";
    let printed = keys(&store, line).await;
    let value: serde_json::Value = serde_json::from_str(&printed).expect("the output is JSON");
    let [id, key, hint, made] =
        ["id", "key", "hint", "createdAt"].map(|name| value[name].as_str().expect("a text"));
    let owner = account.id;
    assert_eq!(
        printed,
        format!(r#"{{"id":"{id}","account":"{owner}","environment":"test","hint":"{hint}","#)
            + r#""readOnly":true,"origins":[],"networks":[],"perIpPerMinute":null,"#
            + &format!(r#""createdAt":"{made}","expiresAt":null,"revokedAt":null,"key":"{key}"}}"#)
            + "\n"
    );
    assert_eq!(hint, format!("pd_test_{}…{}", account.tag, &key[42..]));

    let directory = KeyDirectory::new_unloaded();
    expect_ok(directory.refresh(&store)).await;
    let grant = directory
        .authenticate(
            key.as_bytes(),
            AcceptedKeys::Test,
            &ClientInfo::from_ip(Ipv4Addr::LOCALHOST.into()),
        )
        .expect("the key is live");
    assert_eq!(
        (
            grant.key_id.to_string().as_str(),
            grant.restrictions.read_only
        ),
        (id, true)
    );
}

#[tokio::test]
async fn a_key_has_the_requested_restrictions_and_the_list_shows_them() {
    let (_folder, store, account) = new_store().await;
    let line = "create --account kees@example.nl --origin HTTPS://Shop.example.org:443 --origin capacitor://localhost \
                --ip 192.0.2.0/24 --ip ::ffff:198.51.100.7 --per-ip 40 --json";
    let printed = keys(&store, line).await;
    let restrictions =
        r#""readOnly":false,"origins":["https://shop.example.org","capacitor://localhost"],"#
            .to_owned()
            + r#""networks":["192.0.2.0/24","198.51.100.7"],"perIpPerMinute":40,"#;
    assert!(printed.contains(&restrictions), "{printed}");
    let listed = keys(&store, "list --json").await;
    assert!(listed.contains(&restrictions), "{listed}");
    let made = serde_json::from_str::<serde_json::Value>(&printed).expect("JSON");
    let printed = keys(&store, &format!("list --account {}", account.id)).await;
    let below: Vec<&str> = printed
        .lines()
        .skip_while(|line| !line.starts_with(made["id"].as_str().expect("an id")))
        .skip(1)
        .collect();
    let expected = [
        "    origins   https://shop.example.org capacitor://localhost",
        "    networks  192.0.2.0/24 198.51.100.7",
        "    per IP    40 a minute",
    ];
    assert_eq!(below, expected, "{printed}");
}

#[tokio::test]
async fn a_key_is_printed_only_by_create_and_is_live_by_default() {
    let (_folder, store, account) = new_store().await;
    let printed = keys(&store, &format!("create --account {}", account.id)).await;
    let key = printed
        .lines()
        .find_map(|line| line.strip_prefix("live key  "))
        .expect("the key is shown");
    assert!(key.starts_with("pd_live_"));
    for line in ["list", "list --json"] {
        let later = keys(&store, line).await;
        assert!(
            later.contains(&key[42..]) && !later.contains(&key[16..40]),
            "{line}: {later}"
        );
    }
}

#[tokio::test]
async fn revoking_a_key_again_reports_the_first_revocation() {
    let (_folder, store, _) = new_store().await;
    let id = list_keys(&store, None).await.expect("a list")[0].id;
    let first = keys(&store, &format!("revoke {id} --json")).await;
    assert!(
        first.ends_with("Z\",\"alreadyRevoked\":false}\n"),
        "{first}"
    );
    let second = keys(&store, &format!("revoke {id} --json")).await;
    assert_eq!(second, first.replace("false}\n", "true}\n"));
    let third = keys(&store, &format!("revoke {id}")).await;
    assert!(
        third.starts_with(&format!("key {id} (pd_live_")) && third.contains("was already revoked"),
        "{third}"
    );
}

#[tokio::test]
async fn rotating_a_key_creates_a_key_with_the_same_restrictions_and_ends_the_old_one() {
    let (_folder, store, _) = new_store().await;
    let line = "create --account kees@example.nl --read-only --ip 192.0.2.0/24 --json";
    let old: serde_json::Value = serde_json::from_str(&keys(&store, line).await).expect("JSON");
    let id = old["id"].as_str().expect("an id");
    let line = format!("rotate {id} --grace 12h --json");
    let printed = keys(&store, &line).await;
    let new: serde_json::Value = serde_json::from_str(&printed).expect("JSON");
    assert_ne!(new["key"], old["key"]);
    for same in [
        "account", "environment", "readOnly", "networks", "origins", "perIpPerMinute",
    ] {
        assert_eq!(new[same], old[same], "{same}");
    }
    assert_eq!(new["replaces"]["id"], id);
    let time = |value: &serde_json::Value| -> Timestamp {
        value.as_str().expect("a time").parse().expect("a time")
    };
    let grace = time(&new["replaces"]["expiresAt"]).duration_since(time(&new["createdAt"]));
    assert_eq!(grace.as_hours(), 12);
    let end = new["replaces"]["expiresAt"].as_str().expect("a time");
    let listed = keys(&store, "list").await;
    let row = listed
        .lines()
        .find(|line| line.starts_with(id))
        .expect("the old key");
    assert!(row.trim_end().ends_with(end), "{row}");
    assert!(
        !listed.contains(&new["key"].as_str().expect("a key")[16..40]),
        "the secret is shown once"
    );

    let line = format!("rotate {id} --grace 1h");
    let refused = try_keys(&store, &line)
        .await
        .expect_err("the key was rotated");
    let expected = format!("key {id} was rotated before and expires at {end}; rotate the key that");
    assert!(refused.contains(&expected), "{refused}");
    let id = new["id"].as_str().expect("an id");
    let printed = keys(&store, &format!("rotate {id} --grace 0s")).await;
    assert!(printed.contains("the old key works until ") && printed.contains("live key  pd_live_"));
}

#[tokio::test]
async fn invalid_commands_are_refused_with_a_remedy() {
    let (_folder, store, _) = new_store().await;
    let unknown = "0199b1f0-5c1e-7c53-9c55-2f6a1d0e8b11";
    #[rustfmt::skip]
    let cases = [
        ("create", "--account <ACCOUNT>"),
        ("create --account mia@example.nl", "no account mia@example.nl; `accounts list` shows them all"),
        ("create --account kees@example.nl --environment prod", r#"unknown environment "prod"; expected live or test"#),
        (
            "create --account kees@example.nl --origin https://shop.example.org/",
            "it has a path, a query or a fragment; remove everything after the host and port",
        ),
        ("create --account kees@example.nl --origin=", r#"malformed origin "": it has no scheme"#),
        ("create --account kees@example.nl --ip=", r#"malformed network """#),
        ("create --account kees@example.nl --ip 192.0.2.7/24", "expected 192.0.2.0/24, or 192.0.2.7 for that IP alone"),
        ("create --account kees@example.nl --per-ip 0", "invalid value '0' for '--per-ip <N>'"),
        ("list --account mia@example.nl", "no account mia@example.nl"),
        (&format!("revoke {unknown}"), &format!("no key {unknown}; `keys list` shows them all")),
        (&format!("rotate {unknown} --grace 1h"), &format!("no key {unknown}; `keys list` shows them all")),
        (&format!("rotate {unknown}"), "--grace <DURATION>"),
        (&format!("rotate {unknown} --grace 91d"), "expected a whole number and a unit, such as 30m, 12h or 7d, at most 90d"),
        ("revoke pd_live_0123", "this looks like a key; expected its id"),
        ("revoke 12", "expected a UUID such as"),
    ];
    for (line, error) in cases {
        let refused = try_keys(&store, line).await.expect_err(line);
        assert!(refused.contains(error), "{line}: {refused}");
    }
    assert_eq!(list_keys(&store, None).await.expect("a list").len(), 2);
}
