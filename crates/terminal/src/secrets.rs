//! Secrets that do not belong into a log.

use throughline_tools::is_secret_name;

/// Shortest value of a variable that is taken for a secret.
const SECRET_BYTES: usize = 8;

/// What is shown instead of a secret.
const HIDDEN: &str = "[secret]";

/// What a secret follows, in lower case.
const MARKS: [&str; 6] = ["bearer ", "token=", "api_key=", "apikey=", "key=", "password="];

/// Hides secrets in lines: values of variables, what follows `Bearer`, `token=` and the like, and passwords in addresses.
#[derive(Clone, Default)]
pub struct SecretFilter(Vec<String>);

impl SecretFilter {
    /// With the values of variables whose names say that they are secret.
    #[must_use]
    pub fn of_environment() -> Self {
        let secret = |name: &str| is_secret_name(name) || name.to_ascii_uppercase().contains("KEY");
        let values = std::env::vars_os()
            .filter_map(|(name, value)| Some((name.into_string().ok()?, value.into_string().ok()?)))
            .filter(|(name, value)| secret(name) && value.len() >= SECRET_BYTES)
            .map(|(_, value)| value);
        Self(values.collect())
    }

    /// The line without secrets.
    #[must_use]
    pub fn hide(&self, line: &str) -> String {
        let mut line = line.to_owned();
        for secret in &self.0 {
            line = line.replace(secret.as_str(), HIDDEN);
        }
        MARKS.iter().for_each(|mark| hide_after(mark, &mut line));
        hide_passwords(&mut line);
        line
    }
}

impl std::fmt::Debug for SecretFilter {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        out.debug_tuple("SecretFilter").field(&self.0.len()).finish()
    }
}

/// Hides the word after each occurrence of a mark.
fn hide_after(mark: &str, line: &mut String) {
    let mut from = 0;
    while let Some(at) = line.to_ascii_lowercase().get(from..).and_then(|rest| rest.find(mark)) {
        let start = from + at + mark.len();
        let ends =
            |letter: char| letter.is_whitespace() || matches!(letter, '"' | '&' | '\'' | ',' | ')' | '\\');
        let rest = line.get(start..).unwrap_or_default();
        let end = start + rest.find(ends).unwrap_or(rest.len());
        line.replace_range(start..end, HIDDEN);
        from = start + HIDDEN.len();
    }
}

/// Hides the password of each address.
fn hide_passwords(line: &mut String) {
    let mut from = 0;
    while let Some(at) = line.get(from..).and_then(|rest| rest.find("://")) {
        let start = from + at + 3;
        let rest = line.get(start..).unwrap_or_default();
        let host = rest
            .find(|letter: char| letter == '/' || letter.is_whitespace() || letter == '"')
            .unwrap_or(rest.len());
        let password = rest.get(..host).and_then(|part| part.rfind('@')).zip(rest.find(':'));
        if let Some((end, colon)) = password.filter(|(end, colon)| colon < end) {
            line.replace_range(start + colon + 1..start + end, HIDDEN);
        }
        from = start;
    }
}

#[cfg(test)]
mod tests;
