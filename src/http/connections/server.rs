//! Accepts connections up to a limit, limits their waits, and drains them at shutdown.

use std::convert::Infallible;
use std::io;
use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use axum::Router;
use axum::http::HeaderValue;
use axum::http::header::CONNECTION;
use axum::middleware::from_fn;
use hyper::server::conn::http1;
use hyper::service::{Service as _, service_fn};
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::server::graceful::GracefulShutdown;
use hyper_util::service::TowerToHyperService;
use tokio::net::{TcpListener, TcpSocket, TcpStream};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use super::timeout_stream::{ConnectionState, TimeoutStream, Timeouts};
use crate::http::errors::table::ApiError;
use crate::http::responses::response_headers::{X_PROCESS_TIME, name_request};
use crate::telemetry;

/// Bytes of a connection that the kernel takes before they can be sent.
#[cfg(target_os = "linux")]
const MOST_UNSENT: u32 = 128 << 10;
/// Connections that the system keeps until the server accepts them.
const BACKLOG: u32 = 1024;
/// Wait after a failed accept, so that a lack of file descriptors does not spin.
const ACCEPT_PAUSE: Duration = Duration::from_millis(100);
/// Largest head of a request, in bytes. hyper answers a larger one with 431.
const LARGEST_HEAD: usize = 32 * 1024;
/// Connections above the limit that get a 503 at the same time. Others are closed without an answer.
const MOST_REFUSED_AT_ONCE: usize = 64;
/// The reason for these refusals, in metrics.
const NO_CONNECTION: &str = "connections";
/// Longest time that one refusal may take.
const REFUSAL_TIMEOUT: Duration = Duration::from_secs(1);

/// The limits of a listener and of its connections.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ListenerConfig {
    /// Its name in metrics.
    pub listener: &'static str,
    /// Most open connections.
    pub connections: usize,
    /// Time limits of each connection.
    pub timeouts: Timeouts,
    /// Time after `shutdown` in which connections are still accepted, so that load balancers can notice that the
    /// service is not ready any more.
    pub notice: Duration,
    /// Longest time for requests in flight after that.
    pub drain: Duration,
}

/// The state that all connections of a listener share.
struct Listening {
    config: ListenerConfig,
    router: Router,
    /// Answers connections above the limit.
    refusals: Router,
    http: http1::Builder,
    connections: GracefulShutdown,
    free_connections: Arc<Semaphore>,
    free_refusals: Arc<Semaphore>,
    /// Whether responses end their connections.
    is_closing: Arc<AtomicBool>,
}

/// Listens on `address`. Must be called in a tokio runtime.
///
/// # Errors
/// When the address cannot be listened on.
pub fn listen(address: SocketAddr) -> io::Result<TcpListener> {
    let socket = if address.is_ipv4() { TcpSocket::new_v4() } else { TcpSocket::new_v6() }?;
    // Elsewhere this would let another program take the address.
    #[cfg(not(windows))]
    socket.set_reuseaddr(true)?;
    socket.bind(address)?;
    socket.listen(BACKLOG)
}

/// Serves `router` on `listener` until `shutdown` is ready. Then it accepts connections for `notice`, finishes the
/// requests in flight for at most `drain`, and returns.
///
/// It speaks only HTTP/1.1: protocol detection has no time limit, so a silent client could keep its connection for
/// ever.
pub async fn serve(listener: TcpListener, router: Router, config: ListenerConfig, shutdown: impl Future<Output = ()>) {
    let mut http = http1::Builder::new();
    // `TimeoutStream` limits the waits: hyper's own limit counts an idle connection as a slow head.
    http.timer(TokioTimer::new()).header_read_timeout(None).max_buf_size(LARGEST_HEAD);
    // A client that closes its sending side still gets its response. `TimeoutStream` detects one that hung up.
    http.half_close(true);
    let listening = Listening {
        config,
        router,
        refusals: refusals(),
        http,
        connections: GracefulShutdown::new(),
        free_connections: Arc::new(Semaphore::new(config.connections)),
        free_refusals: Arc::new(Semaphore::new(MOST_REFUSED_AT_ONCE)),
        is_closing: Arc::default(),
    };
    listening.accept_until(&listener, shutdown).await;
    listening.is_closing.store(true, Ordering::Relaxed);
    listening.accept_until(&listener, tokio::time::sleep(config.notice)).await;
    listening.accept_waiting(&listener).await;
    drop(listener);
    if tokio::time::timeout(config.drain, listening.connections.shutdown()).await.is_err() {
        let seconds = config.drain.as_secs();
        tracing::warn!(seconds, "requests were still in flight when the time to drain was over");
    }
}

