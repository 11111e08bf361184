//! A connection that fails when the other side reads nothing for too long.

use std::io;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::task::{Context, Poll, ready};
use std::time::Duration;

use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::TcpStream;
use tokio::time::{Sleep, sleep};

/// A connection with a limit on how long a write may wait.
pub(crate) struct WriteTimeout {
    stream: TcpStream,
    timeout: Duration,
    deadline: Option<Pin<Box<Sleep>>>,
    /// Whether a write waits for the other side now.
    stalled: Arc<AtomicBool>,
}

impl WriteTimeout {
    pub(crate) fn new(stream: TcpStream, timeout: Duration, stalled: Arc<AtomicBool>) -> Self {
        Self { stream, timeout, deadline: None, stalled }
    }

    /// Passes on the result of a write; one that waits for too long is an error.
    fn limited<T>(
        &mut self,
        context: &mut Context<'_>,
        written: Poll<io::Result<T>>,
    ) -> Poll<io::Result<T>> {
        if written.is_ready() {
            self.deadline = None;
            self.stalled.store(false, Relaxed);
            return written;
        }
        self.stalled.store(true, Relaxed);
        let timeout = self.timeout;
        let deadline = self.deadline.get_or_insert_with(|| Box::pin(sleep(timeout)));
        ready!(deadline.as_mut().poll(context));
        Poll::Ready(Err(io::ErrorKind::TimedOut.into()))
    }
}

impl AsyncRead for WriteTimeout {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_read(context, buffer)
    }
}

impl AsyncWrite for WriteTimeout {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        let written = Pin::new(&mut self.stream).poll_write(context, bytes);
        self.limited(context, written)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        parts: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        let written = Pin::new(&mut self.stream).poll_write_vectored(context, parts);
        self.limited(context, written)
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(context)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Writes without end; returns how long that lasted, and whether it stalled.
    async fn write_until_refused(taken: Duration) -> (Duration, bool) {
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        let client = TcpStream::connect(listener.local_addr().unwrap()).await.unwrap();
        let stalled = Arc::new(AtomicBool::default());
        let (stream, _) = listener.accept().await.unwrap();
        let mut stream = WriteTimeout::new(stream, Duration::from_millis(300), stalled.clone());
        let start = std::time::Instant::now();
        let reading = async {
            while start.elapsed() < taken {
                client.readable().await.unwrap();
                let _ = client.try_read(&mut vec![0; 1 << 16]);
                tokio::time::sleep(Duration::from_millis(5)).await;
            }
            std::future::pending::<()>().await;
        };
        let bytes = vec![0; 1 << 16];
        let writing = async {
            loop {
                let write = std::future::poll_fn(|c| Pin::new(&mut stream).poll_write(c, &bytes));
                if let Err(error) = write.await {
                    assert_eq!(error.kind(), io::ErrorKind::TimedOut);
                    return start.elapsed();
                }
            }
        };
        tokio::select! {
            () = reading => unreachable!("it waits for ever"),
            elapsed = writing => (elapsed, stalled.load(Relaxed)),
        }
    }

    #[test]
    fn a_client_that_reads_nothing_is_dropped_and_a_slow_one_is_not() {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        runtime.block_on(async {
            let (elapsed, stalled) = write_until_refused(Duration::ZERO).await;
            assert!(stalled && elapsed < Duration::from_secs(5), "{elapsed:?}");
            let (elapsed, stalled) = write_until_refused(Duration::from_secs(1)).await;
            assert!(stalled && elapsed > Duration::from_secs(1), "{elapsed:?}");
        });
    }
}
