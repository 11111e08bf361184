//! Several workers on one shared value: each locks it for its turn, and releases it during long
//! work.

use std::ops::{Deref, DerefMut};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

/// More workers than this would wait for each other.
const MOST_WORKERS: usize = 4;

/// Returns how many workers search a lattice.
pub(crate) fn most_workers() -> usize {
    rayon::current_num_threads().min(MOST_WORKERS)
}

/// A worker's turn: the locked value.
pub(crate) struct Turn<'t, T> {
    of: &'t Mutex<T>,
    mine: Option<MutexGuard<'t, T>>,
}

fn locked<T>(of: &Mutex<T>) -> MutexGuard<'_, T> {
    of.lock().unwrap_or_else(PoisonError::into_inner)
}

impl<'t, T> Turn<'t, T> {
    /// Waits for the lock.
    pub(crate) fn at(of: &'t Mutex<T>) -> Self {
        Self { of, mine: Some(locked(of)) }
    }

    /// Runs long work without the lock; afterwards the value may have changed.
    pub(crate) fn away<R>(&mut self, work: impl FnOnce() -> R) -> R {
        self.mine = None;
        let done = work();
        self.mine = Some(locked(self.of));
        done
    }
}

const HAS_IT: &str = "the lock is released only during `away`";

impl<T> Deref for Turn<'_, T> {
    type Target = T;

    fn deref(&self) -> &T {
        self.mine.as_ref().expect(HAS_IT)
    }
}

impl<T> DerefMut for Turn<'_, T> {
    fn deref_mut(&mut self) -> &mut T {
        self.mine.as_mut().expect(HAS_IT)
    }
}

/// The result of a piece of work.
pub(crate) enum Done<P, E> {
    /// Further pieces, to be done before those that wait already.
    More(Box<dyn Iterator<Item = P> + Send>),
    /// No other piece is needed.
    Enough(E),
}

/// Runs pieces of work, each of which may create more, on this many workers; none is started after
/// one returns `Enough`.
pub(crate) fn in_turns<P: Send + 'static, E: Send>(
    first: P,
    workers: usize,
    work: impl Fn(P) -> Done<P, E> + Sync,
) -> Option<E> {
    let pieces = Pieces::starting_with(first);
    let worker = || {
        while let Some(piece) = pieces.next() {
            let _busy = BusyWorker(&pieces);
            pieces.add(work(piece));
        }
    };
    std::thread::scope(|scope| {
        for _ in 1..workers {
            scope.spawn(worker);
        }
        worker();
    });
    let waiting = pieces.waiting.into_inner().unwrap_or_else(PoisonError::into_inner);
    waiting.enough
}

/// The remaining pieces.
struct Pieces<P, E> {
    waiting: Mutex<PieceQueue<P, E>>,
    /// Signals that there is more work, or that it is enough.
    more: Condvar,
}

struct PieceQueue<P, E> {
    stack: Vec<Box<dyn Iterator<Item = P> + Send>>,
    /// How many workers are running a piece and may create more.
    busy: usize,
    enough: Option<E>,
    /// Whether a worker panicked: the others must not wait for it.
    broken: bool,
}

/// Marks a worker as busy with a piece.
struct BusyWorker<'p, P, E>(&'p Pieces<P, E>);

impl<P, E> Drop for BusyWorker<'_, P, E> {
    fn drop(&mut self) {
        let mut waiting = locked(&self.0.waiting);
        waiting.busy -= 1;
        waiting.broken |= std::thread::panicking();
        self.0.more.notify_all();
    }
}

impl<P: Send + 'static, E> Pieces<P, E> {
    fn starting_with(first: P) -> Self {
        let stack: Vec<Box<dyn Iterator<Item = P> + Send>> = vec![Box::new(std::iter::once(first))];
        let queue = PieceQueue { stack, busy: 0, enough: None, broken: false };
        Self { waiting: Mutex::new(queue), more: Condvar::new() }
    }
}

impl<P, E> Pieces<P, E> {
    fn next(&self) -> Option<P> {
        let mut waiting = locked(&self.waiting);
        loop {
            if waiting.enough.is_some() || waiting.broken {
                return None;
            }
            while let Some(pieces) = waiting.stack.last_mut() {
                if let Some(piece) = pieces.next() {
                    waiting.busy += 1;
                    return Some(piece);
                }
                waiting.stack.pop();
            }
            if waiting.busy == 0 {
                return None;
            }
            waiting = self.more.wait(waiting).unwrap_or_else(PoisonError::into_inner);
        }
    }

    /// Adds the result of a piece, before its worker is no longer busy.
    fn add(&self, done: Done<P, E>) {
        let mut waiting = locked(&self.waiting);
        match done {
            Done::More(pieces) => waiting.stack.push(pieces),
            Done::Enough(enough) => {
                waiting.enough.get_or_insert(enough);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Counts the leaves of a tree in which every piece creates two smaller ones.
    fn leaves(depth: u32, workers: usize, stop_at: Option<usize>) -> (usize, Option<usize>) {
        let count = Mutex::new(0);
        let enough = in_turns(depth, workers, |depth: u32| {
            if depth > 0 {
                return Done::More(Box::new([depth - 1, depth - 1].into_iter()));
            }
            let mut turn = Turn::at(&count);
            *turn += 1;
            let now = *turn;
            turn.away(std::thread::yield_now);
            if Some(now) == stop_at {
                Done::Enough(now)
            } else {
                Done::More(Box::new([].into_iter()))
            }
        });
        (count.into_inner().unwrap(), enough)
    }

    #[test]
    fn every_piece_is_done_once_by_any_number_of_workers() {
        for workers in 1..5 {
            assert_eq!(leaves(9, workers, None), (512, None));
        }
    }

    #[test]
    fn the_first_result_that_is_enough_is_returned() {
        assert_eq!(leaves(9, 1, Some(7)), (7, Some(7)));
        for workers in 2..5 {
            assert_eq!(leaves(9, workers, Some(7)).1, Some(7));
        }
    }

    #[test]
    fn no_piece_is_started_after_enough() {
        let pieces: Pieces<u32, &str> = Pieces::starting_with(1);
        assert_eq!(pieces.next(), Some(1));
        pieces.add(Done::More(Box::new([2, 3].into_iter())));
        assert_eq!(pieces.next(), Some(2));
        pieces.add(Done::Enough("first"));
        assert_eq!(pieces.next(), None);
        pieces.add(Done::Enough("second"));
        assert_eq!(locked(&pieces.waiting).enough, Some("first"));
    }

    #[test]
    fn a_worker_that_panics_does_not_block_the_others() {
        for workers in 1..5 {
            let work = |depth: u32| -> Done<u32, ()> {
                assert!(depth > 0, "this worker panics on purpose");
                Done::More(Box::new([depth - 1, depth - 1].into_iter()))
            };
            let ended = std::panic::catch_unwind(|| in_turns(5, workers, work));
            assert!(ended.is_err());
        }
    }
}
