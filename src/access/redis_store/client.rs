//! The connection to the shared store: one for all requests, with timeouts and a circuit breaker, reopened after an
//! error.
//!
//! This is not `redis::aio::ConnectionManager`, which keeps a connection after a timeout, and reports a new connection
//! only to clients that speak RESP3.

use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use redis::aio::MultiplexedConnection;
use redis::{AsyncConnectionConfig, Client, Cmd, FromRedisValue, RedisError, ScriptInvocation};
use tokio::sync::Mutex;
use tokio::time::timeout;

use super::address::FleetAddress;
use super::breaker::Breaker;
use crate::access::error::StoreError;
use crate::clock::Clock;

/// Sends concurrent requests over one connection.
pub(crate) struct RedisClient {
    client: Client,
    /// The connection and its number; `None` until the first request and after an error.
    connection: Mutex<Option<(MultiplexedConnection, u64)>>,
    opened: AtomicU64,
    breaker: Breaker,
    clock: Clock,
    timeout: Duration,
}

impl RedisClient {
    /// A client that has not yet connected. `timeout` bounds the wait for a connection and the wait for an answer.
    ///
    /// # Errors
    /// The address cannot be used.
    pub(crate) fn new(address: &FleetAddress, timeout: Duration, clock: Clock) -> Result<Self, StoreError> {
        let action = "use the address of the shared store";
        let client = address.client().map_err(|error| away(action, error.to_string()))?;
        let (connection, opened, breaker) = (Mutex::default(), AtomicU64::new(0), Breaker::default());
        Ok(Self { client, connection, opened, breaker, clock, timeout })
    }

    /// The number of connections opened so far. After a new connection the store may have been restarted.
    pub(super) fn opened(&self) -> u64 {
        self.opened.load(Ordering::SeqCst)
    }

    /// Whether the store answered the last requests.
    pub(super) fn is_up(&self) -> bool {
        !self.breaker.is_open()
    }

    /// Runs a script. `action` says in errors what was tried.
    ///
    /// # Errors
    /// [`StoreError::Away`]: the store does not answer, did not answer a moment ago, or refuses.
    pub(crate) async fn invoke<T: FromRedisValue>(
        &self,
        action: &'static str,
        script: &ScriptInvocation<'_>,
    ) -> Result<T, StoreError> {
        self.request(action, async |connection: &mut MultiplexedConnection| script.invoke_async(connection).await).await
    }

    /// Sends a command.
    ///
    /// # Errors
    /// As [`invoke`](Self::invoke).
    pub(crate) async fn send<T: FromRedisValue>(&self, action: &'static str, command: &Cmd) -> Result<T, StoreError> {
        self.request(action, async |connection: &mut MultiplexedConnection| command.query_async(connection).await).await
    }

    async fn request<T>(
        &self,
        action: &'static str,
        send: impl AsyncFnOnce(&mut MultiplexedConnection) -> Result<T, RedisError>,
    ) -> Result<T, StoreError> {
        let (mut connection, number) = self.connection().await.map_err(|reason| away(action, reason))?;
        let reason = match timeout(self.timeout, send(&mut connection)).await {
            Ok(Ok(answer)) => {
                self.breaker.succeeded();
                return Ok(answer);
            }
            Ok(Err(error)) => error.to_string(),
            Err(_) => "timed out".to_owned(),
        };
        self.breaker.failed(self.clock.monotonic());
        // Another request may have opened a newer connection meanwhile.
        self.connection.lock().await.take_if(|(_, current)| *current == number);
        Err(away(action, reason))
    }

    /// The connection and its number. Of concurrent requests one opens it; if that fails, the others try in turn until
    /// the breaker opens.
    async fn connection(&self) -> Result<(MultiplexedConnection, u64), String> {
        let mut current = self.connection.lock().await;
        if !self.breaker.lets_pass(self.clock.monotonic()) {
            return Err("it did not answer a moment ago".to_owned());
        }
        if let Some(connection) = &*current {
            return Ok(connection.clone());
        }
        let config = AsyncConnectionConfig::new()
            .set_connection_timeout(Some(self.timeout))
            .set_response_timeout(Some(self.timeout));
        let opening = timeout(self.timeout, self.client.get_multiplexed_async_connection_with_config(&config));
        let opened = match opening.await {
            Ok(opened) => opened.map_err(|error| error.to_string()),
            Err(_) => Err("no connection in time".to_owned()),
        };
        let connection = opened.inspect_err(|_| self.breaker.failed(self.clock.monotonic()))?;
        let number = self.opened.fetch_add(1, Ordering::SeqCst) + 1;
        Ok(current.insert((connection, number)).clone())
    }
}

impl fmt::Debug for RedisClient {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("RedisClient").field("breaker", &self.breaker).finish_non_exhaustive()
    }
}

/// An error of the shared store.
pub(super) fn away(action: &'static str, reason: impl Into<Arc<str>>) -> StoreError {
    StoreError::Away { action, reason: reason.into() }
}
