//! A log writer that never blocks its caller: whole lines go to a thread over a bounded queue.
//!
//! Used only by `log`. When the reader of standard output stalls, the queue fills, and further lines are dropped and
//! counted: a stuck log collector must not stop a quiz.

use std::io::{self, Write};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, SyncSender, TrySendError, sync_channel};
use std::thread::{self, JoinHandle};

/// Most lines that wait to be written; at some 300 bytes each, 2.5 MB.
const QUEUE: usize = 8_192;

/// Owns the writing thread.
pub struct LogWriter {
    sink: Option<LineSink>,
    thread: Option<JoinHandle<()>>,
}

/// Accepts lines.
#[derive(Clone)]
pub struct LineSink {
    queue: SyncSender<Message>,
    dropped: Arc<AtomicU64>,
}

/// One line being written; handed in when dropped.
pub struct Line<'a> {
    bytes: Vec<u8>,
    sink: &'a LineSink,
}

enum Message {
    Line(Vec<u8>),
    Stop,
}

impl LogWriter {
    /// Starts the thread that writes to `output`.
    pub fn start(output: impl Write + Send + 'static) -> Self {
        let (queue, lines) = sync_channel(QUEUE);
        let dropped = Arc::new(AtomicU64::new(0));
        let counter = Arc::clone(&dropped);
        let thread = thread::Builder::new().name("log".to_owned()).spawn(move || write_lines(&lines, &counter, output));
        // If the thread cannot start, the receiver is dropped, and with it every line: a service without logs still
        // serves.
        Self { sink: Some(LineSink { queue, dropped }), thread: thread.ok() }
    }

    /// A way into the queue, of which there may be many.
    pub fn sink(&self) -> LineSink {
        self.sink.clone().expect("the sink is taken only in drop")
    }
}

impl Drop for LogWriter {
    fn drop(&mut self) {
        // A full queue means that the output is not being read, so the thread is not waited for.
        let stopping = self.sink.take().is_some_and(|sink| sink.queue.try_send(Message::Stop).is_ok());
        if let (true, Some(thread)) = (stopping, self.thread.take()) {
            let _ = thread.join();
        }
    }
}

impl LineSink {
    /// An empty line to write into.
    pub fn line(&self) -> Line<'_> {
        Line { bytes: Vec::with_capacity(256), sink: self }
    }
}

impl Write for Line<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.bytes.extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl Drop for Line<'_> {
    fn drop(&mut self) {
        if self.bytes.is_empty() {
            return;
        }
        let line = Message::Line(std::mem::take(&mut self.bytes));
        if let Err(TrySendError::Full(_) | TrySendError::Disconnected(_)) = self.sink.queue.try_send(line) {
            self.sink.dropped.fetch_add(1, Ordering::Relaxed);
            super::metrics::log_line_dropped();
        }
    }
}

fn write_lines(lines: &Receiver<Message>, dropped: &AtomicU64, mut output: impl Write) {
    while let Ok(Message::Line(line)) = lines.recv() {
        // A closed standard output must not stop the service either.
        let _ = output.write_all(&line);
        let lost = dropped.swap(0, Ordering::Relaxed);
        if lost > 0 {
            let _ = writeln!(
                output,
                r#"{{"level":"WARN","target":"quizhall","message":"log lines dropped","lines":{lost}}}"#
            );
        }
        let _ = output.flush();
    }
}
