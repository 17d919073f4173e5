//! A client, from its first line to its last.

use std::future::Future;
use std::io::BufRead;
use std::sync::Arc;
use std::time::Duration;

use agent_client_protocol::v1::ConnectionTo;
use agent_client_protocol::v1::schema::{ClientNotification, ClientRequest};
use agent_client_protocol::{Agent, Client, ConnectTo, Lines, Result};
use tokio::io::AsyncWrite;
use tokio::sync::Notify;
use tokio::time::sleep;

use crate::lines::{lines, written};
use crate::options::AcpOptions;
use crate::server::Server;

/// How long the end waits for a client that does not read.
const LAST_LINES: Duration = Duration::from_secs(5);

/// The connection broke. What the sessions have is in their logs.
#[derive(Debug, thiserror::Error)]
#[error("the connection to the client broke: {0}")]
pub struct AcpError(String);

/// Serves one client until it closes one of its sides, or `stop` is ready. Turns that run then are cancelled and recorded, and every
/// session is closed.
///
/// # Errors
/// The streams cannot be read or written. The sessions are closed then, too.
pub async fn serve(
    options: AcpOptions,
    input: impl FnOnce() -> Box<dyn BufRead> + Send + 'static,
    output: impl AsyncWrite + Unpin + Send + 'static,
    stop: impl Future<Output = ()> + Send,
) -> Result<(), AcpError> {
    let server = Arc::new(Server::new(options));
    let (closed, gone) = (Notify::new(), Arc::new(Notify::new()));
    let transport = Lines::new(written(output, Arc::clone(&gone)), lines(input));
    let connected = connect(&server, transport, async |connection: ConnectionTo<Client>| {
        tokio::select! {
            () = connection.incoming_closed() => {}
            () = gone.notified() => {}
            () = stop => {}
        }
        server.end().await;
        closed.notify_one();
        Ok(())
    });
    let unread = async {
        closed.notified().await;
        sleep(LAST_LINES).await;
    };
    let served = tokio::select! {
        served = connected => served,
        () = unread => Ok(()),
    };
    server.end().await;
    served.map_err(|error| AcpError(error.to_string()))
}

async fn connect(
    server: &Arc<Server>,
    transport: impl ConnectTo<Agent> + 'static,
    foreground: impl AsyncFnOnce(ConnectionTo<Client>) -> Result<()>,
) -> Result<()> {
    let (requests, notifications) = (Arc::clone(server), Arc::clone(server));
    Agent
        .v1()
        .name("throughline")
        .on_receive_request(
            async move |request: ClientRequest, responder, connection| {
                requests.receive(request, responder, connection)
            },
            agent_client_protocol::on_receive_request!(),
        )
        .on_receive_notification(
            async move |notification: ClientNotification, _connection| {
                notifications.hear(&notification);
                Ok(())
            },
            agent_client_protocol::on_receive_notification!(),
        )
        .connect_with(transport, foreground)
        .await
}
