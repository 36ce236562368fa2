//! The settings as flags, made from the one table in `config`.

use std::collections::HashMap;
use std::ffi::{OsStr, OsString};
use std::marker::PhantomData;
use std::path::Path;

use clap::{Arg, ArgAction, ArgMatches, Args, Command, FromArgMatches};

use super::config_reload::Reader;
use crate::config::{CONFIG_FILE, Config, Mistakes, SETTINGS, Setting, Value};

/// Every setting.
pub(super) type ServiceFlags = Flags<Service>;

/// The settings that say where the ledger is.
pub(super) type LedgerFlags = Flags<OfLedger>;

/// The data folder alone.
pub(super) type DataFlags = Flags<OfData>;

/// The settings of the demonstration.
pub(super) type DemoFlags = Flags<OfDemo>;

/// Which settings a command takes as flags.
pub(super) trait Choice {
    fn takes(setting: &Setting) -> bool;
}

/// Takes all.
pub(super) enum Service {}

/// Takes the data folder, the database and the plans.
pub(super) enum OfLedger {}

/// Takes the data folder.
pub(super) enum OfData {}

/// Takes the data folder and the listeners.
pub(super) enum OfDemo {}

impl Choice for OfData {
    fn takes(setting: &Setting) -> bool {
        setting.name == "data"
    }
}

impl Choice for OfDemo {
    fn takes(setting: &Setting) -> bool {
        ["data", "listen", "sandbox_listen", "admin_listen"].contains(&setting.name)
    }
}

impl Choice for Service {
    fn takes(_: &Setting) -> bool {
        true
    }
}

impl Choice for OfLedger {
    fn takes(setting: &Setting) -> bool {
        ["data", "database_url", "plans"].contains(&setting.name)
    }
}

/// The flags that were given, by the setting's name.
pub(super) struct Flags<C> {
    given: HashMap<&'static str, OsString>,
    choice: PhantomData<C>,
}

impl<C> Flags<C> {
    /// The settings, with these flags before everything else.
    pub(super) fn config(&self) -> Result<Config, Mistakes> {
        Config::load(&|name| self.given.get(name).cloned(), &|name| {
            std::env::var_os(name)
        })
    }

    /// Reads the settings so, as often as is wanted, and tells what stands in each.
    pub(super) fn reader(&self) -> Reader {
        reader(self.given.clone())
    }

    /// The same, with another default for the data folder, and no bucket to fill it from; what the environment or a file says
    /// of them does not count.
    pub(super) fn reader_in(&self, folder: &Path) -> Reader {
        let mut given = self.given.clone();
        given.entry("data").or_insert_with(|| folder.into());
        given.insert("generations_from", OsString::new());
        reader(given)
    }

    /// The settings with their sources.
    pub(super) fn check(&self) -> Result<Vec<Value>, Mistakes> {
        Config::check(&|name| self.given.get(name).cloned(), &|name| {
            std::env::var_os(name)
        })
    }
}

fn reader(given: HashMap<&'static str, OsString>) -> Reader {
    Box::new(move || {
        Config::load_with_values(&|name| given.get(name).cloned(), &|name| {
            std::env::var_os(name)
        })
    })
}

fn settings<C: Choice>() -> impl Iterator<Item = &'static Setting> {
    SETTINGS
        .iter()
        .filter(|setting| C::takes(setting))
        .chain([&CONFIG_FILE])
}

fn argument(setting: &'static Setting) -> Arg {
    let default = if setting.default.is_empty() {
        String::new()
    } else {
        format!(" [default: {}]", setting.default)
    };
    // Settings may stand behind a nested command too: `accounts create --data DIR`.
    let argument = Arg::new(setting.name)
        .long(setting.flag())
        .help(format!(
            "{} [env: {}]{default}",
            setting.help,
            setting.variable()
        ))
        .value_name("VALUE")
        .value_parser(clap::value_parser!(OsString))
        .action(if setting.list {
            ArgAction::Append
        } else {
            ArgAction::Set
        })
        .global(true);
    // As `index publish` and `index prune` call what is kept where they work.
    if setting.name == "generations_keep" {
        argument.visible_alias("keep")
    } else {
        argument
    }
}

impl<C: Choice> Args for Flags<C> {
    fn augment_args(command: Command) -> Command {
        command.args(settings::<C>().map(argument))
    }

    fn augment_args_for_update(command: Command) -> Command {
        Self::augment_args(command)
    }
}

impl<C: Choice> FromArgMatches for Flags<C> {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, clap::Error> {
        let given = |setting: &Setting| {
            let parts: Vec<&OsStr> = matches
                .get_many::<OsString>(setting.name)?
                .map(OsString::as_os_str)
                .collect();
            Some((setting.name, parts.join(OsStr::new(" "))))
        };
        Ok(Self {
            given: settings::<C>().filter_map(given).collect(),
            choice: PhantomData,
        })
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        *self = Self::from_arg_matches(matches)?;
        Ok(())
    }
}
