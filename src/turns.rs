//! Turns to send a large body: few requests at once, few of each client, and two whose body is read.
//!
//! The module bounds the memory, the disk and the processes that such bodies take.

use std::collections::HashMap;
use std::hash::Hash;
use std::sync::Arc;
use std::time::Duration;

use parking_lot::Mutex;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::time::timeout;

/// Bodies that are read at once.
const MOST_READ: usize = 2;
/// How long a request waits until its body is read.
const LONGEST_WAIT: Duration = Duration::from_secs(30);
/// Seconds after which a request that had no turn should be sent again.
pub(crate) const RETRY_SECONDS: u64 = 2;

/// There is no turn at present.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Busy;

/// The turns of clients of the type `K`.
#[derive(Debug)]
pub(crate) struct Turns<K> {
    sending: Arc<Semaphore>,
    reading: Arc<Semaphore>,
    /// How many turns a client may have.
    most_of_client: usize,
    /// How many turns the clients have that have any.
    clients: Arc<Mutex<HashMap<K, usize>>>,
}

impl<K: Clone + Eq + Hash> Turns<K> {
    /// Turns for `most` requests at once, and for `most_of_client` of each client.
    pub(crate) fn new(most: usize, most_of_client: usize) -> Self {
        Self {
            sending: Arc::new(Semaphore::new(most)),
            reading: Arc::new(Semaphore::new(MOST_READ)),
            most_of_client,
            clients: Arc::default(),
        }
    }

    /// Lets a request of a client send its body, which should not be read before.
    ///
    /// # Errors
    /// The client has too many such requests, or all clients have.
    pub(crate) fn admit(&self, client: &K) -> Result<Turn<K>, Busy> {
        let sending = Arc::clone(&self.sending).try_acquire_owned().map_err(|_| Busy)?;
        let mut clients = self.clients.lock();
        let turns = clients.get(client).copied().unwrap_or(0);
        if turns == self.most_of_client {
            return Err(Busy);
        }
        clients.insert(client.clone(), turns + 1);
        Ok(Turn {
            client: client.clone(),
            clients: Arc::clone(&self.clients),
            to_read: Arc::clone(&self.reading),
            sending,
            reading: None,
        })
    }
}

/// Permission to send a body and have it read, until it is dropped.
#[derive(Debug)]
pub(crate) struct Turn<K: Eq + Hash> {
    client: K,
    clients: Arc<Mutex<HashMap<K, usize>>>,
    to_read: Arc<Semaphore>,
    #[expect(dead_code, reason = "held for its drop")]
    sending: OwnedSemaphorePermit,
    reading: Option<OwnedSemaphorePermit>,
}

impl<K: Eq + Hash> Turn<K> {
    /// The client that has it.
    pub(crate) const fn client(&self) -> &K {
        &self.client
    }

    /// Waits until the body may be read.
    ///
    /// # Errors
    /// Those of others take too long.
    pub(crate) async fn wait(&mut self) -> Result<(), Busy> {
        let permit = timeout(LONGEST_WAIT, Arc::clone(&self.to_read).acquire_owned()).await;
        self.reading = Some(permit.map_err(|_| Busy)?.map_err(|_| Busy)?);
        Ok(())
    }
}

impl<K: Eq + Hash> Drop for Turn<K> {
    fn drop(&mut self) {
        let mut clients = self.clients.lock();
        match clients.get_mut(&self.client) {
            Some(turns) if *turns > 1 => *turns -= 1,
            _ => drop(clients.remove(&self.client)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn a_client_has_few_turns_at_a_time_and_all_have_few() {
        let turns = Turns::new(8, 2);
        let mut turn = turns.admit(&0).unwrap();
        turn.wait().await.unwrap();
        let second = turns.admit(&0).unwrap();
        assert_eq!(turns.admit(&0).unwrap_err(), Busy);
        let others: Vec<Turn<usize>> = (1..7).map(|client| turns.admit(&client).unwrap()).collect();
        assert_eq!(turns.admit(&8).unwrap_err(), Busy);
        drop(turn);
        let turn = turns.admit(&0).unwrap();
        assert_eq!(turn.client(), &0);
        drop((turn, second, others));
        assert!(turns.clients.lock().is_empty());
    }

    #[tokio::test]
    async fn two_bodies_are_read_at_a_time() {
        let turns = Turns::new(8, 8);
        let mut waiting: Vec<Turn<usize>> = (0..3).map(|_| turns.admit(&0).unwrap()).collect();
        waiting[0].wait().await.unwrap();
        waiting[1].wait().await.unwrap();
        assert!(timeout(Duration::from_millis(10), waiting[2].wait()).await.is_err(), "it waits");
        waiting.remove(0);
        assert_eq!(waiting[1].wait().await, Ok(()));
    }
}
