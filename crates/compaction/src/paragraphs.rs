//! Templates of paragraphs, each with one value.

/// Fills each paragraph of a template with the one value that it names. A paragraph whose value is empty is left out.
/// Values are not expanded, so a value cannot name another.
pub(crate) fn fill(template: &str, values: &[(&str, &str)]) -> String {
    let paragraph = |text: &str| -> Option<String> {
        let mut out = String::new();
        let mut rest = text;
        while let Some((before, after)) = rest.split_once("{{") {
            let (name, after) = after.split_once("}}")?;
            let (_, value) = values.iter().find(|(known, _)| *known == name)?;
            if value.is_empty() {
                return None;
            }
            out.push_str(before);
            out.push_str(value);
            rest = after;
        }
        out.push_str(rest);
        Some(out)
    };
    template.trim_end().split("\n\n").filter_map(paragraph).collect::<Vec<_>>().join("\n\n")
}