impl Listening {
    async fn accept_until(&self, listener: &TcpListener, end: impl Future<Output = ()>) {
        let mut end = std::pin::pin!(end);
        loop {
            tokio::select! {
                accepted = listener.accept() => match accepted {
                    Ok((stream, _)) => self.admit(stream),
                    Err(error) => {
                        tracing::warn!(%error, "cannot accept a connection");
                        tokio::time::sleep(ACCEPT_PAUSE).await;
                    }
                },
                () = &mut end => break,
            }
        }
    }

    /// Accepts the connections that the system keeps: closing the listener would reset them.
    async fn accept_waiting(&self, listener: &TcpListener) {
        while let Ok(Ok((stream, _))) = tokio::time::timeout(Duration::ZERO, listener.accept()).await {
            self.admit(stream);
        }
    }

    fn admit(&self, stream: TcpStream) {
        if let Ok(permit) = Arc::clone(&self.free_connections).try_acquire_owned() {
            self.serve_connection(stream, permit);
        } else {
            telemetry::shed(NO_CONNECTION);
            if let Ok(permit) = Arc::clone(&self.free_refusals).try_acquire_owned() {
                self.refuse_connection(stream, permit);
            }
        }
    }

    fn serve_connection(&self, stream: TcpStream, permit: OwnedSemaphorePermit) {
        let state = ConnectionState::new(self.config.timeouts);
        // Responses are written in one piece. Waiting to fill a segment would only delay them.
        if let Err(error) = stream.set_nodelay(true) {
            tracing::debug!(%error, "a connection keeps Nagle's algorithm");
        }
        // Otherwise a slow client's megabytes of buffer in the kernel would seem to be a client that does not read at all.
        #[cfg(target_os = "linux")]
        if let Err(error) = socket2::SockRef::from(&stream).set_tcp_notsent_lowat(MOST_UNSENT) {
            tracing::debug!(%error, "the kernel takes more bytes of a response than its client can be sent");
        }
        let stream = TimeoutStream::new(stream, Arc::clone(&state));
        let (router, is_closing) = (TowerToHyperService::new(self.router.clone()), Arc::clone(&self.is_closing));
        let service = service_fn(move |request| {
            state.wait_for_response();
            let answering = router.call(request);
            let (state, is_closing) = (Arc::clone(&state), Arc::clone(&is_closing));
            async move {
                let mut answer = answering.await?;
                if is_closing.load(Ordering::Relaxed) {
                    answer.headers_mut().insert(CONNECTION, HeaderValue::from_static("close"));
                }
                state.wait_for_request();
                Ok::<_, Infallible>(answer)
            }
        });
        let connection = self.http.serve_connection(TokioIo::new(stream), service);
        let connection = self.connections.watch(connection);
        telemetry::connection_opened(self.config.listener);
        let counted = Counted(self.config.listener);
        tokio::spawn(async move {
            if let Err(error) = connection.await {
                tracing::debug!(%error, "a connection ended early");
            }
            drop((permit, counted));
        });
    }

    /// Answers the first request of a connection above the limit with 503, and closes the connection.
    fn refuse_connection(&self, stream: TcpStream, permit: OwnedSemaphorePermit) {
        let refusals = TowerToHyperService::new(self.refusals.clone());
        let connection = self.http.serve_connection(TokioIo::new(stream), refusals);
        tokio::spawn(async move {
            // A client that is too slow gets no answer.
            let _ = tokio::time::timeout(REFUSAL_TIMEOUT, connection).await;
            drop(permit);
        });
    }
}

/// An open connection, in the metrics.
struct Counted(&'static str);

impl Drop for Counted {
    fn drop(&mut self) {
        telemetry::connection_closed(self.0);
    }
}

/// Answers every request with 503 and ends its connection.
fn refusals() -> Router {
    let refuse = async || {
        let headers = [(CONNECTION, "close"), (X_PROCESS_TIME, "0.000")];
        (headers, ApiError::Overloaded { retry_after_seconds: 1, reason: NO_CONNECTION })
    };
    Router::new().fallback(refuse).layer(from_fn(name_request))
}
