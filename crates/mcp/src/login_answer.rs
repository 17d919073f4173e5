//! What an authorization server answers to a login, by the redirect or as pasted by the user.

use reqwest::Url;

/// The answer to one login.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum LoginAnswer {
    /// The code, which is exchanged for tokens.
    Code {
        /// The code.
        code: String,
        /// The authorization server that says it gave it.
        issuer: Option<String>,
    },
    /// The user or the server said no; the text is the server's.
    Refused(String),
    /// It belongs to another login. The text is for the user.
    Foreign(&'static str),
}

/// Anyone on this machine can open the redirect, and a page on the web can send a browser there. Only who was sent to the
/// authorization server knows the state.
const OTHER_STATE: &str = "An answer with another `state` came and was ignored: it belongs to another login.";
const NO_CODE: &str =
    "That has no code. Paste the whole address that the browser was sent to, or the value of `code` in it.";

impl LoginAnswer {
    /// Reads the query of a redirect.
    pub(crate) fn of_query(query: &str, state: &str) -> Self {
        let Ok(url) = Url::parse(&format!("http://127.0.0.1/?{query}")) else {
            return Self::Foreign(NO_CODE);
        };
        let value = |wanted: &str| {
            url.query_pairs().find(|(name, _)| name == wanted).map(|(_, value)| value.into_owned())
        };
        if value("state").as_deref() != Some(state) {
            return Self::Foreign(OTHER_STATE);
        }
        if let Some(error) = value("error") {
            let why = value("error_description").map_or_else(String::new, |text| format!(" ({text})"));
            return Self::Refused(format!("{error}{why}"));
        }
        match value("code").filter(|code| !code.is_empty()) {
            Some(code) => Self::Code { code, issuer: value("iss") },
            None => Self::Foreign(NO_CODE),
        }
    }

    /// Reads what a user pasted: the address of the redirect, its query, or the code alone, which the user vouches for.
    pub(crate) fn of_paste(text: &str, state: &str) -> Self {
        let text = text.trim().trim_matches(['"', '\'', '<', '>']);
        match text.split_once('?') {
            Some((_, query)) => Self::of_query(query.split('#').next().unwrap_or_default(), state),
            None if text.contains("code=") => Self::of_query(text, state),
            None if text.is_empty() || text.contains("://") || text.contains(char::is_whitespace) => {
                Self::Foreign(NO_CODE)
            }
            None => Self::Code { code: text.to_owned(), issuer: None },
        }
    }
}

#[cfg(test)]
mod tests;
