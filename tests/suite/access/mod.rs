//! Keys, rate limits and quotas, on stores in this process.

pub(crate) mod durability;
pub(crate) mod keys;
pub(crate) mod quota;
pub(crate) mod rate_limit;
