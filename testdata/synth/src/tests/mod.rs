//! Tests whole deliveries: equal specs make equal deliveries, which have exactly the requested addresses, have all oddities, and
//! are valid by the schemas.

mod addresses;
mod chain;
mod contents;
mod deliveries;
mod files;
mod mutation_forms;
mod mutation_groups;
mod objects;
mod records;
mod schemas;
mod situations;
mod support;
