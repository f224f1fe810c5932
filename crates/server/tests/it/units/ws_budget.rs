//! `ws::budget`: the bytes that wait for all sockets.

use std::sync::Arc;

use bytes::Bytes;
use quizhall::ws::budget::{Budget, Charged};

#[test]
fn a_shared_frame_counts_once_and_everything_is_given_back() {
    let budget = Arc::new(Budget::new(1 << 20));
    let frame = Bytes::from(vec![0_u8; 10_000]);
    // The second time around, the frame is as new to the budget as the first time.
    for _ in 0..2 {
        let holders: Vec<_> = (0..100).map(|_| budget.charge(frame.clone())).collect();
        let other = budget.charge(Bytes::from(vec![0_u8; 500]));
        assert_eq!(budget.used(), 10_500 + 101 * size_of::<Charged>());
        drop(holders);
        assert_eq!(budget.used(), 500 + size_of::<Charged>());
        drop(other);
        assert_eq!(budget.used(), 0);
    }
}
