//! A fair queue for heavy work: a limited number of jobs at once, and clients take turns however
//! many each has.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tokio::sync::oneshot;

tokio::task_local! {
    /// The client of the request that is being answered.
    static CLIENT: Client;
}

/// A client, whose jobs are queued together: a browser's session, or all programs.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct Client(String);

impl Client {
    pub(crate) fn new(name: &str) -> Self {
        Self(name.to_owned())
    }

    /// Returns the client of the current request.
    pub(crate) fn current() -> Self {
        CLIENT.try_with(Clone::clone).unwrap_or_default()
    }

    /// Runs something on behalf of this client.
    pub(crate) async fn run<T>(self, work: impl Future<Output = T>) -> T {
        CLIENT.scope(self, work).await
    }
}

/// Creates a queue with this many places.
#[derive(Debug)]
pub(crate) struct FairQueue(Mutex<Places>);

#[derive(Debug)]
struct Places {
    free: usize,
    /// The waiting jobs by client; the next client is at the front.
    waiting: VecDeque<(Client, VecDeque<oneshot::Sender<QueuePlace>>)>,
}

/// A place in the queue's work, free again when dropped.
#[derive(Debug)]
pub(crate) struct QueuePlace(Option<Arc<FairQueue>>);

impl Drop for QueuePlace {
    fn drop(&mut self) {
        if let Some(queue) = self.0.take() {
            queue.places().free += 1;
            queue.admit();
        }
    }
}

impl FairQueue {
    pub(crate) fn new(places: usize) -> Arc<Self> {
        Arc::new(Self(Mutex::new(Places { free: places, waiting: VecDeque::new() })))
    }

    /// Waits for the turn of this client. Dropping the future leaves the queue.
    pub(crate) async fn enter(self: &Arc<Self>, client: Client) -> QueuePlace {
        let (tell, admitted) = oneshot::channel();
        self.places().wait(client, tell);
        self.admit();
        admitted.await.unwrap_or(QueuePlace(None))
    }

    fn places(&self) -> MutexGuard<'_, Places> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Admits as many as there are places, one of each client in turn.
    fn admit(self: &Arc<Self>) {
        while let Some(next) = self.next() {
            // A place that is no longer wanted goes to the next.
            if let Err(mut place) = next.send(QueuePlace(Some(self.clone()))) {
                place.0 = None;
                self.places().free += 1;
            }
        }
    }

    /// Returns the next waiter, if there is a place, which is then taken.
    fn next(&self) -> Option<oneshot::Sender<QueuePlace>> {
        let mut places = self.places();
        if places.free == 0 {
            return None;
        }
        let (client, mut queue) = places.waiting.pop_front()?;
        let next = queue.pop_front()?;
        if !queue.is_empty() {
            places.waiting.push_back((client, queue));
        }
        places.free -= 1;
        Some(next)
    }
}

impl Places {
    fn wait(&mut self, client: Client, tell: oneshot::Sender<QueuePlace>) {
        match self.waiting.iter_mut().find(|(known, _)| *known == client) {
            Some((_, queue)) => queue.push_back(tell),
            None => self.waiting.push_back((client, VecDeque::from([tell]))),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Lets all tasks run that can.
    async fn settle() {
        for _ in 0..20 {
            tokio::task::yield_now().await;
        }
    }

    #[test]
    fn clients_take_turns_and_those_that_leave_take_no_place() {
        let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
        runtime.block_on(async {
            let (queue, order) = (FairQueue::new(1), Arc::new(Mutex::new(String::new())));
            let first = queue.enter(Client::new("z")).await;
            let enter = |name: &'static str| {
                let (queue, order) = (queue.clone(), order.clone());
                tokio::spawn(async move {
                    let place = queue.enter(Client::new(name)).await;
                    order.lock().unwrap().push_str(name);
                    drop(place);
                })
            };
            let many: Vec<_> = (0..4).map(|_| enter("a")).collect();
            settle().await;
            let leaving = enter("b");
            let staying = enter("c");
            settle().await;
            leaving.abort();
            settle().await;
            drop(first);
            for one in many.into_iter().chain([staying]) {
                one.await.unwrap();
            }
            assert_eq!(*order.lock().unwrap(), "acaaa");
            assert_eq!(queue.places().free, 1);
        });
    }
}
