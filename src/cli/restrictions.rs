//! What a key is bound to, as flags and as people read it.

use std::io::Write;
use std::num::NonZeroU32;

use clap::Args;
use serde::Serialize;

use crate::accounts::{Networks, Origins, Restrictions};

/// The flags that bind a key.
#[derive(Debug, Args)]
pub(super) struct RestrictionArgs {
    /// A web page that may use the key, such as `https://shop.example.org`; `*` for any page and for servers too. May be repeated;
    /// without it the key is for servers
    #[arg(long = "origin", value_name = "ORIGIN", value_parser = Origins::parse_one)]
    origins: Vec<Origins>,
    /// A network that the key may be used from, such as 192.0.2.0/24 or 2001:db8::7. May be repeated; without it everywhere
    #[arg(long = "ip", value_name = "CIDR", value_parser = Networks::parse_one)]
    networks: Vec<Networks>,
    /// Take GET alone
    #[arg(long)]
    read_only: bool,
    /// Calls a minute from one IP address; IPv6 counts by /64
    #[arg(long, value_name = "N")]
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

/// What a key is bound to, as JSON.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct RestrictionView {
    read_only: bool,
    origins: Origins,
    networks: Networks,
    per_ip_per_minute: Option<NonZeroU32>,
}

impl From<&Restrictions> for RestrictionView {
    fn from(restrictions: &Restrictions) -> Self {
        let Restrictions {
            read_only,
            origins,
            networks,
            per_ip_per_minute,
        } = restrictions.clone();
        Self {
            read_only,
            origins,
            networks,
            per_ip_per_minute,
        }
    }
}

/// The word for a key's rights.
pub(super) fn rights_label(restrictions: &Restrictions) -> &'static str {
    if restrictions.read_only {
        "read only"
    } else {
        "full"
    }
}

/// Prints a line for everything that a key is bound to, below the line of the key.
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
