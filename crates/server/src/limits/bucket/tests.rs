//! Unit tests of `limits::bucket`.

use super::*;

const RATE: SocketRates = SocketRates { per_second: 5, burst: 20 };

fn taken(bucket: &mut Bucket, now: Moment) -> usize {
    (0..1_000).take_while(|_| bucket.allow(RATE, now)).count()
}

#[test]
fn a_burst_passes_and_then_the_rate() {
    let mut bucket = Bucket::default();
    let start = Moment::NEVER.plus(Duration::from_secs(100));
    assert_eq!(taken(&mut bucket, start), 20, "the burst");
    assert_eq!(taken(&mut bucket, start), 0, "nothing more at the same moment");
    assert_eq!(taken(&mut bucket, start.plus(Duration::from_secs(1))), 5, "a second later five more");
    assert_eq!(taken(&mut bucket, start.plus(Duration::from_secs(60))), 20, "rest refills the burst, no more");
}
