//! Access control: API keys, rate limits and concurrency limits.

pub mod concurrency_limit;
pub mod keys;
pub mod rate;
