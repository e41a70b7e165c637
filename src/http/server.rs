//! Connections: accepted until told to stop, bounded in how long a head may take, and drained at the end.

use std::time::Duration;

use axum::Router;
use hyper::server::conn::http1;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::server::graceful::GracefulShutdown;
use hyper_util::service::TowerToHyperService;
use tokio::net::{TcpListener, TcpStream};

use super::answering_io::AnsweringIo;

/// Wait after a failed accept, so that a lack of file descriptors does not spin.
const ACCEPT_PAUSE: Duration = Duration::from_millis(100);
/// Header fields that are still parsed, so that a request with too many gets an answer in our own form.
const MOST_FIELDS_PARSED: usize = 400;

/// How long the server waits for what.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Patience {
    /// For the head of a request, and for the next request on an idle connection.
    pub head: Duration,
    /// For requests in flight after `shutdown`.
    pub drain: Duration,
}

/// Serves `router` on `listener` until `shutdown` is ready; then accepts nothing more and returns when the requests in
/// flight are answered, or their time is over.
///
/// It speaks HTTP/1.1 alone: protocol detection has no deadline of its own and would let a silent client hold its
/// connection for ever.
pub async fn serve(listener: TcpListener, router: Router, patience: Patience, shutdown: impl Future<Output = ()>) {
    let connections = GracefulShutdown::new();
    let mut http = http1::Builder::new();
    http.timer(TokioTimer::new()).header_read_timeout(patience.head).max_headers(MOST_FIELDS_PARSED);
    let mut shutdown = std::pin::pin!(shutdown);
    loop {
        tokio::select! {
            accepted = listener.accept() => match accepted {
                Ok((stream, _)) => {
                    let connection = http.serve_connection(prepared(stream), TowerToHyperService::new(router.clone()));
                    let connection = connections.watch(connection);
                    tokio::spawn(async move {
                        if let Err(error) = connection.await {
                            tracing::debug!(%error, "a connection ended early");
                        }
                    });
                }
                Err(error) => {
                    tracing::warn!(%error, "cannot accept a connection");
                    tokio::time::sleep(ACCEPT_PAUSE).await;
                }
            },
            () = &mut shutdown => break,
        }
    }
    drop(listener);
    if tokio::time::timeout(patience.drain, connections.shutdown()).await.is_err() {
        tracing::warn!(
            seconds = patience.drain.as_secs(),
            "requests were still in flight when the time to drain was over"
        );
    }
}

fn prepared(stream: TcpStream) -> TokioIo<AnsweringIo<TcpStream>> {
    // Answers are written in one piece; waiting to fill a segment would only delay them.
    if let Err(error) = stream.set_nodelay(true) {
        tracing::debug!(%error, "a connection keeps Nagle's algorithm");
    }
    TokioIo::new(AnsweringIo::new(stream))
}
