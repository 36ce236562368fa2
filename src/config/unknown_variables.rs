//! Finds environment variables that have the prefix of the settings but no setting reads, such as a misspelt `POSTDUIF_LISTEM`.

use std::ffi::OsString;
use std::fmt;

use super::nearest_name::nearest_name;
use super::{CONFIG_FILE, SETTINGS};

/// The start of the name of every setting's variable.
const PREFIX: &str = "POSTDUIF_";
/// The rest of the names of variables that only tests and measurements read.
const TEST_PREFIXES: [&str; 2] = ["TEST_", "BENCH_"];

/// A variable that has the prefix of the settings but that no setting reads.
#[derive(Debug, PartialEq, Eq)]
pub struct UnknownVariable {
    name: String,
    /// The variable of a setting with nearly the same name. `None` means that the variable is probably not meant as a setting: container
    /// platforms set names such as `POSTDUIF_SERVICE_HOST` for a service that is called postduif.
    pub nearest: Option<String>,
}

/// Finds every such variable in the environment, sorted by name.
pub fn unknown_variables() -> Vec<UnknownVariable> {
    find_unknown(std::env::vars_os().map(|(name, _)| name))
}

fn find_unknown(names: impl Iterator<Item = OsString>) -> Vec<UnknownVariable> {
    let settings = || SETTINGS.iter().chain([&CONFIG_FILE]);
    let known: Vec<String> = settings().map(|setting| setting.env_var()).collect();
    let known_names: Vec<&str> = settings().map(|setting| setting.name).collect();
    let mut unknown: Vec<UnknownVariable> = names
        .map(|name| name.to_string_lossy().into_owned())
        .filter(|name| !known.contains(name))
        .filter_map(|name| {
            let (start, rest) = name.split_at_checked(PREFIX.len())?;
            let is_ours = start.eq_ignore_ascii_case(PREFIX)
                && !TEST_PREFIXES.iter().any(|prefix| rest.starts_with(prefix));
            let nearest = nearest_name(&rest.to_ascii_lowercase(), &known_names);
            let nearest = nearest.map(|name| format!("{PREFIX}{}", name.to_ascii_uppercase()));
            is_ours.then_some(UnknownVariable { name, nearest })
        })
        .collect();
    unknown.sort_unstable_by(|a, b| a.name.cmp(&b.name));
    unknown
}

impl fmt::Display for UnknownVariable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: no setting uses this variable", self.name)?;
        match &self.nearest {
            Some(nearest) => write!(f, "; did you mean {nearest}?"),
            None => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_unknown_variable_is_found_with_the_nearest_setting() {
        #[track_caller]
        fn case(name: &str, expected: Option<&str>) {
            let found = find_unknown([name.into()].into_iter());
            assert_eq!(found.len(), 1, "{name}");
            assert_eq!(found[0].nearest.as_deref(), expected, "{name}");
        }
        case("POSTDUIF_LISTEM", Some("POSTDUIF_LISTEN"));
        case("POSTDUIF_LISTNE", Some("POSTDUIF_LISTEN"));
        case("postduif_listen", Some("POSTDUIF_LISTEN"));
        case("POSTDUIF_TRUSTED_PROXIES", Some("POSTDUIF_TRUSTED_PROXY"));
        case("POSTDUIF_HEADER_TIMEOUT", Some("POSTDUIF_HEADER_TIMEOUT_S"));
        case("POSTDUIF_CONFG", Some("POSTDUIF_CONFIG"));
        // Kubernetes and Docker set these for a service that is called postduif.
        case("POSTDUIF_PORT", None);
        case("POSTDUIF_PORT_8080_TCP", None);
        case("POSTDUIF_PORT_8080_TCP_ADDR", None);
        case("POSTDUIF_SERVICE_HOST", None);
        case("POSTDUIF_SERVICE_PORT", None);
        case("POSTDUIF_NAME", None);
    }

    #[test]
    fn known_and_other_variables_are_not_reported() {
        let names = SETTINGS.iter().map(|setting| setting.env_var());
        let others = [
            "POSTDUIF_CONFIG",
            "POSTDUIF_TEST_ALL",
            "POSTDUIF_BENCH_DATA",
            "HOME",
            "é",
        ];
        let names = names.chain(others.map(str::to_owned));
        assert_eq!(find_unknown(names.map(OsString::from)), []);
    }
}
