//! Several workers at one thing: each has it for its turn, and lets the others have theirs while it
//! does what takes long.

use std::ops::{Deref, DerefMut};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

/// A worker's turn.
pub(crate) struct Turn<'t, T> {
    of: &'t Mutex<T>,
    mine: Option<MutexGuard<'t, T>>,
}

fn locked<T>(of: &Mutex<T>) -> MutexGuard<'_, T> {
    of.lock().unwrap_or_else(PoisonError::into_inner)
}

impl<'t, T> Turn<'t, T> {
    /// Waits for a turn.
    pub(crate) fn at(of: &'t Mutex<T>) -> Self {
        Self { of, mine: Some(locked(of)) }
    }

    /// Does what takes long while others have their turns: after it, all may be different.
    pub(crate) fn away<R>(&mut self, work: impl FnOnce() -> R) -> R {
        self.mine = None;
        let done = work();
        self.mine = Some(locked(self.of));
        done
    }
}

const HAS_IT: &str = "it is away only while it does something else";

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

/// What came of a piece of work.
pub(crate) enum Done<P, E> {
    /// More pieces, to be done before what waits already.
    More(Box<dyn Iterator<Item = P> + Send>),
    /// Nothing else needs to be done.
    Enough(E),
}

/// Does pieces of work, each of which may make more, by so many workers; none is begun once one says
/// that it is enough.
pub(crate) fn in_turns<P: Send + 'static, E: Send>(
    first: P,
    workers: usize,
    work: impl Fn(P) -> Done<P, E> + Sync,
) -> Option<E> {
    let stack: Vec<Box<dyn Iterator<Item = P> + Send>> = vec![Box::new(std::iter::once(first))];
    let pieces = Pieces {
        waiting: Mutex::new(Waiting { stack, busy: 0, enough: None, broken: false }),
        more: Condvar::new(),
    };
    let worker = || {
        while let Some(piece) = pieces.next() {
            let _busy = Busy(&pieces);
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

/// The pieces that are left.
struct Pieces<P, E> {
    waiting: Mutex<Waiting<P, E>>,
    /// There may be more now, or it is enough.
    more: Condvar,
}

struct Waiting<P, E> {
    stack: Vec<Box<dyn Iterator<Item = P> + Send>>,
    /// How many workers are at one, and may make more.
    busy: usize,
    enough: Option<E>,
    /// A worker panicked: the others shall not wait for it.
    broken: bool,
}

/// A worker is at a piece.
struct Busy<'p, P, E>(&'p Pieces<P, E>);

impl<P, E> Drop for Busy<'_, P, E> {
    fn drop(&mut self) {
        let mut waiting = locked(&self.0.waiting);
        waiting.busy -= 1;
        waiting.broken |= std::thread::panicking();
        self.0.more.notify_all();
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

    /// Adds what came of a piece, before its worker is no longer busy.
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

    /// Counts the leaves of a tree in which every piece makes two smaller ones.
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
    fn no_piece_is_begun_after_it_is_enough() {
        assert_eq!(leaves(9, 1, Some(7)), (7, Some(7)));
        for workers in 2..5 {
            let (count, enough) = leaves(9, workers, Some(7));
            assert_eq!(enough, Some(7));
            assert!(count < 7 + workers, "{count}");
        }
    }

    #[test]
    fn a_worker_that_panics_keeps_nobody_waiting() {
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
