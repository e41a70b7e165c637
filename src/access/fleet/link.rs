//! The connection to the shared store: one for all, bounded in time, reopened after a failure.

use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use redis::aio::MultiplexedConnection;
use redis::{AsyncConnectionConfig, Client, FromRedisValue, RedisError, ScriptInvocation};
use tokio::sync::Mutex;
use tokio::time::timeout;

use super::address::FleetAddress;
use super::breaker::Breaker;
use crate::access::error::StoreError;
use crate::clock::Clock;

/// Sends to the store what many callers ask at the same time, over one connection in turn.
pub(super) struct Link {
    client: Client,
    connection: Mutex<Connection>,
    opened: AtomicU64,
    breaker: Breaker,
    clock: Clock,
    patience: Duration,
}

/// The connection, where there is one.
#[derive(Default)]
struct Connection {
    open: Option<MultiplexedConnection>,
    /// The last attempt to open one, if it failed, for those who waited for it.
    failure: Option<(Instant, String)>,
}

impl Link {
    /// A link that has not yet connected. `patience` is the longest wait for a connection and for an answer, each.
    ///
    /// # Errors
    /// The address is none that can be connected to.
    pub(super) fn new(address: &FleetAddress, patience: Duration, clock: Clock) -> Result<Self, StoreError> {
        let client = address.client().map_err(away("use the address of the shared store"))?;
        let (connection, opened, breaker) = (Mutex::default(), AtomicU64::new(0), Breaker::default());
        Ok(Self { client, connection, opened, breaker, clock, patience })
    }

    /// Connections opened so far: one more is a store that may have been started anew.
    pub(super) fn opened(&self) -> u64 {
        self.opened.load(Ordering::SeqCst)
    }

    /// Whether the store answers, as far as is known.
    pub(super) fn is_up(&self) -> bool {
        !self.breaker.is_open()
    }

    /// Runs a script.
    ///
    /// # Errors
    /// The store is away, was a moment ago, or refuses; `action` says what was wanted.
    pub(super) async fn invoke<T: FromRedisValue>(
        &self,
        action: &'static str,
        script: &ScriptInvocation<'_>,
    ) -> Result<T, StoreError> {
        self.ask(action, async |connection: &mut MultiplexedConnection| script.invoke_async(connection).await).await
    }

    /// Sends a command.
    ///
    /// # Errors
    /// As [`invoke`](Self::invoke).
    pub(super) async fn send<T: FromRedisValue>(
        &self,
        action: &'static str,
        command: &redis::Cmd,
    ) -> Result<T, StoreError> {
        self.ask(action, async |connection: &mut MultiplexedConnection| command.query_async(connection).await).await
    }

    async fn ask<T>(
        &self,
        action: &'static str,
        ask: impl AsyncFnOnce(&mut MultiplexedConnection) -> Result<T, RedisError>,
    ) -> Result<T, StoreError> {
        if !self.breaker.lets_pass(self.clock.monotonic()) {
            return Err(StoreError::Away { action, reason: "it did not answer a moment ago".into() });
        }
        let (mut connection, number) = self.connected().await.map_err(|reason| self.failed(action, reason))?;
        let outcome = match timeout(self.patience, ask(&mut connection)).await {
            Ok(outcome) => outcome,
            Err(_) => Err(RedisError::from(std::io::Error::from(std::io::ErrorKind::TimedOut))),
        };
        match outcome {
            Ok(answer) => {
                self.breaker.succeeded();
                Ok(answer)
            }
            Err(error) => {
                self.give_up(number).await;
                Err(self.failed(action, error.to_string()))
            }
        }
    }

    /// The connection and its number; one caller opens it for all that wait.
    async fn connected(&self) -> Result<(MultiplexedConnection, u64), String> {
        let asked_at = self.clock.monotonic();
        let mut connection = self.connection.lock().await;
        if let Some(open) = connection.open.as_ref() {
            return Ok((open.clone(), self.opened()));
        }
        if let Some((_, reason)) = connection.failure.as_ref().filter(|(failed_at, _)| *failed_at > asked_at) {
            return Err(reason.clone());
        }
        let config = AsyncConnectionConfig::new()
            .set_connection_timeout(Some(self.patience))
            .set_response_timeout(Some(self.patience));
        let opening = timeout(self.patience, self.client.get_multiplexed_async_connection_with_config(&config));
        let opened = match opening.await {
            Ok(opened) => opened.map_err(|error| error.to_string()),
            Err(_) => Err("no connection in time".to_owned()),
        };
        match opened {
            Ok(open) => {
                *connection = Connection { open: Some(open.clone()), failure: None };
                Ok((open, self.opened.fetch_add(1, Ordering::SeqCst) + 1))
            }
            Err(reason) => {
                connection.failure = Some((self.clock.monotonic(), reason.clone()));
                Err(reason)
            }
        }
    }

    /// Drops the connection of this number, if another caller has not opened a newer one.
    async fn give_up(&self, number: u64) {
        let mut connection = self.connection.lock().await;
        if self.opened() == number {
            connection.open = None;
        }
    }

    fn failed(&self, action: &'static str, reason: String) -> StoreError {
        self.breaker.failed(self.clock.monotonic());
        StoreError::Away { action, reason: Arc::from(reason) }
    }
}

impl fmt::Debug for Link {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("Link").field("breaker", &self.breaker).finish_non_exhaustive()
    }
}

/// For `map_err` on calls before there is a link.
pub(super) fn away(action: &'static str) -> impl Fn(RedisError) -> StoreError + Copy {
    move |error| StoreError::Away { action, reason: error.to_string().into() }
}
