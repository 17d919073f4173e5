//! Many paths on one line: what they have in common is written once, as a shell would expand it.

/// One step of the paths: what it is called, and what is below it. A path that ends here has no steps below.
#[derive(Debug, Default)]
struct PathNode<'p> {
    name: &'p str,
    below: Vec<PathNode<'p>>,
}

impl<'p> PathNode<'p> {
    fn add(&mut self, path: &'p str) {
        let (name, rest) = match path.find('/') {
            Some(slash) => path.split_at(slash + 1),
            None => (path, ""),
        };
        // A file and a folder may share a name only in the eyes of different times: `a` and `a/` are two steps.
        let at = self.below.iter().position(|step| step.name == name).unwrap_or_else(|| {
            self.below.push(PathNode { name, below: Vec::new() });
            self.below.len() - 1
        });
        if let Some(step) = self.below.get_mut(at).filter(|_| !rest.is_empty()) {
            step.add(rest);
        }
    }

    fn write(&self, line: &mut String) {
        line.push_str(self.name);
        match self.below.as_slice() {
            [] => {}
            [only] => only.write(line),
            steps => {
                line.push('{');
                list(steps, line);
                line.push('}');
            }
        }
    }
}

fn list(steps: &[PathNode<'_>], line: &mut String) {
    for (at, step) in steps.iter().enumerate() {
        line.push_str(if at == 0 { "" } else { ", " });
        step.write(line);
    }
}

/// Returns true if such a line can hold the path and be parsed again.
pub(crate) fn can_be_grouped(path: &str) -> bool {
    !path.is_empty() && !path.ends_with('/') && !path.contains(['{', '}', '\n']) && !path.contains(", ")
}

/// The paths in few words: `src/{a.rs, b/{c.rs, d.rs}}, README.md`. Each of them can be grouped.
pub(crate) fn grouped(paths: &[&str]) -> String {
    let mut root = PathNode::default();
    paths.iter().for_each(|path| root.add(path));
    let mut line = String::new();
    list(&root.below, &mut line);
    line
}

/// The paths of such a line, in its order. A line that a person wrote is taken for what it says as far as it can be read.
pub(crate) fn ungrouped(line: &str) -> Vec<String> {
    /// Deeper than any real path; a line from elsewhere must not exhaust the stack or the memory.
    const MAX_PATHS: usize = 2_000;
    let mut paths = Vec::new();
    // The text before each open brace.
    let mut before = vec![String::new()];
    let mut path = String::new();
    let mut closed = false;
    let mut rest = line;
    while let Some(letter) = rest.chars().next() {
        rest = rest.get(letter.len_utf8()..).unwrap_or_default();
        let separates = letter == ',' && rest.starts_with(' ');
        match letter {
            '{' => {
                before.push(path.clone());
                closed = false;
            }
            '}' | ',' if letter == '}' || separates => {
                if !closed && paths.len() < MAX_PATHS {
                    paths.push(path.clone());
                }
                if letter == '}' && before.len() > 1 {
                    before.pop();
                }
                closed = letter == '}';
                if separates {
                    rest = rest.strip_prefix(' ').unwrap_or(rest);
                }
                path = before.last().cloned().unwrap_or_default();
            }
            _ => {
                path.push(letter);
                closed = false;
            }
        }
    }
    if !closed && before.len() == 1 {
        paths.push(path);
    }
    paths.retain(|path| !path.is_empty());
    paths
}

#[cfg(test)]
mod tests;
