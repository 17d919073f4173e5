//! Connections of clients: not too many, and none that stays open without a request.

use std::convert::Infallible;
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use hyper::server::conn::http1;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::server::graceful::GracefulShutdown;
use hyper_util::service::TowerToHyperService;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::Semaphore;

/// Maximum number of connections at a time. More wait. A browser opens six for each window, and a stream of events is one.
const CONNECTIONS: usize = 512;

/// How long a connection may take to the end of the headers of its next request.
const HEADERS: Duration = Duration::from_secs(10);

/// How long the next connection waits after one could not be accepted.
const PAUSE: Duration = Duration::from_millis(100);

/// Serves connections until `stop` is done, and then those with a request until it is answered.
pub(crate) async fn serve(listener: TcpListener, router: Router, stop: impl Future<Output = ()>) {
    let graceful = GracefulShutdown::new();
    tokio::select! {
        never = accept_all(&listener, &router, &graceful) => match never {},
        () = stop => {}
    }
    drop(listener);
    graceful.shutdown().await;
}

async fn accept_all(listener: &TcpListener, router: &Router, graceful: &GracefulShutdown) -> Infallible {
    let open = Arc::new(Semaphore::new(CONNECTIONS));
    loop {
        let permit = Arc::clone(&open).acquire_owned().await;
        let stream: TcpStream = match listener.accept().await {
            Ok((stream, _)) => stream,
            Err(error) => {
                tracing::warn!(%error, "a connection was not accepted");
                tokio::time::sleep(PAUSE).await;
                continue;
            }
        };
        let service = TowerToHyperService::new(router.clone());
        let mut builder = http1::Builder::new();
        builder.timer(TokioTimer::new()).header_read_timeout(HEADERS);
        let connection = graceful.watch(builder.serve_connection(TokioIo::new(stream), service));
        tokio::spawn(async move {
            let _permit = permit;
            if let Err(error) = connection.await {
                tracing::debug!(%error, "a connection broke off");
            }
        });
    }
}
