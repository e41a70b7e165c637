//! Turns to send what a process reads: few requests at once, and one of each client.

use std::collections::HashSet;
use std::hash::Hash;
use std::sync::Arc;
use std::time::Duration;

use parking_lot::Mutex;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::time::timeout;

/// Requests with a body at once.
pub(crate) const MOST_BODIES: usize = 8;
/// Processes at once.
const MOST_PROCESSES: usize = 2;
/// How long a request waits for a process.
const LONGEST_WAIT: Duration = Duration::from_secs(30);
/// Seconds after which a request that had no turn should be sent again.
pub(crate) const RETRY_SECONDS: u64 = 2;

/// There is no turn at present.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Busy;

/// The turns of clients of the type `K`.
#[derive(Debug)]
pub(crate) struct Turns<K> {
    bodies: Arc<Semaphore>,
    processes: Arc<Semaphore>,
    /// The clients that have a turn.
    clients: Arc<Mutex<HashSet<K>>>,
}

impl<K> Default for Turns<K> {
    fn default() -> Self {
        Self {
            bodies: Arc::new(Semaphore::new(MOST_BODIES)),
            processes: Arc::new(Semaphore::new(MOST_PROCESSES)),
            clients: Arc::default(),
        }
    }
}

impl<K: Clone + Eq + Hash> Turns<K> {
    /// Lets a request of a client send its body, which should not be read before.
    ///
    /// # Errors
    /// The client has another such request, or there are too many of others.
    pub(crate) fn admit(&self, client: &K) -> Result<Turn<K>, Busy> {
        let body = Arc::clone(&self.bodies).try_acquire_owned().map_err(|_| Busy)?;
        if !self.clients.lock().insert(client.clone()) {
            return Err(Busy);
        }
        Ok(Turn {
            client: client.clone(),
            clients: Arc::clone(&self.clients),
            processes: Arc::clone(&self.processes),
            body,
            process: None,
        })
    }
}

/// Permission to send a body and have a process read it, until it is dropped.
#[derive(Debug)]
pub(crate) struct Turn<K: Eq + Hash> {
    client: K,
    clients: Arc<Mutex<HashSet<K>>>,
    processes: Arc<Semaphore>,
    #[expect(dead_code, reason = "held for its drop")]
    body: OwnedSemaphorePermit,
    process: Option<OwnedSemaphorePermit>,
}

impl<K: Eq + Hash> Turn<K> {
    /// The client that has it.
    pub(crate) const fn client(&self) -> &K {
        &self.client
    }

    /// Waits until a process may read the body.
    ///
    /// # Errors
    /// Those of others take too long.
    pub(crate) async fn wait(&mut self) -> Result<(), Busy> {
        let permit = timeout(LONGEST_WAIT, Arc::clone(&self.processes).acquire_owned()).await;
        self.process = Some(permit.map_err(|_| Busy)?.map_err(|_| Busy)?);
        Ok(())
    }
}

impl<K: Eq + Hash> Drop for Turn<K> {
    fn drop(&mut self) {
        self.clients.lock().remove(&self.client);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn a_client_has_one_turn_at_a_time_and_all_have_few() {
        let turns = Turns::default();
        let mut turn = turns.admit(&0).unwrap();
        turn.wait().await.unwrap();
        assert_eq!(turns.admit(&0).unwrap_err(), Busy);
        let others: Vec<Turn<usize>> = (1..MOST_BODIES).map(|client| turns.admit(&client).unwrap()).collect();
        assert_eq!(turns.admit(&MOST_BODIES).unwrap_err(), Busy);
        drop((turn, others));
        assert_eq!(turns.admit(&0).unwrap().client(), &0);
    }
}
