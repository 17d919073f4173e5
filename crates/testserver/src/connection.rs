//! One connection: a request, its reply, the next request.

use std::sync::Arc;
use std::time::Duration;

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

use crate::http::{self, Incoming};
use crate::play::{End, Form, play};
use crate::route;
use crate::state::State;

/// How long a client may continue to send what is not read, so that it still reads the answer.
const LINGER: Duration = Duration::from_secs(2);

/// Serves until the client, the script or an unreadable request ends the connection.
pub(crate) async fn serve(mut stream: TcpStream, state: Arc<State>) {
    // Small pieces are sent at once. Without it they arrive later and together, but whole.
    let _ = stream.set_nodelay(true);
    let mut buffer = Vec::new();
    loop {
        let (index, reply, form) = match http::read(&mut stream, &mut buffer).await {
            Incoming::End => return,
            Incoming::Request(request) => {
                let form = Form {
                    head_only: request.head.method == "HEAD",
                    chunks: !request.head.old,
                    closes: request.head.closes(),
                };
                let (index, reply) = route::answer(&state, &request);
                // Without chunks only the end of the connection ends a stream.
                let closes = form.closes || reply.closes || (reply.streams && !form.chunks);
                (Some(index), reply, Form { closes, ..form })
            }
            Incoming::Refused(head, refusal) => {
                let index = head
                    .map(|head| state.note(&head, 0, serde_json::Value::Null, vec![refusal.message.clone()]));
                (index, refusal.reply(), Form { head_only: false, chunks: false, closes: true })
            }
        };
        tracing::debug!(status = reply.status, "answers");
        match play(&mut stream, &mut buffer, &reply, form).await {
            End::HungUp => {
                if let Some(index) = index {
                    state.hung_up(index);
                }
                return;
            }
            End::Cut => break,
            End::Complete if form.closes => break,
            End::Complete => {}
        }
    }
    end(&mut stream).await;
}

/// Closes without losing what is still being sent: unread bytes would make the system drop it.
async fn end(stream: &mut TcpStream) {
    if stream.shutdown().await.is_err() {
        return;
    }
    let drain = async {
        let mut waste = vec![0; 16 * 1024];
        while matches!(stream.read(&mut waste).await, Ok(bytes) if bytes > 0) {}
    };
    // When the time is over the client gets the reset that it asked for.
    let _ = tokio::time::timeout(LINGER, drain).await;
}
