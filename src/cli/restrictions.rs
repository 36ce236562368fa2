//! Reads the restrictions of a key from flags, and shows them as text.

use std::io::Write;
use std::num::NonZeroU32;

use clap::Args;

use crate::accounts::{Networks, Origins, Restrictions};
use crate::cli::numbers::number_in;
use crate::limits::IpRateLimiter;

/// Flags that restrict a key.
#[derive(Debug, Args)]
pub(super) struct RestrictionArgs {
    /// A website that may use the key, such as `https://shop.example.org`; `*` allows every website and also servers. Repeatable.
    /// Without --origin only servers may use the key
    #[arg(long = "origin", value_name = "ORIGIN", value_parser = Origins::parse_one)]
    origins: Vec<Origins>,
    /// An IP or network that may use the key, such as 192.0.2.0/24 or 2001:db8::7. Repeatable. Without --ip
    /// every IP may use the key
    #[arg(long = "ip", value_name = "CIDR", value_parser = Networks::parse_one)]
    networks: Vec<Networks>,
    /// Allow every endpoint except bulk look-up and the account
    #[arg(long)]
    read_only: bool,
    /// Maximum number of calls per minute from one IP; IPv6 counts per /64 network
    #[arg(long, value_name = "N", value_parser = number_in(NonZeroU32::MIN..=IpRateLimiter::MAX_PER_MINUTE))]
    per_ip: Option<NonZeroU32>,
}

impl From<RestrictionArgs> for Restrictions {
    fn from(args: RestrictionArgs) -> Self {
        Self {
            read_only: args.read_only,
            origins: args.origins.into_iter().collect(),
            networks: args.networks.into_iter().collect(),
            per_ip_per_minute: args.per_ip,
        }
    }
}

/// The label of a key's rights in a table.
pub(super) fn rights_label(restrictions: &Restrictions) -> &'static str {
    if restrictions.read_only {
        "read only"
    } else {
        "full"
    }
}

/// Prints one line per restriction. The caller must print the line of the key first.
pub(super) fn write_restrictions(
    restrictions: &Restrictions,
    out: &mut dyn Write,
) -> anyhow::Result<()> {
    if !restrictions.origins.is_empty() {
        writeln!(out, "    origins   {}", restrictions.origins)?;
    }
    if !restrictions.networks.is_empty() {
        writeln!(out, "    networks  {}", restrictions.networks)?;
    }
    if let Some(calls) = restrictions.per_ip_per_minute {
        writeln!(out, "    per IP    {calls} a minute")?;
    }
    Ok(())
}
