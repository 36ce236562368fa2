//! Tests what `postduif usage` prints and what it refuses.

use jiff::Timestamp;

use super::{UsageArgs, UsageStyle, bar, run};
use crate::accounts::tests::{add_account, sqlite};
use crate::accounts::{
    AccountStore, KeyId, UsageCounts, UsageSlot, add_usage, list_accounts, list_keys,
};
use crate::cli::run_line::run_line;
use crate::expect_ok::expect_ok;

const LOOKUP: &str = "/v3/lookup/{postcode}/{number}";
const BULK: &str = "/v1/bulk/lookup";

fn now() -> Timestamp {
    "2026-11-21T08:00:00Z".parse().expect("a timestamp")
}

/// Runs one command and returns its output or its error.
async fn try_usage(store: &AccountStore, line: &str, style: UsageStyle) -> Result<String, String> {
    let command =
        async |args: UsageArgs, out: &mut Vec<u8>| run(args, store, now(), style, out).await;
    run_line(line, command).await
}

async fn usage(store: &AccountStore, line: &str, style: UsageStyle) -> String {
    let outcome = try_usage(store, line, style).await;
    outcome.unwrap_or_else(|error| panic!("{line}: {error}"))
}

/// Adds counts for two accounts. Returns the first key of the first account.
async fn fill(store: &AccountStore) -> KeyId {
    for name in ["kees", "mia"] {
        add_account(store, &format!("{name}@example.nl")).await;
    }
    let keys = list_keys(store, None).await.expect("a list");
    let slot = |key: usize, day: &str, endpoint, status_class| UsageSlot {
        key_id: keys[key].id,
        day: day.parse().expect("a day"),
        endpoint,
        status_class,
    };
    let counts = |calls, lines| UsageCounts { calls, lines };
    let counted = [
        (slot(0, "2026-11-21", LOOKUP, 2), counts(80, 80)),
        (slot(0, "2026-11-21", LOOKUP, 4), counts(20, 20)),
        (slot(0, "2026-11-21", BULK, 5), counts(1, 1)),
        (slot(1, "2026-11-19", BULK, 2), counts(3, 3000)),
        (slot(2, "2026-11-19", LOOKUP, 2), counts(500, 500)),
        (slot(0, "2026-11-18", LOOKUP, 2), counts(7, 7)),
        (slot(0, "2026-11-22", LOOKUP, 2), counts(9, 9)),
    ];
    let unknown = expect_ok(add_usage(store, &counted, &[])).await;
    assert_eq!(unknown, []);
    keys[0].id
}

#[tokio::test]
async fn every_day_and_every_endpoint_has_a_line() {
    let (_folder, store) = sqlite::new_store().await;
    fill(&store).await;
    let line = "show --account kees@example.nl --days 3";
    let shown = usage(&store, line, UsageStyle::Plain).await;
    assert_eq!(
        shown,
        "\
day                calls         lines        errors
2026-11-19             3          3000             0
2026-11-20             0             0             0
2026-11-21           101           101            21
total                104          3101            21

endpoint                               calls         lines        errors
/v1/bulk/lookup                            4          3001             1
/v3/lookup/{postcode}/{number}           100           100            20
"
    );
}

#[tokio::test]
async fn a_terminal_gets_a_chart() {
    let (_folder, store) = sqlite::new_store().await;
    fill(&store).await;
    let shown = usage(&store, "show --days 3", UsageStyle::Chart).await;
    let lines: Vec<&str> = shown.lines().collect();
    assert!(
        lines[1].ends_with(&format!("  {}", "█".repeat(40))),
        "{shown}"
    );
    assert!(lines[2].ends_with(" 0"), "{shown}");
    assert!(lines[3].ends_with("21  ████████"), "{shown}");

    #[track_caller]
    fn case(calls: u64, most: u64, expected: &str) {
        assert_eq!(bar(calls, most), expected, "{calls} of {most}");
    }
    case(1, u64::MAX, "▏");
    case(u64::MAX, u64::MAX, &"█".repeat(40));
    case(1, 40, "█");
    case(3, 80, "█▌");
}

