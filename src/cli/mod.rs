//! The command line: one file per subcommand.

pub mod accounts;
pub mod keys;
