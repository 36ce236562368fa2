//! Tests of whole deliveries: equal for equal specs, with exactly the requested addresses, with all oddities, and valid by the
//! schemas.

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
