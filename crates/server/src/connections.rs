//! Connections of clients: not too many, and none that stays open without a request or does not read its answer.

use std::convert::Infallible;
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use hyper::Request;
use hyper::body::{Body as _, Incoming};
use hyper::header::{CONNECTION, HeaderValue};
use hyper::server::conn::http1;
use hyper::service::{Service as _, service_fn};
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::server::graceful::{GracefulShutdown, Watcher};
use hyper_util::service::TowerToHyperService;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::TcpListener;
use tokio::sync::Semaphore;

use crate::audit::Remote;
use crate::sending::SendingStream;
use crate::streams::Unsent;
use crate::tls::ServerTls;

/// Maximum number of connections at a time. More wait. A browser opens six for each window, and a stream of events is one.
const CONNECTIONS: usize = 512;

/// How long a connection may take to the end of the headers of its next request.
const HEADERS: Duration = Duration::from_secs(10);

/// How long a client may take no byte of its answer.
const STALLED: Duration = Duration::from_secs(20);

/// How long the next connection waits after one could not be accepted.
const PAUSE: Duration = Duration::from_millis(100);

/// Serves connections until `end` is done, and then those with a request until it is answered.
pub(crate) async fn serve(
    listener: TcpListener,
    tls: Option<ServerTls>,
    router: Router,
    end: impl Future<Output = ()>,
) {
    let graceful = GracefulShutdown::new();
    tokio::select! {
        never = accept_all(&listener, tls.as_ref(), &router, &graceful) => match never {},
        () = end => {}
    }
    drop(listener);
    graceful.shutdown().await;
}

async fn accept_all(
    listener: &TcpListener,
    tls: Option<&ServerTls>,
    router: &Router,
    graceful: &GracefulShutdown,
) -> Infallible {
    let open = Arc::new(Semaphore::new(CONNECTIONS));
    loop {
        let permit = Arc::clone(&open).acquire_owned().await;
        let (stream, remote) = match listener.accept().await {
            Ok(accepted) => accepted,
            Err(error) => {
                tracing::warn!(%error, "a connection was not accepted");
                tokio::time::sleep(PAUSE).await;
                continue;
            }
        };
        let (router, remote, watcher) = (router.clone(), Remote(remote.ip()), graceful.watcher());
        let tls = tls.map(ServerTls::acceptor);
        tokio::spawn(async move {
            let _permit = permit;
            let Some(tls) = tls else { return answer(stream, remote, router, watcher).await };
            match tokio::time::timeout(HEADERS, tls.accept(stream)).await {
                Ok(Ok(stream)) => answer(stream, remote, router, watcher).await,
                Ok(Err(error)) => tracing::debug!(%error, "a connection was not encrypted"),
                Err(_) => tracing::debug!("a connection was not encrypted in time"),
            }
        });
    }
}

/// Answers the requests of a connection.
async fn answer(
    stream: impl AsyncRead + AsyncWrite + Unpin + Send + 'static,
    remote: Remote,
    router: Router,
    watcher: Watcher,
) {
    let router = TowerToHyperService::new(router);
    let unsent = Unsent::default();
    let of_requests = unsent.clone();
    let service = service_fn(move |mut request: Request<Incoming>| {
        request.extensions_mut().insert(remote);
        request.extensions_mut().insert(of_requests.clone());
        let has_body = !request.body().is_end_stream();
        let answering = router.call(request);
        async move {
            let mut response = answering.await?;
            // What is left of the body is not read, so that the connection closes; its client must not use it again.
            if has_body && response.status().is_client_error() {
                response.headers_mut().insert(CONNECTION, HeaderValue::from_static("close"));
            }
            Ok::<_, Infallible>(response)
        }
    });
    let mut builder = http1::Builder::new();
    builder.timer(TokioTimer::new()).header_read_timeout(HEADERS);
    let stream = TokioIo::new(SendingStream::new(stream, unsent, STALLED));
    if let Err(error) = watcher.watch(builder.serve_connection(stream, service)).await {
        tracing::debug!(%error, "a connection broke off");
    }
}
