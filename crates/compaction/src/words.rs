//! The user's own words inside a summary: quoted, so that they cannot be taken for anything else.

use throughline_conversation::{TokenCounter, is_rule, rules_of};
use throughline_text::{cut_end, cut_start, group_thousands};

use crate::excerpt::{excerpt, without_marks};
use crate::novelty::newest_then_novel;

/// Quotes texts within that many tokens, oldest first. The first text, what the conversation is about, is
/// always among them. Then rules that hold from then on are taken, the newest first, up to half of what is left. Then
/// the newest others, up to an eighth of what is left, and then those of them that say most that no other text says.
/// What is too long is cut in its middle.
pub(crate) fn quote(texts: &[String], budget: u64, counter: &dyn TokenCounter) -> String {
    quote_within(texts, budget, budget, counter)
}

/// The same, with at most `longest` tokens of each text, and twice as many of the first: of a long text the start and the
/// end say what it is about, and the rest can be read back.
pub(crate) fn quote_within(
    texts: &[String],
    budget: u64,
    longest: u64,
    counter: &dyn TokenCounter,
) -> String {
    let texts = &with_excerpts(texts, budget, longest, counter);
    let Some((first, later)) = texts.split_first() else { return String::new() };
    if budget == 0 {
        return String::new();
    }
    let most = most_of_first(later.is_empty(), budget, longest);
    let mut chosen = vec![(0, block(&fit(first, most, counter)))];
    let mut left = budget.saturating_sub(counter.text(first).min(most));
    let mut for_rules = left / 2;
    let mut others = Vec::new();
    for (at, text) in later.iter().enumerate().rev() {
        let tokens = if is_rule(text) { counter.text(text) } else { u64::MAX };
        if tokens <= for_rules {
            chosen.push((at + 1, block(text)));
            for_rules -= tokens;
            left -= tokens;
        } else {
            others.push((at + 1, text));
        }
    }
    for place in newest_then_novel(&others, texts, left / 8, counter) {
        let Some((at, text)) = others.get(place) else { continue };
        let text = fit(text, longest, counter);
        let tokens = counter.text(&text);
        if tokens <= left {
            chosen.push((*at, block(&text)));
            left -= tokens;
        } else if left >= budget / 8 && left > 0 {
            chosen.push((*at, block(&fit(&text, left, counter))));
            left = 0;
        }
    }
    chosen.sort_by_key(|(at, _)| *at);
    // If nothing fits even when truncated, nothing is quoted.
    chosen.retain(|(_, quoted)| quoted != ">");
    // A rule need not be quoted apart from a text that is quoted with it.
    let whole: Vec<String> = chosen.iter().map(|(_, quoted)| quoted.clone()).collect();
    chosen.retain(|(at, quoted)| {
        let text = texts.get(*at).map_or("", String::as_str);
        let rule = without_marks(text);
        rule == text || !whole.iter().any(|other| other != quoted && other.contains(rule))
    });
    chosen.into_iter().map(|(_, quoted)| quoted).collect::<Vec<_>>().join("\n\n")
}

/// The texts, each long one followed by the rules in it: what is left out of a text, or with it, may be a rule.
fn with_excerpts(texts: &[String], budget: u64, longest: u64, counter: &dyn TokenCounter) -> Vec<String> {
    let first = most_of_first(texts.len() == 1, budget, longest);
    let mut all = Vec::with_capacity(texts.len());
    for (at, text) in texts.iter().enumerate() {
        all.push(text.clone());
        if at > 0 || counter.text(text) > first {
            all.extend(rules_of(text).into_iter().filter(|rule| rule != text).map(excerpt));
        }
    }
    all
}

fn most_of_first(is_alone: bool, budget: u64, longest: u64) -> u64 {
    if is_alone { budget } else { budget / 2 }.min(longest.saturating_mul(2))
}

/// Reads quoted texts.
pub(crate) fn unquote(quoted: &str) -> Vec<String> {
    let mut texts: Vec<String> = Vec::new();
    let mut open = false;
    for line in quoted.split('\n') {
        let Some(said) = line.strip_prefix('>') else {
            open = false;
            continue;
        };
        let said = said.strip_prefix(' ').unwrap_or(said);
        match texts.last_mut() {
            Some(text) if open => {
                text.push('\n');
                text.push_str(said);
            }
            _ => texts.push(said.to_owned()),
        }
        open = true;
    }
    texts
}

fn block(text: &str) -> String {
    let quoted = |line: &str| if line.is_empty() { ">".to_owned() } else { format!("> {line}") };
    text.split('\n').map(quoted).collect::<Vec<_>>().join("\n")
}

/// The text within `tokens` tokens: cut in its middle when it is too long.
#[must_use]
pub fn fit(text: &str, tokens: u64, counter: &dyn TokenCounter) -> String {
    let mut whole = counter.text(text);
    if whole <= tokens {
        return text.to_owned();
    }
    let mut bytes = text.len();
    // A few rounds at most: each takes the share that is too much, and a little more.
    for _ in 0..8 {
        let share = tokens as f64 / whole.max(1) as f64 * 0.9;
        bytes = (bytes as f64 * share) as usize;
        let head = cut_end(text, bytes - bytes / 2);
        let tail = cut_start(text.get(head.len()..).unwrap_or_default(), bytes / 2);
        let hidden = group_thousands((text.len() - head.len() - tail.len()) as u64);
        let cut = format!("{head}\n[… {hidden} bytes left out …]\n{tail}");
        whole = counter.text(&cut);
        if whole <= tokens {
            return cut;
        }
    }
    String::new()
}

#[cfg(test)]
mod tests;
