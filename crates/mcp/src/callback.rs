//! The redirect at the end of a login: a few lines of HTTP on the loopback interface.

use std::io;
use std::time::Duration;

use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};
use tokio::task::AbortHandle;
use tokio::time::timeout;

/// The path of the redirect.
const PATH: &str = "/callback";
/// Maximum bytes of a request's head. A code may be long.
const HEAD: usize = 32 * 1024;
/// Time that a browser has to send its request, and to read the page.
const LIMIT: Duration = Duration::from_secs(10);

/// Waits for redirects on a port of 127.0.0.1 until it is dropped.
#[derive(Debug)]
pub(crate) struct Callbacks {
    port: u16,
    received: UnboundedReceiver<Callback>,
    accepting: AbortHandle,
}

/// A request with a redirect, which waits for its page.
#[derive(Debug)]
pub(crate) struct Callback {
    /// What follows `?`.
    pub(crate) query: String,
    stream: TcpStream,
}

/// The page that ends a login in the browser. The terminal says more.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Page {
    /// There is a login.
    Done,
    /// The login failed.
    Failed,
    /// The redirect is of another login.
    Foreign,
    /// The request is not a redirect.
    Missing,
}

impl Callbacks {
    /// Listens on this port, or on any that is free.
    ///
    /// # Errors
    /// The port is taken.
    pub(crate) async fn listen(port: Option<u16>) -> io::Result<Self> {
        let listener = TcpListener::bind(("127.0.0.1", port.unwrap_or(0))).await?;
        let port = listener.local_addr()?.port();
        let (sender, received) = unbounded_channel();
        let accepting = tokio::spawn(accept(listener, sender)).abort_handle();
        Ok(Self { port, received, accepting })
    }

    pub(crate) fn port(&self) -> u16 {
        self.port
    }

    /// The address of the redirect.
    pub(crate) fn address(&self) -> String {
        format!("http://127.0.0.1:{}{PATH}", self.port)
    }

    /// The next redirect, of whatever login.
    pub(crate) async fn next(&mut self) -> Option<Callback> {
        self.received.recv().await
    }
}

impl Drop for Callbacks {
    fn drop(&mut self) {
        self.accepting.abort();
    }
}

impl Callback {
    /// Answers with a page. A browser that is gone needs none.
    pub(crate) async fn answer(self, page: Page) {
        let _ = timeout(LIMIT, write(self.stream, page)).await;
    }
}

impl Page {
    fn status(self) -> &'static str {
        match self {
            Self::Done => "200 OK",
            Self::Failed | Self::Foreign => "400 Bad Request",
            Self::Missing => "404 Not Found",
        }
    }

    fn text(self) -> &'static str {
        match self {
            Self::Done => "You are logged in. You can close this page and return to throughline.",
            Self::Failed => "The login failed. Throughline says why.",
            Self::Foreign => {
                "This is not the login that throughline waits for. Open the address that it shows."
            }
            Self::Missing => "There is nothing here.",
        }
    }
}

/// Each connection has a task of its own: a browser opens some that it never uses.
async fn accept(listener: TcpListener, sender: UnboundedSender<Callback>) {
    loop {
        match listener.accept().await {
            Ok((stream, _)) => drop(tokio::spawn(receive(stream, sender.clone()))),
            // There are too many open files; some are closed after a while.
            Err(_) => tokio::time::sleep(Duration::from_millis(100)).await,
        }
    }
}

async fn receive(mut stream: TcpStream, sender: UnboundedSender<Callback>) {
    let Ok(Some(head)) = timeout(LIMIT, head(&mut stream)).await else { return };
    let target = head.strip_prefix("GET ").and_then(|rest| rest.split(' ').next());
    match target.and_then(|target| target.strip_prefix(PATH)?.strip_prefix('?')) {
        Some(query) => drop(sender.send(Callback { query: query.to_owned(), stream })),
        None => drop(timeout(LIMIT, write(stream, Page::Missing)).await),
    }
}

/// The head of a request; `None` if it is too long or no text.
async fn head(stream: &mut TcpStream) -> Option<String> {
    let mut read = Vec::new();
    let mut part = [0; 2048];
    while !read.windows(4).any(|end| end == b"\r\n\r\n") {
        let count = stream.read(&mut part).await.ok().filter(|count| *count > 0)?;
        read.extend_from_slice(part.get(..count)?);
        if read.len() > HEAD {
            return None;
        }
    }
    String::from_utf8(read).ok()
}

async fn write(mut stream: TcpStream, page: Page) -> io::Result<()> {
    let body = format!(
        "<!doctype html><html lang=\"en\"><meta charset=\"utf-8\"><title>throughline</title>\
         <body style=\"font: 1.2em sans-serif; margin: 4em\"><p>{}</p></body></html>\n",
        page.text()
    );
    let head = format!(
        "HTTP/1.1 {}\r\ncontent-type: text/html; charset=utf-8\r\ncontent-length: {}\r\ncache-control: no-store\r\n\
         referrer-policy: no-referrer\r\ncontent-security-policy: default-src 'none'; style-src 'unsafe-inline'\r\n\
         connection: close\r\n\r\n",
        page.status(),
        body.len()
    );
    stream.write_all(head.as_bytes()).await?;
    stream.write_all(body.as_bytes()).await?;
    stream.shutdown().await
}
