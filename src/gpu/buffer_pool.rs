//! A best-fit pool of page buffers, within a budget of bytes.

/// The free sets of buffers, and the bytes of the lent ones. `T` is a set.
///
/// Sets are kept from page to page. A page gets the smallest free one that is large enough, so that small pages leave
/// the large ones to large pages, else the largest, which grows. All sets together stay within the budget, unless one
/// page alone needs more.
pub(super) struct BufferPool<T> {
    free: Vec<T>,
    lent: u64,
    budget: u64,
    weigh: fn(&T) -> u64,
}

/// A lent set.
pub(super) struct PooledBuffers<T> {
    /// The set.
    pub(super) buffers: T,
    /// Bytes that it counts as while it is lent.
    bytes: u64,
}

impl<T> BufferPool<T> {
    /// An empty pool of at most `budget` bytes. `weigh` gives the bytes of a set.
    pub(super) const fn new(budget: u64, weigh: fn(&T) -> u64) -> Self {
        Self { free: Vec::new(), lent: 0, budget, weigh }
    }

    /// Whether the budget has `needed` bytes left beside the lent sets.
    pub(super) const fn has_room(&self, needed: u64) -> bool {
        self.lent == 0 || self.lent.saturating_add(needed) <= self.budget
    }

    /// Lends a set for a page that needs `needed` bytes.
    pub(super) fn lend(&mut self, needed: u64, make: impl FnOnce() -> T) -> PooledBuffers<T> {
        self.free.sort_by_key(self.weigh);
        let fitting = self.free.iter().position(|set| (self.weigh)(set) >= needed);
        let set = fitting.map(|place| self.free.remove(place)).or_else(|| self.free.pop());
        let bytes = set.as_ref().map_or(0, self.weigh).max(needed);
        while self.total().saturating_add(bytes) > self.budget && !self.free.is_empty() {
            self.free.remove(0);
        }
        self.lent = self.lent.saturating_add(bytes);
        PooledBuffers { buffers: set.unwrap_or_else(make), bytes }
    }

    /// Counts bytes of other buffers to a lent set.
    pub(super) const fn count(&mut self, pooled: &mut PooledBuffers<T>, bytes: u64) {
        pooled.bytes = pooled.bytes.saturating_add(bytes);
        self.lent = self.lent.saturating_add(bytes);
    }

    /// Whether the set can be reused. One beyond the budget cannot.
    pub(super) fn can_keep(&self, pooled: &PooledBuffers<T>) -> bool {
        (self.weigh)(&pooled.buffers) <= self.budget
    }

    /// Takes a set back. Drops it if it exceeds the budget.
    pub(super) fn take_back(&mut self, pooled: PooledBuffers<T>) {
        self.lent = self.lent.saturating_sub(pooled.bytes);
        if self.total().saturating_add((self.weigh)(&pooled.buffers)) <= self.budget {
            self.free.push(pooled.buffers);
        }
    }

    /// Bytes of all sets.
    fn total(&self) -> u64 {
        self.free.iter().map(self.weigh).fold(self.lent, u64::saturating_add)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Sets of numbers, each as large as its value.
    fn pool(budget: u64) -> BufferPool<u64> {
        BufferPool::new(budget, |bytes| *bytes)
    }

    #[test]
    fn a_small_page_leaves_the_large_set_to_a_large_page() {
        let mut pool = pool(100);
        let lent = [pool.lend(10, || 10), pool.lend(50, || 50)];
        for pooled in lent {
            pool.take_back(pooled);
        }
        assert_eq!(pool.lend(8, || unreachable!()).buffers, 10);
        assert_eq!(pool.lend(20, || unreachable!()).buffers, 50);
        assert_eq!(pool.lend(8, || 8).buffers, 8, "none is free");
    }

    #[test]
    fn a_set_that_is_too_small_is_used_all_the_same_and_counts_as_what_it_grows_to() {
        let mut pool = pool(100);
        let small = pool.lend(10, || 10);
        pool.take_back(small);
        assert_eq!(pool.lend(60, || unreachable!()).buffers, 10);
        assert!(pool.has_room(40) && !pool.has_room(41));
    }

    #[test]
    fn other_buffers_of_a_page_count_until_its_set_is_taken_back() {
        let mut pool = pool(100);
        let mut lent = pool.lend(30, || 30);
        pool.count(&mut lent, 50);
        assert!(pool.has_room(20) && !pool.has_room(21));
        pool.take_back(lent);
        assert_eq!((pool.lent, pool.free.len()), (0, 1));
    }

    #[test]
    fn no_more_than_the_budget_is_kept_and_a_page_beyond_it_is_drawn_alone() {
        let mut pool = pool(100);
        let lent = [pool.lend(40, || 40), pool.lend(50, || 50)];
        for pooled in lent {
            pool.take_back(pooled);
        }
        assert!(pool.has_room(300), "nothing else is under way");
        let huge = pool.lend(300, || unreachable!());
        assert!(pool.free.is_empty() && !pool.has_room(1));
        let grown = PooledBuffers { buffers: 300, bytes: 300 };
        assert!(!pool.can_keep(&grown) && pool.can_keep(&huge), "one that did not grow may be kept");
        pool.take_back(PooledBuffers { buffers: 300, ..huge });
        assert!(pool.free.is_empty() && pool.has_room(100));
    }
}
