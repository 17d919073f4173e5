//! A browser of a few lines, for logins.

use std::io::{Read as _, Write as _};
use std::net::TcpStream;

/// The answer to a browser that opens this address, with its head.
pub(crate) fn browse(url: &str) -> String {
    let (host, path) = url.strip_prefix("http://").unwrap().split_once('/').unwrap();
    let mut stream = TcpStream::connect(host).unwrap();
    write!(stream, "GET /{path} HTTP/1.1\r\nhost: {host}\r\nconnection: close\r\n\r\n").unwrap();
    let mut page = String::new();
    stream.read_to_string(&mut page).unwrap();
    page
}

/// The user agrees on the page at this address: where the authorization server sends the browser.
#[track_caller]
pub(crate) fn agree(url: &str) -> String {
    let page = browse(url);
    let (_, rest) = page.split_once("location: ").unwrap_or_else(|| panic!("no redirect from {url}: {page}"));
    rest.lines().next().unwrap().to_owned()
}
