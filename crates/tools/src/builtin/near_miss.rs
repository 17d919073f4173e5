//! Explains why `old_string` was not found although a similar text exists in the file.

use throughline_text::cut_end;

/// Maximum bytes of the file that are quoted.
const SHOWN: usize = 2_000;

/// A hint for the model that leads to the text that was meant.
pub(super) fn near_miss(text: &str, wanted: &str) -> String {
    if text.contains("\r\n") && text.replace("\r\n", "\n").contains(&wanted.replace("\r\n", "\n")) {
        return "Lines of the file end with \\r\\n in part; write old_string and new_string with \\r\\n where it has them."
            .to_owned();
    }
    if let Some(bare) = without_numbers(wanted)
        && text.contains(&bare)
    {
        return "It stands there without the line numbers that read_file shows; leave them out.".to_owned();
    }
    let wanted_lines: Vec<String> = wanted.lines().map(normalized).collect();
    let first = wanted_lines.iter().position(|line| !line.is_empty());
    let last = wanted_lines.iter().rposition(|line| !line.is_empty());
    let (Some(first), Some(last)) = (first, last) else {
        return "It has white space alone; take a line with words into it.".to_owned();
    };
    let core = wanted_lines.get(first..=last).unwrap_or_default();
    let lines: Vec<&str> = text.lines().collect();
    let normalized_lines: Vec<String> = lines.iter().copied().map(normalized).collect();
    if let Some(at) = normalized_lines.windows(core.len()).position(|window| window == core) {
        let there = lines.get(at..at + core.len()).unwrap_or_default().join("\n");
        let what = if there.split_whitespace().eq(wanted.split_whitespace()) {
            "white space"
        } else {
            "white space, quotes or dashes"
        };
        return format!(
            "Line {} on differs from it in {what} only. There stands:\n{}",
            at + 1,
            cut_end(&there, SHOWN)
        );
    }
    let start = core.first().map_or("", String::as_str);
    match normalized_lines.iter().position(|line| line == start) {
        Some(at) if core.len() > 1 => {
            let same = normalized_lines.iter().skip(at).zip(core).take_while(|(a, b)| a == b).count();
            let differs = at + same + 1;
            let there = lines.get(differs - 1).copied().unwrap_or("(the end of the file)");
            format!(
                "Its first line is line {}, but line {differs} differs. There stands:\n{}",
                at + 1,
                cut_end(there, SHOWN)
            )
        }
        _ => "Nothing like it is there. Read the file again: it may have changed.".to_owned(),
    }
}

/// The line with single spaces between words and ASCII quotes and dashes.
fn normalized(line: &str) -> String {
    let plain = |character| match character {
        '\u{2018}' | '\u{2019}' | '\u{201b}' => '\'',
        '\u{201c}' | '\u{201d}' | '\u{201e}' => '"',
        '\u{2010}'..='\u{2015}' | '\u{2212}' => '-',
        other => other,
    };
    line.split_whitespace().collect::<Vec<_>>().join(" ").chars().map(plain).collect()
}

/// The lines without the numbers that `read_file` puts before them. `None` if a line has no number.
fn without_numbers(wanted: &str) -> Option<String> {
    let bare = |line: &str| {
        let (number, rest) = line.split_once('\t')?;
        let number = number.trim_start();
        (!number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit())).then(|| rest.to_owned())
    };
    let lines: Option<Vec<String>> = wanted.lines().map(bare).collect();
    lines.filter(|lines| !lines.is_empty()).map(|lines| lines.join("\n"))
}
