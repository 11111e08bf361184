//! The Parquet library panics over some damaged files; here that becomes an error.

use std::cell::Cell;
use std::panic::{AssertUnwindSafe, catch_unwind, set_hook, take_hook};
use std::sync::Once;

use parquet::errors::{ParquetError, Result};

thread_local! {
    /// Whether this thread's panics are expected and not printed.
    static EXPECTED: Cell<bool> = const { Cell::new(false) };
}

/// What the library returns, or an error if it panics. `read` and all it holds are of no use
/// afterwards.
pub(super) fn guarded<T>(read: impl FnOnce() -> Result<T>) -> Result<T> {
    static QUIET: Once = Once::new();
    QUIET.call_once(|| {
        let usual = take_hook();
        set_hook(Box::new(move |panic| {
            if !EXPECTED.get() {
                usual(panic);
            }
        }));
    });
    EXPECTED.set(true);
    let result = catch_unwind(AssertUnwindSafe(read));
    EXPECTED.set(false);
    result.unwrap_or_else(|_| Err(ParquetError::General("it contradicts itself".into())))
}
