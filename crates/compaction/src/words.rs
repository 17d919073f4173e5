//! The user's own words inside a summary: quoted, so that they cannot be taken for anything else.

use throughline_conversation::{TokenCounter, cut_end, cut_start, group_thousands};

/// Quotes texts within that many tokens, oldest first. The first text, what the conversation is about, is
/// always among them; then the newest are taken. What is too long is cut in its middle.
pub(crate) fn quote(texts: &[String], budget: u64, counter: &dyn TokenCounter) -> String {
    let Some((first, later)) = texts.split_first() else { return String::new() };
    if budget == 0 {
        return String::new();
    }
    let most = if later.is_empty() { budget } else { budget / 2 };
    let mut chosen = vec![block(&fit(first, most, counter))];
    let mut left = budget.saturating_sub(counter.text(first).min(most));
    let mut newest = Vec::new();
    for text in later.iter().rev() {
        let tokens = counter.text(text);
        if tokens <= left {
            newest.push(block(text));
            left -= tokens;
        } else if left >= budget / 8 && left > 0 {
            newest.push(block(&fit(text, left, counter)));
            left = 0;
        } else {
            break;
        }
    }
    chosen.extend(newest.into_iter().rev());
    // What could not even be cut to size left nothing to quote.
    chosen.retain(|quoted| quoted != ">");
    chosen.join("\n\n")
}

/// Reads texts back from where they are quoted.
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

/// The text within that many tokens: cut in its middle when it is too long.
pub(crate) fn fit(text: &str, tokens: u64, counter: &dyn TokenCounter) -> String {
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
