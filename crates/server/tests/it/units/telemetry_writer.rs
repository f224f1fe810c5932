//! Log lines that are left out: those that a stuck output has no room for, and those about repeated failures.

use std::io::{self, Write};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::time::{Duration, Instant};

use metrics_exporter_prometheus::PrometheusBuilder;
use quizhall::telemetry::Recurring;
use quizhall::telemetry::writer::LogWriter;

/// Lines that may wait.
const QUEUE: usize = 8_192;

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
    let page = recorder.handle().render();
    let lost = page.lines().find_map(|line| line.strip_prefix("quizhall_log_lines_dropped_total ")).unwrap();
    assert!(["9", "10"].contains(&lost), "one line is in the writer's hands, {QUEUE} wait, the rest is lost: {lost}");
    drop(open);
    drop((sink, writer));
    let text = String::from_utf8(seen.iter().flatten().collect()).unwrap();
    assert!(text.contains(&format!(r#""message":"log lines dropped","lines":{lost}"#)), "the loss is said");
    assert!(text.matches("{}\n").count() >= QUEUE, "the lines in the queue are written");
}

#[test]
fn one_line_a_minute_with_a_count_of_the_others() {
    let (place, start) = (Recurring::new(), Instant::now());
    let said: Vec<_> = (0..480_u32)
        .filter_map(|quarter| Some((quarter, place.due_at(start + Duration::from_millis(250) * quarter)?)))
        .collect();
    assert_eq!(said, [(0, 0), (240, 239)], "two minutes, four failures a second");
    assert_eq!(place.due_at(start + Duration::from_mins(10)), Some(239));
    assert_eq!(Recurring::new().due_at(start), Some(0), "places do not know each other");
}
