//! postduif: an address and postcode look-up service for the Netherlands. This page is the map of the house.
//!
//! | module | owns |
//! |---|---|
//! | [`cli`] | one file per subcommand; the only place where service and indexer meet |
//! | [`config`], [`telemetry`] | every setting; how the process logs |
//! | [`server`] | connections: accepting, their limits, the orderly end |
//! | [`router`] | one line per path |
//! | [`api`] | all that knows HTTP: parameters, bodies, headers, errors, their description, and pages for people |
//! | [`state`] | the one struct of shared things |
//! | [`access`] | who may call, how fast and how often: accounts, keys and what they are bound to, plans, buckets, bundles |
//! | [`usage`] | what was called: counts, the request log, how long it is kept |
//! | [`notices`] | e-mail to account holders, from an outbox |
//! | [`query`] | what a question means and which addresses answer it; pure |
//! | [`index`] | the snapshot that is served, and the swap to the next one |
//!
//! Arrows point one way: `main → cli → {server, router} → api → state → {usage → access, index → query} → schema`, and
//! `cli → notices → access`. `query` never sees `index`, only the [`query::AddressBook`] that a snapshot is; `api` never sees
//! the search engine, `access` and `usage` never see axum. A test reads the sources and holds this.
//!
//! # The walk of one request
//! `GET /v3/lookup/1234AB/5` with a live key, on the live listener.
//!
//! 1. [`server::serve`] has accepted the connection; hyper reads the head within its time limit.
//! 2. [`api::Front`] draws the request id and catches panics: whatever happens from here on, there is an answer in the
//!    contract's words, with that id.
//! 3. [`router`] finds the path and the method. An unknown path is a 404 and a wrong method a 405, before any key is asked for;
//!    a preflight is answered here.
//! 4. [`api::Door`] takes the key, and where it comes from, to [`access::KeyDirectory`], in memory. A key that does not admit
//!    is a 401, the same for every cause. The key's environment decides between the published generation and the sandbox;
//!    the snapshot of that moment is held until the answer is written.
//! 5. The plan is asked (403), then [`access::AddressLimit`] and [`access::Rates`] (429); one call is set aside from what
//!    [`access::Bundles`] has in hand. Only when nothing is in hand a request waits, for the keeper's next lease.
//! 6. The endpoint, [`api::v3::lookup::BY_NUMBER`], reads its parameters (400), asks for the [`index::Snapshot`], which it gets
//!    for a call that was set aside (429), lets [`query`] or the address itself choose, and fills a view.
//! 7. The view becomes bytes and headers in [`api::Reply`], or the trouble in [`api::Problem`]. By its status the call is kept or
//!    given back; bucket and bundle are told in headers; [`usage::Usage`] counts, and the route's [`api::Meter`] too.
//!
//! Behind the requests, [`cli`] keeps the books with the accounts database: keys are followed, calls are leased and reported,
//! usage is put away, notices are sent. None of it is on the way of a request. On SIGHUP it reads the settings again: what can
//! change is swapped, as generations are.
//!
//! # The walk of one question
//! `GET /v1/autocomplete?q=plein 1944 12 wees`, from step 5 on.
//!
//! 1. [`query::Intent`] folds the text and lists every way of reading it: 12 is the house number, or 1944 is, or neither.
//! 2. [`query::splits`] parts the words of each reading into a street and a town; [`query::spellings`] writes out what is short.
//! 3. [`index::Snapshot::suggest`] asks the places of the generation for streets that begin so in towns that begin so, the
//!    heaviest first, gives each its points by [`query::Weights`], and expands the best by house number into addresses.
//! 4. Only when nothing begins as typed it looks again, with a letter or two taken as mistyped. A budget bounds all of it.
//! 5. [`query::Suggestion`] spells the label and what the input field should hold.
//!
//! A POST differs in two things: between the key and the endpoint its body is read, up to a limit, into an [`api::Submission`];
//! and work that may take long leaves the async threads and waits for its turn.
//!
//! # The walk of one delivery
//! A file of a day's mutations comes into the inbox of `postduif index watch`, in [`cli`].
//!
//! 1. It is left alone until it has not changed for a while and opens as a delivery.
//! 2. The deliveries that are there are put in the order of their periods. One that does not continue the register's stand
//!    waits; a stand that is newer than the register is built anew.
//! 3. The indexer brings it into the register and publishes the next generation, which shares what did not change with the
//!    last one. Then the file is moved, with a report beside it: a crash in between makes it a repeat, which changes nothing.
//! 4. [`index::Reloader`], in the service, sees that another generation is named. It reads and checks every file of it, makes
//!    the trees of points that it lacks, and swaps. Requests that have begun keep the generation they began with; it is
//!    closed when the last of them has ended.
//!    On other nodes [`index::Puller`] brings the generation first, from the bucket that it was published to: what the node
//!    lacks of it, under a name that nobody reads before all of it is there.
//! 5. A generation that is not fit is told and counted, and the one before goes on being served. An earlier one that is named
//!    again, by `postduif index rollback`, is swapped in the same way.

pub mod accounts;
pub mod cli;
pub mod clock;
pub mod config;
pub mod http;
pub mod limits;
pub mod notices;
pub mod search;
pub mod snapshot;
pub mod state;
pub mod sync;
pub mod telemetry;
pub mod usage;
pub mod validation;

#[cfg(test)]
#[path = "../tests/suites/addresses.rs"]
#[expect(dead_code, reason = "the other tests use the rest")]
mod addresses;

#[cfg(test)]
#[path = "../tests/suites/generation.rs"]
#[expect(dead_code, reason = "the other tests use the rest")]
mod generation;

#[cfg(test)]
#[path = "../tests/suites/ports.rs"]
mod ports;

#[cfg(test)]
#[path = "../tests/suites/scratch.rs"]
mod scratch;

#[cfg(test)]
#[path = "../tests/suites/skips.rs"]
mod skips;