#[tokio::test]
async fn json_output_is_a_single_line() {
    let (_folder, store) = sqlite::new_store().await;
    let key = fill(&store).await;
    let line = format!("show --key {key} --days 2 --json");
    let shown = usage(&store, &line, UsageStyle::Chart).await;
    assert_eq!(
        shown,
        String::from(
            r#"{"from":"2026-11-20","to":"2026-11-21","calls":101,"lines":101,"errors":21,"#
        ) + r#""days":[{"day":"2026-11-20","calls":0,"lines":0,"errors":0},"#
            + r#"{"day":"2026-11-21","calls":101,"lines":101,"errors":21}],"#
            + r#""endpoints":[{"endpoint":"/v1/bulk/lookup","calls":1,"lines":1,"errors":1},"#
            + r#"{"endpoint":"/v3/lookup/{postcode}/{number}","calls":100,"lines":100,"errors":20}]}"#
            + "\n"
    );
}

#[tokio::test]
async fn an_export_has_a_row_for_each_account_day_and_endpoint() {
    let (_folder, store) = sqlite::new_store().await;
    fill(&store).await;
    let accounts = list_accounts(&store).await.expect("a list");
    let [kees, mia] = [accounts[0].id, accounts[1].id];
    let exported = usage(&store, "export --month 2026-11", UsageStyle::Chart).await;
    let expected = format!(
        "\
account,day,endpoint,calls,lines,errors
{kees},2026-11-18,{LOOKUP},7,7,0
{kees},2026-11-19,{BULK},3,3000,0
{kees},2026-11-21,{BULK},1,1,1
{kees},2026-11-21,{LOOKUP},100,100,20
{kees},2026-11-22,{LOOKUP},9,9,0
{mia},2026-11-19,{LOOKUP},500,500,0
"
    );
    assert_eq!(exported, expected);
    let json = usage(&store, "export --month 2026-11 --json", UsageStyle::Chart).await;
    let json: serde_json::Value = serde_json::from_str(&json).expect("JSON");
    assert_eq!(json.as_array().map(Vec::len), Some(6));
    assert_eq!(
        json[3],
        serde_json::json!({
            "account": kees.to_string(), "day": "2026-11-21", "endpoint": LOOKUP,
            "calls": 100, "lines": 100, "errors": 20,
        })
    );
    let other = usage(&store, "export --month 2026-10", UsageStyle::Plain).await;
    assert_eq!(other, "account,day,endpoint,calls,lines,errors\n");
    for wrong in [
        "2026", "2026-13", "2026-1", "2026-11-01", "26-11", "+026-11", "november",
    ] {
        let line = format!("export --month {wrong}");
        let refused = try_usage(&store, &line, UsageStyle::Plain)
            .await
            .expect_err(wrong);
        assert!(
            refused.contains("expected a month such as 2026-11"),
            "{refused}"
        );
    }
}

#[tokio::test]
async fn thirty_days_are_shown_by_default() {
    let (_folder, store) = sqlite::new_store().await;
    let shown = usage(&store, "show", UsageStyle::Plain).await;
    let lines: Vec<&str> = shown.lines().collect();
    assert_eq!(lines.len(), 32, "{shown}");
    assert!(lines[1].starts_with("2026-10-23 ") && lines[30].starts_with("2026-11-21 "));
}

#[tokio::test]
async fn invalid_commands_are_refused_with_a_remedy() {
    let (_folder, store) = sqlite::new_store().await;
    let unknown = KeyId::fresh();
    #[rustfmt::skip]
    let cases = [
        ("show --account mia@example.nl", "no account mia@example.nl; `accounts list` shows them all"),
        (&format!("show --key {unknown}"), &format!("no key {unknown}; `keys list` shows them all")),
        ("show --key pd_live_0123", "this looks like a key; expected its id"),
        ("show --key 12", "expected a UUID such as"),
        ("show --days 0", "expected a whole number from 1 to 3660"),
        ("show --days many", "invalid value 'many'"),
        (&format!("show --key {unknown} --account mia@example.nl"), "cannot be used with"),
    ];
    for (line, complaint) in cases {
        let refused = try_usage(&store, line, UsageStyle::Plain)
            .await
            .expect_err(line);
        assert!(refused.contains(complaint), "{line}: {refused}");
    }
}
