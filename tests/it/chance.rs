//! Generates reproducible random numbers. The same seed gives the same test cases. `POSTDUIF_TEST_SEED` sets another seed.

/// A random number generator (xorshift64*, Vigna 2016).
pub(crate) struct Chance {
    pub(crate) seed: u64,
    state: u64,
}

impl Chance {
    pub(crate) fn new() -> Self {
        Self::seeded(number("POSTDUIF_TEST_SEED").unwrap_or(1))
    }

    pub(crate) fn seeded(seed: u64) -> Self {
        Self {
            seed,
            state: seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1,
        }
    }

    /// Returns a random number below `bound`.
    pub(crate) fn below(&mut self, bound: usize) -> usize {
        self.state ^= self.state >> 12;
        self.state ^= self.state << 25;
        self.state ^= self.state >> 27;
        let high = self.state.wrapping_mul(0x2545_F491_4F6C_DD1D) >> 33;
        usize::try_from(high).expect("31 bits") % bound
    }
}

/// Returns how often a test repeats its random cases: `POSTDUIF_TEST_TRIES`, or the default if the variable is not set.
pub(crate) fn tries(default: usize) -> usize {
    number("POSTDUIF_TEST_TRIES").map_or(default, |tries| {
        usize::try_from(tries).expect("a 64-bit machine").max(1)
    })
}

fn number(name: &str) -> Option<u64> {
    std::env::var(name).ok()?.parse().ok()
}
