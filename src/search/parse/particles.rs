//! Writes out the prepositions and articles that people abbreviate in names: `v.d.`, `v/d`, `vd`, `vh`, `v`, `op d`.

/// The words that `d` may stand for.
const ARTICLES: [&str; 3] = ["de", "der", "den"];

/// Every way to write out the abbreviated particles in folded words. Empty if no particle is abbreviated.
pub(in crate::search) fn with_particles(words: &[String]) -> Vec<Vec<String>> {
    let is_article = |at: usize| {
        let before = at.checked_sub(1).map(|before| &*words[before]);
        words[at] == "d" && matches!(before, Some("v" | "van" | "op" | "in" | "aan"))
    };
    let has_article = (0..words.len()).any(|at| words[at] == "vd" || is_article(at));
    let has_particle = words.iter().any(|word| matches!(&**word, "v" | "vh"));
    let ways = match (has_article, has_particle) {
        (true, _) => ARTICLES.len(),
        (false, true) => 1,
        (false, false) => 0,
    };
    let write_out = |article: &&str| {
        let mut written = Vec::with_capacity(words.len() + 1);
        for (at, word) in words.iter().enumerate() {
            let long: &[&str] = match &**word {
                "vd" => &["van", article],
                "vh" => &["van", "het"],
                "v" => &["van"],
                "d" if is_article(at) => &[article],
                word => &[word],
            };
            written.extend(long.iter().map(|&long| long.to_owned()));
        }
        written
    };
    ARTICLES[..ways].iter().map(write_out).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn abbreviated_particles_are_written_out() {
        #[track_caller]
        fn case(typed: &str, expected: &[&str]) {
            let words: Vec<String> = typed.split(' ').map(String::from).collect();
            let written: Vec<String> = with_particles(&words)
                .iter()
                .map(|words| words.join(" "))
                .collect();
            assert_eq!(written, expected, "{typed:?}");
        }
        case("vincent v goghstraat", &["vincent van goghstraat"]);
        case("laan v de tuin", &["laan van de tuin"]);
        let leeuw = [
            "van de leeuwstraat",
            "van der leeuwstraat",
            "van den leeuwstraat",
        ];
        case("vd leeuwstraat", &leeuw);
        case("v d leeuwstraat", &leeuw);
        case("van d leeuwstraat", &leeuw);
        case("vh hoffstraat", &["van het hoffstraat"]);
        case("kerk d", &[]);
        case("kerkstraat", &[]);
    }
}
