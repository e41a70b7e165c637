//! A pool of large memory blocks for copies of pages.
//!
//! jemalloc's first arena returns blocks of 8 MiB and more to the kernel at once, and page faults take four times as
//! long as the copy. No setting changes that: the arena is made before `oversize_threshold` is read. With
//! `oversize_threshold:0` a block of 20 MiB takes 0.6 ms on a thread of another arena, but still 20 ms on one of the
//! first.

use std::sync::{Arc, Mutex, PoisonError};

use bytes::Bytes;

/// Smallest block that the allocator does not keep.
const LARGE: usize = 8 << 20;

/// Free blocks, least recently used first. Lent blocks return on drop.
#[derive(Debug)]
pub(super) struct StagingPool {
    blocks: Mutex<Vec<Vec<u8>>>,
    /// Most bytes of free blocks.
    budget: usize,
}

/// A lent block.
struct StagingBlock {
    block: Vec<u8>,
    pool: Arc<StagingPool>,
}

impl StagingPool {
    /// An empty pool that keeps at most `budget` bytes.
    pub(super) fn new(budget: u64) -> Arc<Self> {
        Arc::new(Self { blocks: Mutex::default(), budget: budget as usize })
    }

    /// Copies bytes, into a block of the pool if they are large.
    pub(super) fn copy_of(self: &Arc<Self>, bytes: &[u8]) -> Bytes {
        if bytes.len() < LARGE {
            return Bytes::copy_from_slice(bytes);
        }
        let mut block = self.take(bytes.len());
        block.extend_from_slice(bytes);
        Bytes::from_owner(StagingBlock { block, pool: Arc::clone(self) })
    }

    /// An empty block with room for `length` bytes: the smallest that has it, or a new one.
    fn take(&self, length: usize) -> Vec<u8> {
        let mut blocks = self.blocks.lock().unwrap_or_else(PoisonError::into_inner);
        let fitting = (0..blocks.len()).filter(|&place| blocks[place].capacity() >= length);
        match fitting.min_by_key(|&place| blocks[place].capacity()) {
            Some(place) => blocks.remove(place),
            None => Vec::with_capacity(length),
        }
    }

    /// Keeps a block. Drops the least recently used ones beyond the budget.
    fn give_back(&self, mut block: Vec<u8>) {
        block.clear();
        let mut blocks = self.blocks.lock().unwrap_or_else(PoisonError::into_inner);
        if block.capacity() > self.budget {
            return;
        }
        blocks.push(block);
        while blocks.iter().map(Vec::capacity).sum::<usize>() > self.budget {
            blocks.remove(0);
        }
    }
}

impl AsRef<[u8]> for StagingBlock {
    fn as_ref(&self) -> &[u8] {
        &self.block
    }
}

impl Drop for StagingBlock {
    fn drop(&mut self) {
        self.pool.give_back(std::mem::take(&mut self.block));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The capacities of the free blocks, in MiB.
    fn kept(pool: &StagingPool) -> Vec<usize> {
        pool.blocks.lock().unwrap().iter().map(|block| block.capacity() >> 20).collect()
    }

    fn page(mebibytes: usize, fill: u8) -> Vec<u8> {
        vec![fill; mebibytes << 20]
    }

    #[test]
    fn what_was_copied_is_there_until_it_is_dropped_and_then_its_memory_is_used_again() {
        let pool = StagingPool::new(64 << 20);
        let [first, second] = [1, 2].map(|fill| pool.copy_of(&page(9, fill)));
        let places = [first.as_ptr(), second.as_ptr()];
        assert!(first == page(9, 1) && second == page(9, 2));
        drop(first);
        let third = pool.copy_of(&page(8, 3));
        assert!(third == page(8, 3) && second == page(9, 2));
        assert_eq!((third.as_ptr(), kept(&pool)), (places[0], vec![]));
        drop((second, third));
        assert_eq!(kept(&pool), [9, 9]);
    }

    #[test]
    fn small_copies_are_left_to_the_allocator() {
        let pool = StagingPool::new(64 << 20);
        drop(pool.copy_of(&page(7, 1)));
        assert!(kept(&pool).is_empty());
    }

    #[test]
    fn the_smallest_block_that_fits_is_used_and_the_oldest_go_where_there_is_no_room() {
        let pool = StagingPool::new(40 << 20);
        let blocks = [20, 10, 8].map(|size| pool.copy_of(&page(size, 0)));
        drop(blocks);
        assert_eq!(kept(&pool), [20, 10, 8]);
        let lent = pool.copy_of(&page(9, 0));
        assert_eq!(kept(&pool), [20, 8]);
        drop(lent);
        drop(pool.copy_of(&page(22, 0)));
        assert_eq!(kept(&pool), [8, 10, 22]);
        drop(pool.copy_of(&page(41, 0)));
        assert_eq!(kept(&pool), [8, 10, 22], "one that is beyond the budget is not kept");
    }
}
