//! Texts with places to fill.

/// Puts each value in the place of its `{name}`. Values are taken as they are: a brace in one fills nothing.
pub(crate) fn fill(template: &str, values: &[(&str, &str)]) -> String {
    let mut out = String::with_capacity(template.len());
    let mut rest = template;
    while let Some((before, after)) = rest.split_once('{') {
        out.push_str(before);
        let place = after.split_once('}').and_then(|(name, behind)| {
            values.iter().find(|(known, _)| *known == name).map(|(_, value)| (*value, behind))
        });
        match place {
            Some((value, behind)) => {
                out.push_str(value);
                rest = behind;
            }
            None => {
                out.push('{');
                rest = after;
            }
        }
    }
    out.push_str(rest);
    out
}

/// A text in one line, with single spaces.
pub(crate) fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Paragraphs, those that say something, with an empty line between them.
pub(crate) fn paragraphs(parts: &[&str]) -> String {
    let said: Vec<&str> = parts.iter().map(|part| part.trim_end()).filter(|part| !part.is_empty()).collect();
    said.join("\n\n")
}

#[cfg(test)]
mod tests {
    use super::fill;

    #[test]
    fn values_are_not_filled_again() {
        assert_eq!(fill("{a}-{b}-{c}", &[("a", "{b}"), ("b", "x")]), "{b}-x-{c}");
        assert_eq!(fill("fn f() { {a} }", &[("a", "1")]), "fn f() { 1 }");
        assert_eq!(fill("open {", &[]), "open {");
    }
}
