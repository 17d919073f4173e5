//! HTTP by hand, for servers that do what our test server does not.

use std::io::{Read, Write};
use std::net::TcpStream;

/// Reads a request to its end. Gives its first line.
pub(crate) fn asked(stream: &mut TcpStream) -> String {
    let (mut head, mut byte) = (Vec::new(), [0]);
    while !head.ends_with(b"\r\n\r\n") && stream.read(&mut byte).unwrap() == 1 {
        head.push(byte[0]);
    }
    let head = String::from_utf8(head).unwrap().to_lowercase();
    let length = head.lines().find_map(|line| line.strip_prefix("content-length:"));
    let length: usize = length.map_or(0, |length| length.trim().parse().unwrap());
    stream.read_exact(&mut vec![0; length]).unwrap();
    head.lines().next().unwrap_or_default().to_owned()
}

/// Answers with this status and body, and closes the connection.
pub(crate) fn answer(mut stream: TcpStream, status: &str, body: &str) {
    let head = format!("HTTP/1.1 {status}\r\ncontent-type: application/json\r\nconnection: close");
    write!(stream, "{head}\r\ncontent-length: {}\r\n\r\n{body}", body.len()).unwrap();
}
