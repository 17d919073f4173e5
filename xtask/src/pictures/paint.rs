//! Which colour each part of a line has.

/// A part of a line in one colour. `Class` is that of the style sheet; an empty one is the colour of plain text.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Span {
    pub(super) class: &'static str,
    pub(super) text: String,
}

/// A line, cut to what fits.
pub(super) fn spans(line: &str, columns: usize) -> Vec<Span> {
    let line = cut(line, columns);
    if line.contains('▕') {
        return bar(&line);
    }
    let starts: &[(&str, &str)] = &[
        ("$ ", "prompt"),
        ("you ", "user"),
        ("model ", "model"),
        ("engine ", "engine"),
        ("→ ", "call"),
        ("← ", "dim"),
        ("The process was killed", "alarm"),
        ("throughline", "engine"),
    ];
    let found = starts.iter().find(|(start, _)| line.starts_with(start));
    let class = found.map_or_else(|| if is_head(&line) { "bright" } else { "" }, |(_, class)| class);
    vec![Span { class, text: line }]
}

/// Returns true for the heads of tables, which have no lower-case letter, and for the titles above them.
fn is_head(line: &str) -> bool {
    let is_title = line.split(' ').count() > 2 && !line.contains("  ") && !line.ends_with('.');
    is_title
        || (line.contains("  ") && !line.contains(|letter: char| letter.is_lowercase()) && !has_number(line))
}

fn has_number(line: &str) -> bool {
    line.contains(|letter: char| letter.is_ascii_digit())
}

/// The bar of the window: each component in its own colour.
fn bar(line: &str) -> Vec<Span> {
    let mut spans: Vec<Span> = Vec::new();
    let mut inside = false;
    for letter in line.chars() {
        let class = match letter {
            '▕' | '▏' => "dim",
            'S' if inside => "system",
            'K' if inside => "skills",
            'T' if inside => "tools",
            '█' => "talk",
            '·' => "dim",
            _ => "",
        };
        inside = (inside || letter == '▕') && letter != '▏';
        match spans.last_mut() {
            Some(last) if last.class == class => last.text.push(letter),
            _ => spans.push(Span { class, text: letter.to_string() }),
        }
    }
    spans
}

/// The start of a line that is too long, and a mark.
fn cut(line: &str, columns: usize) -> String {
    if line.chars().count() <= columns {
        return line.to_owned();
    }
    line.chars().take(columns - 1).chain(['…']).collect()
}
