//! Defines the tables of the register's store and their keys.

use redb::TableDefinition;

use super::digested_rows::DueKey;

/// Version of the register's format. Raise it with any change to keys or rows. A register with another version is refused.
pub(super) const FORMAT_VERSION: u32 = 4;

pub(super) type RowTable = TableDefinition<'static, u64, &'static [u8]>;

pub(super) const WOONPLAATSEN: RowTable = TableDefinition::new("woonplaatsen");
pub(super) const OPENBARE_RUIMTEN: RowTable = TableDefinition::new("openbare_ruimten");
pub(super) const NUMMERAANDUIDINGEN: RowTable = TableDefinition::new("nummeraanduidingen");
pub(super) const OBJECTS: RowTable = TableDefinition::new("adresseerbare_objecten");
pub(super) const PANDEN: RowTable = TableDefinition::new("panden");

pub(super) const STREETS_IN_WOONPLAATS: RowTable =
    TableDefinition::new("openbare_ruimten_in_woonplaats");
pub(super) const NUMMERAANDUIDINGEN_IN_WOONPLAATS: RowTable =
    TableDefinition::new("nummeraanduidingen_in_woonplaats");
pub(super) const NUMMERAANDUIDINGEN_AT_STREET: RowTable =
    TableDefinition::new("nummeraanduidingen_at_openbare_ruimte");
pub(super) const OBJECTS_OF_NUMMERAANDUIDING: RowTable =
    TableDefinition::new("objecten_of_nummeraanduiding");
pub(super) const OBJECTS_IN_PAND: RowTable = TableDefinition::new("objecten_in_pand");

/// The objects that change without a mutation on a day after the stand. A key has the day and the object; the value is the digest of the
/// key.
pub(super) const DUE_CHANGES: TableDefinition<'static, DueKey, u32> = TableDefinition::new("due");

/// Single values, each under a key of its own: the format version, the head, relations, municipalities, post-office boxes and pending
/// work.
pub(super) const SINGLE_VALUES: TableDefinition<'static, &'static str, &'static [u8]> =
    TableDefinition::new("single");
pub(super) const FORMAT_KEY: &str = "format_version";
pub(super) const HEAD_KEY: &str = "head";
pub(super) const RELATIONS_KEY: &str = "gemeente_woonplaats";
pub(super) const MUNICIPALITIES_KEY: &str = "municipalities";
/// The key of the ids of objects with a record that was left out. A register that was built before this key existed lacks it.
pub(super) const LEFT_OUT_KEY: &str = "left_out";
pub(super) const PO_BOXES_KEY: &str = "po_boxes";
/// The key of the pending work. It is present until the generation of the register's state is published.
pub(super) const PENDING_KEY: &str = "pending";
