//! The exact token counter next to the reference, `tiktoken-rs`: speed, equal counts, hostile texts.
//!
//! Both run in this process, in turns, on the same texts. Run with `cargo xtask bench tokens`; it fails when the
//! counter is less than 1.4 times as fast on a real text, slower than 1.5 MB/s on any text, counts differently, or
//! loads its tables before it counts.

mod texts;

use std::hint::black_box;
use std::sync::Arc;
use std::time::{Duration, Instant};

use anyhow::ensure;
use throughline_budget::ScriptAwareEstimator;
use throughline_conversation::TokenCounter;
use throughline_providers::tokens::{BpeCounter, DeferredCounter, Encoding, TiktokenCounter};

use texts::Text;

/// Rounds on a real text; the best of each counter counts.
const ROUNDS: usize = 7;
/// Rounds on a hostile text, where the reference takes seconds.
const HOSTILE_ROUNDS: usize = 3;
/// A real text is timed in parts of this many bytes, so that what else the machine does disturbs few of them. A hostile
/// one is timed as a whole: its length is what is hostile.
const TIMED: usize = 64 * 1_024;
/// A real text must be counted this many times as fast as by the reference.
const RATIO: f64 = 1.4;
/// Any text must be counted at this many MB/s.
const FLOOR: f64 = 1.5;
/// Kilobytes that constructing counters may take.
const CONSTRUCTED: u64 = 8_192;

fn main() -> anyhow::Result<()> {
    let mut verdicts = Verdicts::default();
    loading(&mut verdicts);
    let texts = texts::all()?;
    let name = Encoding::O200k.name();
    println!("{name}, MB/s, best of {ROUNDS} rounds ({HOSTILE_ROUNDS} from the seventh text on):");
    println!(
        "  {:<24} {:>9} {:>9} {:>9} {:>7}   {:>8}",
        "text", "tokens", "counter", "tiktoken", "ratio", "estimate"
    );
    for text in &texts {
        compare(text, &mut verdicts);
    }
    verdicts.end()
}

/// What was asked for, and whether it was met.
#[derive(Default)]
struct Verdicts {
    failed: Vec<String>,
}

impl Verdicts {
    fn check(&mut self, met: bool, asked: String) {
        if !met {
            println!("  FAIL: {asked}");
            self.failed.push(asked);
        }
    }

    fn end(self) -> anyhow::Result<()> {
        ensure!(
            self.failed.is_empty(),
            "{} figure(s) are not met:\n{}",
            self.failed.len(),
            self.failed.join("\n")
        );
        println!(
            "every figure is met: {RATIO}× on real texts, {FLOOR} MB/s on any, equal counts, tables on demand"
        );
        Ok(())
    }
}

/// Memory before, after constructing counters, and after the first count.
fn loading(verdicts: &mut Verdicts) {
    let Some(before) = resident() else {
        println!("loading: this system does not tell a program its memory; skipped");
        return;
    };
    let exact = Encoding::O200k.counter();
    let deferred = DeferredCounter::new(Arc::new(ScriptAwareEstimator), Arc::clone(&exact), 1_000);
    black_box((deferred.text("a short session"), Encoding::Cl100k.counter()));
    let constructed = resident().unwrap_or(before).saturating_sub(before);
    let start = Instant::now();
    black_box(exact.text("now"));
    let (took, loaded) = (start.elapsed(), resident().unwrap_or(before).saturating_sub(before));
    println!(
        "loading: +{constructed} KB when constructed; the first count {:.0} ms, +{loaded} KB",
        took.as_secs_f64() * 1e3
    );
    verdicts.check(constructed <= CONSTRUCTED, format!("constructing counters takes {constructed} KB"));
}

/// Kilobytes of memory in use, where the system says so.
fn resident() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"))?;
    line.split_whitespace().next()?.parse().ok()
}

fn compare(text: &Text, verdicts: &mut Verdicts) {
    let (counter, reference) = (BpeCounter, TiktokenCounter::new(Encoding::O200k));
    let Text { name, text, real } = text;
    // The reference counts white space without end in parts, so its figure is not the exact one.
    let takes = !text.chars().all(char::is_whitespace);
    // These also warm up.
    let tokens = counter.text(text);
    if takes {
        let expected = reference.text(text);
        verdicts
            .check(tokens == expected, format!("{name}: {tokens} tokens, the reference counts {expected}"));
    }
    let (parts, rounds) =
        if *real { (parts(text, TIMED), ROUNDS) } else { (vec![text.as_str()], HOSTILE_ROUNDS) };
    let (mut ours, mut theirs) = (Duration::ZERO, Duration::ZERO);
    for part in parts {
        let best = |counter: &dyn TokenCounter, best: Duration| timed(|| counter.text(part)).min(best);
        let (mut our_best, mut their_best) = (Duration::MAX, Duration::MAX);
        for _ in 0..rounds {
            our_best = best(&counter, our_best);
            if takes {
                their_best = best(&reference, their_best);
            }
        }
        ours += our_best;
        theirs = theirs.saturating_add(their_best);
    }
    let ours = speed(text, ours);
    let estimate = ScriptAwareEstimator.text(text) as f64 / tokens as f64;
    if takes {
        let theirs = speed(text, theirs);
        let ratio = ours / theirs;
        println!("  {name:<24} {tokens:>9} {ours:>9.2} {theirs:>9.2} {ratio:>7.2}   {estimate:>8.2}");
        verdicts.check(!real || ratio >= RATIO, format!("{name}: {ratio:.2} times the reference"));
    } else {
        println!("  {name:<24} {tokens:>9} {ours:>9.2}   skipped: in parts   {estimate:>8.2}");
    }
    verdicts.check(ours >= FLOOR, format!("{name}: {ours:.2} MB/s"));
}

fn timed(count: impl FnOnce() -> u64) -> Duration {
    let start = Instant::now();
    black_box(count());
    start.elapsed()
}

/// MB/s.
fn speed(text: &str, time: Duration) -> f64 {
    text.len() as f64 / time.as_secs_f64() / 1e6
}

fn parts(text: &str, bytes: usize) -> Vec<&str> {
    let (mut parts, mut rest) = (Vec::new(), text);
    while !rest.is_empty() {
        let (part, after) = rest.split_at(rest.floor_char_boundary(bytes));
        parts.push(part);
        rest = after;
    }
    parts
}
