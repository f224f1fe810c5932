//! Tells a first failure from those that follow it: whoever tries again several times a second says once that the database is
//! away, and once that it is back. Otherwise a minute of that would be some hundred lines for each game.

use std::sync::atomic::{AtomicBool, Ordering};

/// Whether something that is tried again and again works at present.
#[derive(Debug, Default)]
pub(in crate::games) struct Outage {
    away: AtomicBool,
}

impl Outage {
    /// Notes how an attempt ended; whether an outage begins or ends with it.
    pub fn is_news(&self, away: bool) -> bool {
        // Nearly always nothing changes, and many look at once: then nobody writes.
        self.away.load(Ordering::Relaxed) != away && self.away.swap(away, Ordering::Relaxed) != away
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_outage_is_told_of_once() {
        let outage = Outage::default();
        let told = [false, true, true, true, false, false, true].map(|away| outage.is_news(away));
        assert_eq!(told, [false, true, false, false, true, false, true]);
    }
}
