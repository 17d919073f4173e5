//! Why a text is not in a file although something very like it is.

use throughline_conversation::cut_end;

/// Most bytes of the file that are shown as what stands there.
const SHOWN: usize = 2_000;

/// A sentence that helps to find what was meant.
pub(super) fn near_miss(text: &str, wanted: &str) -> String {
    if text.contains("\r\n") && text.replace("\r\n", "\n").contains(&wanted.replace("\r\n", "\n")) {
        return "The file ends its lines with \\r\\n; write old_string and new_string with \\r\\n too."
            .to_owned();
    }
    let wanted_lines: Vec<String> = wanted.lines().map(squeezed).collect();
    let first = wanted_lines.iter().position(|line| !line.is_empty());
    let last = wanted_lines.iter().rposition(|line| !line.is_empty());
    let (Some(first), Some(last)) = (first, last) else {
        return "It has white space alone; take a line with words into it.".to_owned();
    };
    let core = wanted_lines.get(first..=last).unwrap_or_default();
    let lines: Vec<&str> = text.lines().collect();
    let squeezed_lines: Vec<String> = lines.iter().copied().map(squeezed).collect();
    if let Some(at) = squeezed_lines.windows(core.len()).position(|window| window == core) {
        let there = lines.get(at..at + core.len()).unwrap_or_default().join("\n");
        return format!(
            "Line {} on differs from it in white space only. There stands:\n{}",
            at + 1,
            cut_end(&there, SHOWN)
        );
    }
    let start = core.first().map_or("", String::as_str);
    match squeezed_lines.iter().position(|line| line == start) {
        Some(at) if core.len() > 1 => {
            let same = squeezed_lines.iter().skip(at).zip(core).take_while(|(a, b)| a == b).count();
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

/// A line with its words and single blanks alone.
fn squeezed(line: &str) -> String {
    line.split_whitespace().collect::<Vec<_>>().join(" ")
}
