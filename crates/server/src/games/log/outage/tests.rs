//! An outage is reported at its beginning and at its end.

use super::*;

#[test]
fn an_outage_is_reported_once() {
    let outage = Outage::default();
    let reported = [false, true, true, true, false, false, true].map(|away| outage.note(away));
    assert_eq!(reported, [false, true, false, false, true, false, true]);
}
