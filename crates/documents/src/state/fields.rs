//! The fields of STATE in a text.

use crate::markdown::{heading, item, lines};

/// The labels, in the order in which they are written.
const LABELS: [&str; 4] = ["Goal", "Context", "Resolved", "Technical Anchors"];

/// What the form says in place of a value. A model that copies it has said nothing.
const PLACEHOLDERS: [&str; 4] = [
    "[Short description of current task]",
    "[Active files/classes being edited]",
    "[List of things finished this session]",
    "[Ports, IPs, constant values]",
];

/// The text behind a first line `### STATE`, or all of it.
pub(super) fn without_heading(text: &str) -> &str {
    let (first, rest) = text.split_once('\n').unwrap_or((text, ""));
    let named = |(_, title): (usize, &str)| title.trim_matches(['*', '_', ':']).eq_ignore_ascii_case("state");
    if heading(first).is_some_and(named) { rest.trim() } else { text }
}

/// The values, one for each label. Of a label that comes twice the later one counts, when it says anything.
pub(super) fn read(text: &str) -> [String; 4] {
    let mut values: [String; 4] = Default::default();
    let mut open: Option<(usize, String)> = None;
    for line in lines(text, "") {
        match label(line.text).filter(|_| !line.fenced) {
            Some((index, value)) => {
                close(&mut values, open.replace((index, value.to_owned())));
            }
            None => {
                if let Some((_, value)) = &mut open {
                    value.push('\n');
                    value.push_str(line.text.trim_end());
                }
            }
        }
    }
    close(&mut values, open);
    values
}

fn close(values: &mut [String; 4], open: Option<(usize, String)>) {
    let Some((index, value)) = open else { return };
    let value = value.trim_start_matches('\n').trim_end();
    let said = !value.is_empty() && !PLACEHOLDERS.contains(&value);
    if let Some(place) = values.get_mut(index).filter(|_| said) {
        *place = value.to_owned();
    }
}

/// Returns true if a line begins with the label of a field.
pub(crate) fn is_label(line: &str) -> bool {
    label(line).is_some()
}

/// The label at the start of a line, and what stands behind it.
fn label(line: &str) -> Option<(usize, &str)> {
    let bare = match (heading(line), item(line)) {
        (Some((_, title)), _) => title,
        (None, Some(item)) if item.indent == 0 => item.text,
        (None, Some(_)) => return None,
        (None, None) => line.trim(),
    };
    let undressed = bare.trim_start_matches(['*', '_']);
    let (index, name) = LABELS.iter().enumerate().find(|(_, name)| {
        undressed.get(..name.len()).is_some_and(|start| start.eq_ignore_ascii_case(name))
    })?;
    let behind = undressed.get(name.len()..)?;
    let plain = behind.trim_start_matches(['*', '_']).trim_start();
    if let Some(value) = plain.strip_prefix(':') {
        // `**Goal:** text` closes its bold behind the colon, `**Goal**: text` in front of it.
        let closes = bare.len() > undressed.len() && behind.starts_with(':');
        let value = if closes { value.trim_start_matches(['*', '_']) } else { value };
        return Some((index, value.trim()));
    }
    // A heading or bold text alone in its line needs no colon.
    let alone = plain.is_empty() && (heading(line).is_some() || bare.len() > undressed.len());
    alone.then_some((index, ""))
}

/// A value without space around it and at the ends of its lines.
pub(super) fn tidied(value: &str) -> String {
    value.trim().lines().map(str::trim_end).collect::<Vec<_>>().join("\n")
}

/// The block in the plain form. All four labels are there.
pub(super) fn render(values: &[String; 4]) -> String {
    let field = |(label, value): (&str, &String)| match value.as_str() {
        "" => format!("{label}:"),
        value if value.contains('\n') => format!("{label}:\n{value}"),
        value => format!("{label}: {value}"),
    };
    LABELS.into_iter().zip(values).map(field).collect::<Vec<_>>().join("\n")
}
