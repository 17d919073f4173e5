//! What compactions have saved, and what of the removed content was needed again, from the receipts of a session.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use throughline_conversation::{CompactionReceipt, PolicyRecord, Receipt, RecordBody, RegretReceipt, Seq};

use crate::priced::RequestPrices;

/// A sum over compactions. Prices are in tokens of uncached input.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
pub struct Balance {
    /// Compactions.
    pub compactions: u64,
    /// What they have saved: what later requests did not read, less what the compactions cost. Negative while they have not
    /// paid back.
    pub saved: f64,
    /// The price of what was needed again.
    pub regret: f64,
    /// What was needed again.
    pub needed: NeededAgain,
}

/// How much removed content was needed again.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct NeededAgain {
    /// Names in the arguments of calls.
    pub names: u64,
    /// Lines that edits quoted.
    pub lines: u64,
    /// Files that were read again.
    pub files: u64,
    /// Results and messages that were read back from storage.
    pub read_back: u64,
}

/// One compaction.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct CompactionBalance {
    /// The record of its edit.
    pub edit: Seq,
    /// The policy that was in force, with its dial where it was moved; `None` for logs without one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub policy: Option<String>,
    /// Its figures.
    #[serde(flatten)]
    pub balance: Balance,
}

/// The compactions of a session. It follows the session's records.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct CompactionBalances {
    all: Vec<CompactionBalance>,
    policy: Option<String>,
    /// Compactions before the dial was moved last.
    before_dial: usize,
    /// Tokens that each later request does not read because of the newest compaction.
    removed: u64,
}

impl CompactionBalances {
    /// Takes the next record, with the prices of the model that the receipt in it is of.
    pub fn add(&mut self, seq: Seq, body: &RecordBody, prices: RequestPrices) {
        match body {
            RecordBody::Edit(edit) if edit.is_compaction() => self.compacted(seq),
            RecordBody::Receipt(receipt) => self.answered(receipt, prices),
            RecordBody::Policy(policy) => self.policy(policy),
            _ => {}
        }
    }

    /// Takes a compaction, by the record of its edit.
    pub fn compacted(&mut self, edit: Seq) {
        let balance = Balance { compactions: 1, ..Balance::default() };
        self.all.push(CompactionBalance { edit, policy: self.policy.clone(), balance });
        self.removed = 0;
    }

    /// Takes the receipt of an answered request.
    pub fn answered(&mut self, receipt: &Receipt, prices: RequestPrices) {
        let cold = receipt.price.as_ref().is_some_and(|terms| terms.cold);
        if let Some(newest) = self.all.last_mut() {
            if let Some(done) = &receipt.compaction {
                self.removed = done.before_tokens.saturating_sub(done.after_tokens);
                newest.balance.saved -= cost(done, prices, cold);
            }
            let input = if cold { prices.write } else { prices.read };
            let sent = receipt.reported.unwrap_or(receipt.predicted).prompt();
            let without = prices.weighted(sent.saturating_add(self.removed));
            newest.balance.saved += input * (without - prices.weighted(sent));
        }
        for regret in &receipt.regret {
            if let Some(of) = self.all.iter_mut().find(|one| one.edit == regret.edit) {
                of.balance.regret += regret.price;
                of.balance.needed.add(regret);
            }
        }
    }

    /// Takes a change of the policy or its dial.
    pub fn policy(&mut self, policy: &PolicyRecord) {
        let dial = policy.economy.as_ref().map(|economy| format!(" {economy}")).unwrap_or_default();
        self.policy = Some(format!("{}{dial}", policy.name));
        if policy.economy.is_some() {
            self.before_dial = self.all.len();
        }
    }

    /// Each compaction, oldest first.
    #[must_use]
    pub fn all(&self) -> &[CompactionBalance] {
        &self.all
    }

    /// The sum over the session.
    #[must_use]
    pub fn total(&self) -> Balance {
        Balance::sum(&self.all)
    }

    /// The sum since the dial was moved last.
    #[must_use]
    pub fn since_dial(&self) -> Balance {
        Balance::sum(self.all.get(self.before_dial..).unwrap_or_default())
    }

    /// The sums by policy, in the order of their names.
    #[must_use]
    pub fn by_policy(&self) -> BTreeMap<&str, Balance> {
        let mut sums = BTreeMap::new();
        for one in &self.all {
            let sum: &mut Balance = sums.entry(one.policy.as_deref().unwrap_or_default()).or_default();
            *sum = sum.plus(one.balance);
        }
        sums
    }
}

impl Balance {
    /// Returns true if what was needed again cost more than what was saved.
    #[must_use]
    pub fn is_regretted(&self) -> bool {
        self.regret > self.saved.max(0.0)
    }

    fn sum(all: &[CompactionBalance]) -> Self {
        all.iter().fold(Self::default(), |sum, one| sum.plus(one.balance))
    }

    fn plus(self, other: Self) -> Self {
        let NeededAgain { names, lines, files, read_back } = other.needed;
        Self {
            compactions: self.compactions + other.compactions,
            saved: self.saved + other.saved,
            regret: self.regret + other.regret,
            needed: NeededAgain {
                names: self.needed.names + names,
                lines: self.needed.lines + lines,
                files: self.needed.files + files,
                read_back: self.needed.read_back + read_back,
            },
        }
    }
}

impl NeededAgain {
    fn add(&mut self, regret: &RegretReceipt) {
        self.names += regret.names.len() as u64;
        self.lines += regret.lines.len() as u64;
        self.files += regret.files.len() as u64;
        self.read_back += regret.read_back.len() as u64;
    }

    /// Returns true if nothing was.
    #[must_use]
    pub fn is_nothing(&self) -> bool {
        *self == Self::default()
    }
}

/// What a compaction cost: its summary, and what it wrote to the cache that would have been read. Behind an expired cache
/// everything is written in any case.
fn cost(done: &CompactionReceipt, prices: RequestPrices, cold: bool) -> f64 {
    let rewritten = if cold { 0.0 } else { (prices.write - prices.read) * done.rewritten_tokens as f64 };
    rewritten + done.asked.iter().map(|used| prices.of(&used.usage)).sum::<f64>()
}

#[cfg(test)]
mod tests;
