//! Prefixes for the ids of calls that come without one.

use std::hash::{BuildHasher, RandomState};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU64, Ordering};

/// How many prefixes there are: 36⁷. A session that is taken up again by another process begins anywhere among
/// them, so that its new ids do not meet its old ones.
const ALL: u64 = 78_364_164_096;

/// A prefix of eight letters that no other answer of this process has.
#[must_use]
pub fn answer_prefix() -> String {
    static START: OnceLock<u64> = OnceLock::new();
    static COUNT: AtomicU64 = AtomicU64::new(0);
    // The standard library's hasher is seeded by the operating system.
    let start = START.get_or_init(|| RandomState::new().hash_one(0_u8));
    // Places that lie far apart look different, which people who compare ids are glad of; the factor has no divisor
    // in common with 36, so each place comes once.
    let count = COUNT.fetch_add(1, Ordering::Relaxed).wrapping_mul(1_000_003);
    base36((start % ALL).wrapping_add(count) % ALL)
}

/// Seven digits and a hyphen.
fn base36(mut number: u64) -> String {
    let mut digits = [b'0'; 7];
    for digit in digits.iter_mut().rev() {
        let value = u8::try_from(number % 36).unwrap_or_default();
        *digit = if value < 10 { b'0' + value } else { b'a' + (value - 10) };
        number /= 36;
    }
    digits.iter().map(|digit| char::from(*digit)).chain(['-']).collect()
}

#[cfg(test)]
mod tests;
