//! The exact token counter beside the reference, `tiktoken-rs`: speed, equal counts, hostile texts, growing texts.
//!
//! Both run in this process, in turns, on the same texts. Run with `cargo xtask bench tokens`; it fails when the
//! counter is less than 1.4 times as fast on a real text, slower than 1.5 MB/s on any text, counts differently,
//! loads its tables before it counts, or makes an appended kilobyte dearer with the text before it.

#[path = "bench_tokens/texts.rs"]
mod texts;

use std::hint::black_box;
use std::sync::Arc;
use std::time::{Duration, Instant};

use anyhow::{Context as _, ensure};
use throughline_budget::ScriptAwareEstimator;
use throughline_conversation::TokenCounter;
use throughline_providers::tokens::{AppendCounter, BpeCounter, DeferredCounter, Encoding, TiktokenCounter};

use texts::Text;

/// Rounds on a real text; the best of each counter counts.
const ROUNDS: usize = 7;
/// Rounds on a hostile text, where the reference takes seconds.
const HOSTILE_ROUNDS: usize = 3;
/// A real text is timed in parts of so many bytes, so that what else the machine does disturbs few of them. A hostile
/// one is timed as a whole: its length is what is hostile.
const TIMED: usize = 64 * 1_024;
/// A real text must be counted so many times as fast as by the reference.
const RATIO: f64 = 1.4;
/// Any text must be counted at so many MB/s.
const FLOOR: f64 = 1.5;
/// Bytes of an appended part.
const PART: usize = 1_024;
/// The last parts of a megabyte may cost so many times what the first ones cost.
const GROWTH: f64 = 2.0;
/// Kilobytes that constructing counters may take.
const CONSTRUCTED: u64 = 8_192;

fn main() -> anyhow::Result<()> {
    let mut verdicts = Verdicts::default();
    loading(&mut verdicts);
    let texts = texts::all()?;
    for encoding in [Encoding::O200k, Encoding::Cl100k] {
        println!(
            "{}, MB/s, best of {ROUNDS} rounds ({HOSTILE_ROUNDS} from the seventh text on):",
            encoding.name()
        );
        println!(
            "  {:<24} {:>9} {:>9} {:>9} {:>7}   {:>8}",
            "text", "tokens", "counter", "tiktoken", "ratio", "estimate"
        );
        for text in &texts {
            compare(encoding, text, &mut verdicts);
        }
    }
    println!(
        "appending {PART} bytes at a time to a megabyte, µs for a part, median of the first and last 100:"
    );
    for text in texts.iter().filter(|text| GROWN.contains(&text.name)) {
        grow(text, &mut verdicts)?;
    }
    verdicts.end()
}

/// Texts that are appended to: pieces of all kinds, one endless piece, and the dearest endless piece.
const GROWN: &[&str] = &["code", "Chinese", "letters without a space", "blanks", "'-' repeated"];

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
    let exact: Arc<dyn TokenCounter> = Arc::new(BpeCounter::new(Encoding::O200k));
    let deferred = DeferredCounter::new(Arc::new(ScriptAwareEstimator), Arc::clone(&exact), 1_000);
    let growing = AppendCounter::new(Encoding::O200k);
    black_box((deferred.text("a short session"), growing.tokens(), BpeCounter::new(Encoding::Cl100k)));
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

fn compare(encoding: Encoding, text: &Text, verdicts: &mut Verdicts) {
    let (counter, reference) = (BpeCounter::new(encoding), TiktokenCounter::new(encoding));
    let Text { name, text, real } = text;
    let takes = TiktokenCounter::takes(text);
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
        println!("  {name:<24} {tokens:>9} {ours:>9.2}   skipped: panics   {estimate:>8.2}");
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

fn grow(text: &Text, verdicts: &mut Verdicts) -> anyhow::Result<()> {
    let mut counter = AppendCounter::new(Encoding::O200k);
    let mut times = Vec::new();
    for part in parts(&text.text, PART) {
        times.push(timed(|| {
            counter.push(part);
            counter.tokens()
        }));
    }
    let whole = BpeCounter::new(Encoding::O200k).text(&text.text);
    let (first, last) = (median(times.iter().take(100))?, median(times.iter().rev().skip(1).take(100))?);
    let growth = last / first;
    println!(
        "  {:<24} first {first:>8.1}   last {last:>8.1}   ratio {growth:>5.2} (at most {GROWTH})",
        text.name
    );
    verdicts
        .check(counter.tokens() == whole, format!("{}: {} tokens, not {whole}", text.name, counter.tokens()));
    verdicts
        .check(growth <= GROWTH, format!("{}: the last part costs {growth:.2} times the first", text.name));
    Ok(())
}

/// In microseconds.
fn median<'a>(times: impl Iterator<Item = &'a Duration>) -> anyhow::Result<f64> {
    let mut times: Vec<&Duration> = times.collect();
    times.sort_unstable();
    let median = times.get(times.len() / 2).context("nothing was timed")?;
    Ok(median.as_secs_f64() * 1e6)
}
