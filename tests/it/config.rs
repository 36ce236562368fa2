//! Tests settings: which of their sources takes precedence, and that all mistakes are reported at once.

use std::collections::HashMap;
use std::ffi::OsString;
use std::time::Duration;

use postduif::accounts::{CustomLimits, PlanName};
use postduif::config::{Config, ConfigErrors, LoadedConfig, SETTINGS};

/// Values of settings, by the name of the setting or of its environment variable.
type Layer<'a> = &'a [(&'a str, &'a str)];

fn load(flags: Layer<'_>, environment: Layer<'_>) -> Result<Config, ConfigErrors> {
    let lookup = |layer: Layer<'_>| -> HashMap<String, OsString> {
        layer
            .iter()
            .map(|&(name, text)| (name.to_owned(), text.into()))
            .collect()
    };
    let (flags, environment) = (lookup(flags), lookup(environment));
    Config::load(&|name| flags.get(name).cloned(), &|name| {
        environment.get(name).cloned()
    })
}

/// A settings file that exists until the end of the test.
fn file(text: &str) -> (tempfile::NamedTempFile, String) {
    let file = tempfile::NamedTempFile::new().expect("a temporary file");
    std::fs::write(file.path(), text).expect("writes");
    let path = file
        .path()
        .to_str()
        .expect("a temporary path is UTF-8")
        .to_owned();
    (file, path)
}

#[track_caller]
fn mistakes(flags: Layer<'_>, environment: Layer<'_>) -> Vec<String> {
    let mistakes = load(flags, environment).expect_err("mistakes").to_string();
    mistakes
        .lines()
        .skip(1)
        .map(|line| line.trim().to_owned())
        .collect()
}

#[test]
fn settings_without_a_source_have_their_defaults() {
    let config = load(&[], &[]).expect("defaults are accepted");
    assert_eq!(config.listen.to_string(), "127.0.0.1:8080");
    assert_eq!(config.sandbox_listen.to_string(), "127.0.0.1:8081");
    assert_eq!(config.admin_listen.to_string(), "127.0.0.1:9090");
    assert_eq!(config.database_url, None);
    assert!(config.smtp_url.is_none() && config.mail_from.is_none());
}

#[test]
fn a_flag_overrides_the_environment_which_overrides_the_file() {
    let (_file, path) =
        file("header_timeout_s = 1\nrequest_timeout_s = \"1\"\ndrain_deadline_s = 1\n");
    let config = load(
        &[("header_timeout_s", "3")],
        &[
            ("POSTDUIF_CONFIG", &path),
            ("POSTDUIF_HEADER_TIMEOUT_S", "2"),
            ("POSTDUIF_REQUEST_TIMEOUT_S", "2"),
            ("POSTDUIF_UNRELATED", "x"),
        ],
    )
    .expect("accepted");
    let seconds = [
        config.header_timeout_s,
        config.request_timeout_s,
        config.drain_deadline_s,
    ];
    assert_eq!(seconds, [3, 2, 1].map(Duration::from_secs));
}

#[test]
fn the_stop_delay_is_between_zero_and_an_hour() {
    let delay = |text| load(&[("stop_delay_s", text)], &[]).map(|config| config.stop_delay_s);
    assert_eq!(delay("0").ok(), Some(Duration::ZERO));
    assert_eq!(delay("3600").ok(), Some(Duration::from_secs(3_600)));
    for text in ["3601", "-1", "0.5", "5s"] {
        assert!(delay(text).is_err(), "{text}");
    }
}

#[test]
fn an_unknown_log_level_is_refused() {
    let parsed = |text| load(&[("log", text)], &[]).map(drop);
    for text in [
        "infoo", "postduif", "info,debgu", "postduif=debgu", "5", "info,5",
    ] {
        let all = parsed(text).expect_err(text).to_string();
        assert!(all.contains("error, warn, info, debug"), "{text}: {all}");
    }
    for text in [
        "info",
        "WARN",
        "off",
        "info,postduif=debug",
        " postduif::http=trace, warn",
    ] {
        parsed(text).unwrap_or_else(|error| panic!("{text}: {error}"));
    }
}

#[test]
fn a_settings_file_named_by_a_flag_overrides_the_file_of_the_environment() {
    let ((_a, flag), (_b, variable)) = (file("max_connections = 1"), file("max_connections = 2"));
    let config = load(&[("config", &flag)], &[("POSTDUIF_CONFIG", &variable)]).expect("accepted");
    assert_eq!(config.max_connections, 1);
}

