//! Drawing on a device: against the CPU, other drivers, and under load.

pub(crate) mod coverage;
pub(crate) mod drivers;
pub(crate) mod grain;
pub(crate) mod pool;
