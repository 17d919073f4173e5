//! The tokens of `o200k_base`, found by their bytes.

use std::sync::OnceLock;

/// The tokens by rank, each as its length and its bytes. The build script takes them from `tiktoken-rs`.
static TOKENS: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/o200k.tokens"));

/// Places for tokens: more than twice as many as there are tokens, and a power of two.
const PLACES: usize = 1 << 19;
/// Bits that say which hashes no token has. They fit into a processor's cache, and most questions end there.
const BITS: usize = 1 << 21;
/// Pairs of bytes.
const PAIRS: usize = 1 << 16;

/// The number of a token. Of two possible merges, the one with the lower rank is done first.
pub(super) type Rank = u32;

/// What is no token.
pub(super) const NO_TOKEN: Rank = Rank::MAX;

/// A table of hashes with open addressing, and one of pairs of bytes, which every piece asks for first.
#[derive(Debug)]
pub(super) struct Vocabulary {
    places: Vec<Place>,
    bits: Vec<u64>,
    pairs: Vec<Rank>,
}

/// Where a token is.
#[derive(Debug, Clone, Copy, Default)]
struct Place {
    /// The upper half of its hash.
    tag: u32,
    rank: Rank,
    /// Where its bytes start, after their length. 0: no token is here.
    at: u32,
}

impl Vocabulary {
    /// The tables, built at the first call (about 10 ms, 7 MB).
    pub(super) fn get() -> &'static Self {
        static VOCABULARY: OnceLock<Vocabulary> = OnceLock::new();
        VOCABULARY.get_or_init(Self::build)
    }

    /// The rank of the token of these bytes; [`NO_TOKEN`] if they are not one.
    pub(super) fn rank(&self, bytes: &[u8]) -> Rank {
        let hash = hash(bytes);
        let (word, bit) = bit(hash);
        if self.bits.get(word).is_none_or(|word| word & bit == 0) {
            return NO_TOKEN;
        }
        let mut number = hash as usize % PLACES;
        loop {
            let place = self.places.get(number).copied().unwrap_or_default();
            if place.at == 0 {
                return NO_TOKEN;
            }
            if place.tag == tag(hash) && token(place.at as usize) == Some(bytes) {
                return place.rank;
            }
            number = (number + 1) % PLACES;
        }
    }

    /// The rank of the token of two bytes.
    pub(super) fn pair(&self, one: u8, other: u8) -> Rank {
        self.pairs.get(number(one, other)).copied().unwrap_or(NO_TOKEN)
    }

    fn build() -> Self {
        let mut built = Self {
            places: vec![Place::default(); PLACES],
            bits: vec![0; BITS / 64],
            pairs: vec![NO_TOKEN; PAIRS],
        };
        let (mut at, mut rank) = (1, 0);
        while let Some(bytes) = token(at) {
            built.insert(bytes, rank, at as u32);
            at += bytes.len() + 1;
            rank += 1;
        }
        built
    }

    fn insert(&mut self, bytes: &[u8], rank: Rank, at: u32) {
        let hash = hash(bytes);
        let start = hash as usize % PLACES;
        let (before, after) = self.places.split_at_mut_checked(start).unwrap_or_default();
        if let Some(place) = after.iter_mut().chain(before).find(|place| place.at == 0) {
            *place = Place { tag: tag(hash), rank, at };
        }
        let (word, bit) = bit(hash);
        if let Some(word) = self.bits.get_mut(word) {
            *word |= bit;
        }
        if let [one, other] = bytes
            && let Some(pair) = self.pairs.get_mut(number(*one, *other))
        {
            *pair = rank;
        }
    }
}

/// The token whose bytes start here.
fn token(at: usize) -> Option<&'static [u8]> {
    let length = *TOKENS.get(at.checked_sub(1)?)?;
    TOKENS.get(at..at + usize::from(length))
}

fn number(one: u8, other: u8) -> usize {
    usize::from(one) << 8 | usize::from(other)
}

/// The word and the bit of a hash.
fn bit(hash: u64) -> (usize, u64) {
    let number = (hash >> 40) as usize % BITS;
    (number / 64, 1 << (number % 64))
}

fn tag(hash: u64) -> u32 {
    (hash >> 32) as u32
}

/// Eight bytes at a time, each multiplied with an odd number without pattern.
fn hash(bytes: &[u8]) -> u64 {
    const FACTOR: u64 = 0x9e37_79b9_7f4a_7c15;
    let (words, rest) = bytes.as_chunks::<8>();
    let last = rest.iter().fold(0, |word, byte| word << 8 | u64::from(*byte));
    let words = words.iter().map(|word| u64::from_le_bytes(*word)).chain([last]);
    let mixed =
        words.fold(bytes.len() as u64, |hash, word| (hash.rotate_left(23) ^ word).wrapping_mul(FACTOR));
    mixed ^ mixed >> 29
}
