//! Writes out umlauts as people type them on a keyboard without umlauts: `Haendelstraat` for Händelstraat.

/// The letters with an umlaut, as the register has them, and the letters that people type for them.
const UMLAUTS: [(char, &str); 6] = [
    ('ä', "ae"),
    ('ö', "oe"),
    ('ü', "ue"),
    ('Ä', "Ae"),
    ('Ö', "Oe"),
    ('Ü', "Ue"),
];

/// A name with its umlauts written out; `None` if it has no umlaut.
pub(super) fn write_out_umlauts(name: &str) -> Option<String> {
    let umlauts = UMLAUTS.map(|(umlaut, _)| umlaut);
    let write_out = |written: String, (umlaut, letters)| written.replace(umlaut, letters);
    let has_umlaut = name.contains(umlauts);
    has_umlaut.then(|| UMLAUTS.into_iter().fold(name.to_owned(), write_out))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_umlauts_are_written_out() {
        let written = write_out_umlauts("Übung Händelstraat");
        assert_eq!(written.as_deref(), Some("Uebung Haendelstraat"));
        assert_eq!(write_out_umlauts("Belgiëlaan"), None);
    }
}
