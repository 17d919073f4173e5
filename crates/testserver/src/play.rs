//! Sending a reply in its own time, with an eye on whether the client is still there.

mod plan;

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::net::tcp::{ReadHalf, WriteHalf};

use crate::reply::Reply;
use plan::Step;

pub(crate) use plan::Form;

/// Maximum bytes of further requests that are taken while a reply is sent.
const EARLY_BYTES: usize = 1024 * 1024;

/// How it ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum End {
    Complete,
    /// The script cuts the connection.
    Cut,
    /// The client went away before the last byte.
    HungUp,
}

/// Sends the reply. What the client sends in the meantime goes into the buffer.
pub(crate) async fn play(stream: &mut TcpStream, early: &mut Vec<u8>, reply: &Reply, form: Form) -> End {
    let (mut reader, mut writer) = stream.split();
    for step in plan::plan(reply, form) {
        if matches!(step, Step::Cut) {
            return End::Cut;
        }
        if !take(&mut reader, &mut writer, early, step).await {
            return End::HungUp;
        }
        // Lets what was sent go out as a piece of its own. Not while the client is watched: behind the last byte it
        // may go.
        tokio::task::yield_now().await;
    }
    End::Complete
}

/// Takes one step; whether the client is still there.
async fn take(
    reader: &mut ReadHalf<'_>,
    writer: &mut WriteHalf<'_>,
    early: &mut Vec<u8>,
    step: Step,
) -> bool {
    let work = async {
        match step {
            Step::Send(bytes) => writer.write_all(&bytes).await.is_ok(),
            Step::Wait(wait) => {
                tokio::time::sleep(wait).await;
                true
            }
            Step::Cut => true,
        }
    };
    tokio::pin!(work);
    loop {
        tokio::select! {
            biased;
            read = reader.read_buf(early), if early.len() < EARLY_BYTES => {
                if !matches!(read, Ok(bytes) if bytes > 0) {
                    return false;
                }
            }
            there = &mut work => return there,
        }
    }
}
