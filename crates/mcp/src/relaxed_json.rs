//! JSON as people write it: with comments and trailing commas.

/// The text with comments and trailing commas replaced by spaces, so that lines and columns stay.
pub(crate) fn plain_json(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    // Where a comma is after which nothing but spaces came.
    let mut comma: Option<usize> = None;
    // The last character that is no space or comment.
    let mut last = '{';
    let mut rest = text;
    while let Some(letter) = rest.chars().next() {
        let taken = match letter {
            '"' => string(rest),
            '/' if rest.starts_with("//") => rest.find('\n').unwrap_or(rest.len()),
            '/' if rest.starts_with("/*") => rest.find("*/").map_or(rest.len(), |end| end + 2),
            letter => letter.len_utf8(),
        };
        let (part, after) = rest.split_at_checked(taken).unwrap_or((rest, ""));
        rest = after;
        let before = last;
        let is_comment = letter == '/' && taken > 1;
        if !letter.is_whitespace() && !is_comment {
            last = letter;
        }
        match letter {
            _ if is_comment => out.extend(part.chars().map(|one| if one == '\n' { '\n' } else { ' ' })),
            '}' | ']' => {
                if let Some(at) = comma.take() {
                    out.replace_range(at..=at, " ");
                }
                out.push(letter);
            }
            ',' => {
                // One without a value in front of it is an error.
                comma = Some(out.len()).filter(|_| !matches!(before, '{' | '[' | ','));
                out.push(letter);
            }
            letter => {
                comma = comma.filter(|_| letter.is_whitespace());
                out.push_str(part);
            }
        }
    }
    out
}

/// Bytes of the string that the text begins with.
fn string(text: &str) -> usize {
    let mut escaped = false;
    for (at, letter) in text.char_indices().skip(1) {
        match letter {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            '"' => return at + 1,
            _ => {}
        }
    }
    text.len()
}

#[cfg(test)]
mod tests;
