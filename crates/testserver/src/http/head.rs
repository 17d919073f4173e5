//! The request line and the headers.

use super::Refusal;
use crate::received::header;

/// What stands before the body.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Head {
    pub(crate) method: String,
    pub(crate) path: String,
    pub(crate) query: String,
    /// Names in lower case.
    pub(crate) headers: Vec<(String, String)>,
    /// Whether the client speaks HTTP/1.0: it knows no chunks.
    pub(crate) old: bool,
}

/// How the end of the body is found.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Length {
    Bytes(u64),
    Chunked,
}

impl Head {
    /// Reads the head; `text` ends before the empty line.
    pub(super) fn parse(text: &[u8]) -> Result<Self, Refusal> {
        let broken = |what: &str| Refusal::new(400, format!("the {what} is not HTTP/1.1"));
        let text = String::from_utf8_lossy(text);
        let mut lines = text.split('\n').map(|line| line.strip_suffix('\r').unwrap_or(line));
        let mut words = lines.next().unwrap_or_default().split(' ');
        let (Some(method), Some(target), Some(version), None) =
            (words.next(), words.next(), words.next(), words.next())
        else {
            return Err(broken("request line"));
        };
        if !matches!(version, "HTTP/1.0" | "HTTP/1.1")
            || !method.bytes().all(|byte| byte.is_ascii_uppercase())
        {
            return Err(broken("request line"));
        }
        let mut headers = Vec::new();
        for line in lines.filter(|line| !line.is_empty()) {
            let (name, value) = line.split_once(':').ok_or_else(|| broken("header"))?;
            let plain = |byte: u8| byte.is_ascii_graphic();
            if name.is_empty() || !name.bytes().all(plain) {
                return Err(broken("header"));
            }
            headers.push((name.to_ascii_lowercase(), value.trim().to_owned()));
        }
        let (path, query) = path_of(target).ok_or_else(|| broken("request line"))?;
        Ok(Self { method: method.to_owned(), path, query, headers, old: version == "HTTP/1.0" })
    }

    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        header(&self.headers, name)
    }

    pub(super) fn length(&self) -> Result<Length, Refusal> {
        if let Some(coding) = self.header("transfer-encoding") {
            return if coding.eq_ignore_ascii_case("chunked") {
                Ok(Length::Chunked)
            } else {
                Err(Refusal::new(400, format!("the transfer coding {coding} is not known here")))
            };
        }
        let lengths: Vec<&str> = self
            .headers
            .iter()
            .filter(|(name, _)| name == "content-length")
            .map(|(_, value)| value.as_str())
            .collect();
        match lengths.as_slice() {
            [] => Ok(Length::Bytes(0)),
            [first, rest @ ..] if rest.iter().all(|other| other == first) => first
                .parse()
                .map(Length::Bytes)
                .map_err(|_| Refusal::new(400, "content-length must be a number of bytes")),
            _ => Err(Refusal::new(400, "the values of content-length differ")),
        }
    }

    /// Returns true if the client wants the connection to end after the answer.
    pub(crate) fn closes(&self) -> bool {
        match self.header("connection") {
            Some(value) if value.eq_ignore_ascii_case("close") => true,
            Some(value) if value.eq_ignore_ascii_case("keep-alive") => false,
            _ => self.old,
        }
    }

    /// Returns true if the client waits for `100 Continue` before it sends the body.
    pub(super) fn expects_word(&self) -> bool {
        self.header("expect").is_some_and(|value| value.eq_ignore_ascii_case("100-continue"))
    }
}

/// Path and query of `/path?query`, or of a whole URL as proxies get it.
fn path_of(target: &str) -> Option<(String, String)> {
    let local = match target.split_once("://") {
        Some((_, rest)) if !target.starts_with('/') => {
            rest.find('/').and_then(|at| rest.get(at..)).unwrap_or("/")
        }
        _ => target,
    };
    let (path, query) = local.split_once('?').unwrap_or((local, ""));
    path.starts_with('/').then(|| (path.to_owned(), query.to_owned()))
}
