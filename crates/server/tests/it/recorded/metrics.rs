//! The names, types and labels of `/metrics` after a fresh start; their values and help texts are not recorded.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use super::kept;
use super::service::Service;
use crate::faults::probes::get;

/// Labels whose values differ from run to run, or of which there is one per bucket.
const UNRECORDED: [&str; 2] = ["le", "quantile"];

#[tokio::test]
async fn names_types_and_labels_of_metrics_are_as_recorded() {
    let service = Service::start();
    let (status, text) = get(&service.server, "/metrics").await;
    assert_eq!(status, 200);
    let mut lines = BTreeSet::new();
    for line in text.lines().filter(|line| !line.is_empty() && !line.starts_with("# HELP")) {
        lines.insert(line.strip_prefix("# TYPE ").map_or_else(|| series(line), str::to_owned));
    }
    let mut recorded = String::new();
    for line in lines {
        writeln!(recorded, "{line}").unwrap();
    }
    kept::compare("metrics.txt", &recorded);
}

/// The name and the labels of a sample.
fn series(line: &str) -> String {
    let (series, _) = line.rsplit_once(' ').unwrap();
    let Some((name, labels)) = series.split_once('{') else { return series.to_owned() };
    let labels = labels.trim_end_matches('}').split("\",").filter(|label| {
        let name = label.split('=').next().unwrap();
        !UNRECORDED.contains(&name)
    });
    let labels: Vec<_> = labels.map(|label| label.trim_end_matches('"').to_owned() + "\"").collect();
    if labels.is_empty() { name.to_owned() } else { format!("{name}{{{}}}", labels.join(",")) }
}