#[test]
fn a_setting_that_is_on_or_off_may_be_a_boolean_in_the_file() {
    let (_file, path) = file("trial_key = false\npublic_live_key = true\n");
    let config = load(&[("config", &path)], &[]).expect("accepted");
    assert_eq!((config.trial_key, config.public_live_key), (false, true));
    let (_file, path) = file("max_connections = true\n");
    let all = mistakes(&[("config", &path)], &[]);
    assert!(
        all[0].contains("expected a string or an integer"),
        "{}",
        all[0]
    );
}

#[test]
fn a_number_too_large_for_a_file_is_reported_with_its_key() {
    let number = "9".repeat(30);
    #[rustfmt::skip]
    let cases = [
        (format!("log = \"info\"\nmax_connections = {number}\n"), "line 2 (max_connections)"),
        (format!("[plans.free]\ncalls_per_month = {number}\n"), "line 2 (calls_per_month)"),
    ];
    for (text, place) in cases {
        let (_file, path) = file(&text);
        let all = mistakes(&[("config", &path)], &[]);
        assert_eq!(all.len(), 1, "{all:#?}");
        let expected = format!("{place}: the number is too large");
        assert!(all[0].contains(&expected), "{}", all[0]);
    }
    let plans = r#"{"free": {"calls_per_month": 99999999999}}"#;
    let all = mistakes(&[("plans", plans)], &[]);
    let expected = "free: calls_per_month 99999999999 is not valid; expected a whole number from 1 to 4294967295";
    assert!(all[0].contains(expected), "{}", all[0]);
}

#[test]
fn all_mistakes_are_reported_at_once_with_source_and_advice() {
    let (_file, path) = file("headr_timeout_s = 1\nlog_format = true\ndrain_deadline_s = 0\n");
    let all = mistakes(
        &[("config", &path), ("listen", "localhost")],
        &[
            ("POSTDUIF_MAX_CONNECTIONS", "-1"),
            ("POSTDUIF_DATABASE_URL", "mysql://u:secret@h/d"),
            ("POSTDUIF_LOG", "a=b=c"),
        ],
    );
    let expected = [
        ("headr_timeout_s", path.as_str(), "header_timeout_s"),
        ("log_format", path.as_str(), "a string or an integer"),
        ("listen", "--listen", "127.0.0.1:8080"),
        (
            "database_url",
            "POSTDUIF_DATABASE_URL",
            "sqlite: or postgres:",
        ),
        ("drain_deadline_s", path.as_str(), "1 to 86400"),
        (
            "max_connections",
            "POSTDUIF_MAX_CONNECTIONS",
            "1 to 1000000",
        ),
        ("log", "POSTDUIF_LOG", "info"),
    ];
    assert_eq!(all.len(), expected.len(), "{all:#?}");
    for (name, source, wanted) in expected {
        let message = |line: &&String| {
            line.starts_with(&format!("{name} ({source})")) && line.contains(wanted)
        };
        assert!(all.iter().any(|line| message(&line)), "{name}: {all:#?}");
    }
    assert!(!all.concat().contains("secret"), "{all:#?}");
}

#[test]
fn an_unreadable_settings_file_is_named() {
    let (_file, garbage) = file("= = =");
    for path in ["nowhere.toml", &garbage] {
        let all = mistakes(&[("config", path)], &[]);
        assert!(all[0].contains(path), "{all:#?}");
    }
}

#[cfg(unix)]
#[test]
fn invalid_utf8_in_settings_is_reported() {
    use std::os::unix::ffi::OsStringExt as _;
    let environment =
        |name: &str| (name == "POSTDUIF_DATA").then(|| OsString::from_vec(vec![0xff]));
    let mistakes = Config::load(&|_| None, &environment)
        .expect_err("a mistake")
        .to_string();
    assert!(
        mistakes.contains("POSTDUIF_DATA") && mistakes.contains("UTF-8"),
        "{mistakes}"
    );
}

#[test]
fn every_setting_has_one_name_in_all_sources() {
    for setting in SETTINGS {
        assert_eq!(setting.flag_name().replace('-', "_"), setting.name);
        assert_eq!(
            setting.env_var(),
            format!("POSTDUIF_{}", setting.name.to_uppercase())
        );
    }
}

