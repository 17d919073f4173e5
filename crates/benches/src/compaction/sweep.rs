//! How much the price of recorded sessions depends on each constant of the decision by price.

use std::path::Path;

use throughline_compaction::PricePolicy;
use throughline_policies::{Economy, Policy};

use crate::entrants::entrant;
use crate::recordings::{Measure, RESERVED, Sums, add_replay, options, sessions};

/// The window that is swept.
const WINDOW: u64 = 100_000;
/// Each constant is tried at these multiples.
const FACTORS: [f64; 2] = [0.7, 1.3];

/// A constant, and how it is changed by a factor.
type Constant = (&'static str, fn(&mut PricePolicy, f64));

const CONSTANTS: [Constant; 10] = [
    ("patience", |policy, factor| policy.patience *= factor),
    ("overdue", |policy, factor| policy.overdue *= factor),
    ("cold_regret", |policy, factor| policy.cold_regret *= factor),
    ("needed_later", |policy, factor| policy.needed_later.values_mut().for_each(|steps| *steps *= factor)),
    ("unchanged_reads least", |policy, factor| {
        policy.unchanged_reads.least = scaled(policy.unchanged_reads.least, factor);
    }),
    ("unchanged_reads needed", |policy, factor| policy.unchanged_reads.needed_later *= factor),
    ("smallest_gain", |policy, factor| policy.smallest_gain = scaled(policy.smallest_gain, factor)),
    ("growth", |policy, factor| policy.growth = scaled(policy.growth, factor)),
    ("first_residue", |policy, factor| policy.first_residue *= factor),
    ("learning", |policy, factor| policy.learning *= factor),
];

fn scaled(tokens: u64, factor: f64) -> u64 {
    (tokens as f64 * factor) as u64
}

/// Replays the sessions below a folder that the measure includes, with each constant changed alone.
pub(crate) async fn run(folder: &Path, measure: Measure) -> anyhow::Result<()> {
    let mut sessions = sessions(folder, measure)?;
    sessions.retain(|session| measure.includes(session, WINDOW));
    println!("sweep: {} sessions of {}, window {WINDOW}", sessions.len(), folder.display());
    println!(
        "The price with what was needed again over sending the whole history, and how far it moves when one"
    );
    println!("constant is 30 % less or more.");
    for economy in Economy::ALL {
        let price = async |change: Option<(Constant, f64)>| {
            let mut settings = Policy::Throughline.settings_with(economy, WINDOW, RESERVED);
            if let (Some(((_, change), factor)), Some(pricing)) = (change, settings.pricing.as_mut()) {
                change(pricing, factor);
            }
            let entrant = entrant(economy.to_string(), Policy::Throughline, settings);
            let mut sums = Sums::named(&entrant.name);
            for session in &sessions {
                add_replay(&mut sums, session, options(WINDOW, &entrant, measure)).await?;
            }
            anyhow::Ok(sums.ratio())
        };
        let own = price(None).await?;
        println!("\n  {:<24} {own:.4}", economy.name());
        let mut most = 0.0_f64;
        for constant in CONSTANTS {
            let mut moved = Vec::new();
            for factor in FACTORS {
                moved.push(price(Some((constant, factor))).await? - own);
            }
            most = moved.iter().fold(most, |most, by| most.max(by.abs()));
            let moved: Vec<String> = moved.iter().map(|by| format!("{by:+.4}")).collect();
            println!("    {:<22} {}", constant.0, moved.join("  "));
        }
        println!("    {:<22} {most:.4}", "at most");
    }
    Ok(())
}
