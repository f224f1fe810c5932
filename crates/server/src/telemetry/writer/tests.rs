//! Unit tests of `telemetry::writer`.

#![allow(clippy::unwrap_used)]
use metrics_exporter_prometheus::PrometheusBuilder;

use super::*;

/// An output that blocks until it is released.
struct Gate {
    open: Receiver<()>,
    written: SyncSender<Vec<u8>>,
}

impl Write for Gate {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let _ = self.open.recv();
        let _ = self.written.send(bytes.to_vec());
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[test]
fn a_stuck_output_drops_lines_and_says_how_many() {
    let ((open, gate), (written, seen)) = (sync_channel(1), sync_channel(3 * QUEUE));
    let writer = LogWriter::start(Gate { open: gate, written });
    let sink = writer.sink();
    let recorder = PrometheusBuilder::new().build_recorder();
    metrics::with_local_recorder(&recorder, || {
        for _ in 0..QUEUE + 10 {
            sink.line().write_all(b"{}\n").unwrap();
        }
    });
    let lost = sink.dropped.load(Ordering::Relaxed);
    let counted = format!("quizhall_log_lines_dropped_total {lost}\n");
    assert!(recorder.handle().render().contains(&counted), "the loss is counted: {counted}");
    assert!((9..=10).contains(&lost), "one line is in the writer's hands, {QUEUE} wait, the rest is lost: {lost}");
    drop(open);
    drop(sink);
    drop(writer);
    let text = String::from_utf8(seen.iter().flatten().collect()).unwrap();
    assert!(text.contains("log lines dropped"), "the loss is said");
    assert!(text.matches("{}\n").count() >= QUEUE, "what was queued is written");
}