#[test]
fn passwords_are_not_printed() {
    let environment = |name: &str| match name {
        "POSTDUIF_DATABASE_URL" => Some(OsString::from(
            "postgres://duif:geheim@db.example:5432/postduif",
        )),
        "POSTDUIF_SMTP_URL" => Some("smtp://duif:geheim@mail.example:587?tls=required".into()),
        "POSTDUIF_MAIL_FROM" => Some("postduif <notices@example.org>".into()),
        _ => None,
    };
    let loaded = LoadedConfig::read(&|_| None, &environment).into_result();
    let (_, values) = loaded.expect("accepted");
    let shown: Vec<String> = values
        .iter()
        .map(postduif::config::SettingValue::masked_text)
        .collect();
    for expected in [
        "postgres://duif:…@db.example:5432/postduif",
        "smtp://duif:…@mail.example:587?tls=required",
        "postduif <notices@example.org>",
    ] {
        assert!(shown.iter().any(|text| text == expected), "{shown:?}");
    }
}

#[test]
#[rustfmt::skip]
fn mail_settings_that_do_not_fit_are_refused_without_the_password() {
    #[track_caller]
    fn case(flags: Layer<'_>, expected: &str) {
        let all = mistakes(flags, &[]);
        assert_eq!(all.len(), 1, "{all:#?}");
        assert!(all[0].contains(expected), "{all:#?}");
        assert!(!all[0].contains("geheim"), "{all:#?}");
    }
    let url = "expected smtp://user:password@host:587?tls=required";
    case(&[("smtp_url", "http://duif:geheim@mail.example")], url);
    case(&[("smtp_url", "smtp://u:geheim@mail.example?tls=maybe")], url);
    case(&[("smtp_url", "duif:geheim@mail.example")], url);
    case(&[("mail_from", "someone")], "expected an e-mail address such as");
    case(&[("smtp_url", "smtps://duif:geheim@mail.example")], "mail_from: empty although smtp_url is set");
}

#[test]
fn plans_are_tables_in_the_file_and_json_elsewhere() {
    let (_file, path) = file(
        "listen = \"[::1]:80\"\n[plans.free]\ncalls_per_month = 750\n[plans.pro]\nwithout = [\"reverse\"]\n",
    );
    let json = r#"{"free":{"calls_per_month":750},"pro":{"without":["reverse"]}}"#;
    let in_file = load(&[("config", &path)], &[]).expect("accepted").plans;
    let in_environment = load(&[], &[("POSTDUIF_PLANS", json)])
        .expect("accepted")
        .plans;
    assert_eq!(in_file, in_environment);
    let free = in_file.resolve(PlanName::Free, CustomLimits::default());
    assert_eq!(free.expect("fixed numbers").limits().allowance(), 750);

    let (_file, path) = file("[plans.gold]\ncalls_per_month = 750\n");
    let message = mistakes(&[("config", &path)], &[]);
    let prefix = format!("plans ({path}): unknown plan \"gold\"");
    assert!(message[0].starts_with(&prefix), "{message:?}");
    let (_file, path) = file("[listen]\nport = 80\n");
    let message = mistakes(&[("config", &path)], &[]);
    assert!(message[0].contains("a string or an integer"), "{message:?}");
}

#[test]
fn proxies_are_a_list_in_every_layer() {
    #[track_caller]
    fn case(flags: Layer<'_>, environment: Layer<'_>) {
        let config = load(flags, environment).expect("accepted");
        let expected = "10.0.0.0/8 2001:db8::/32".parse().expect("two networks");
        assert_eq!(config.trusted_proxy, expected);
    }
    case(&[("trusted_proxy", "10.0.0.0/8 2001:db8::/32")], &[]);
    case(
        &[],
        &[("POSTDUIF_TRUSTED_PROXY", "10.0.0.0/8,2001:db8::/32")],
    );
    for line in [
        r#"trusted_proxy = ["10.0.0.0/8", "2001:db8::/32"]"#,
        r#"trusted_proxy = "10.0.0.0/8, 2001:db8::/32""#,
    ] {
        let (_file, path) = file(line);
        case(&[("config", &path)], &[]);
    }
    let no_proxies = load(&[], &[]).expect("accepted").trusted_proxy;
    assert_eq!(no_proxies, "".parse().expect("no network"));
}

#[test]
fn an_invalid_list_of_proxies_is_reported() {
    #[track_caller]
    fn case(line: &str, wanted: &str) {
        let (_file, path) = file(line);
        let all = mistakes(&[("config", &path)], &[]);
        assert!(
            all.len() == 1 && all[0].contains(wanted),
            "{line}: {all:#?}"
        );
    }
    case(r#"trusted_proxy = "proxy.example""#, "such as 192.0.2.7");
    case(r#"trusted_proxy = ["10.0.0.1/8"]"#, "without host bits");
    case("trusted_proxy = [1]", "a string or an array of strings");
    case(r#"max_connections = ["1"]"#, "a string or an integer");
}
