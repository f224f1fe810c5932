//! The route to the owner: whose frames are accepted, when the record of the owner is read, and when a node claims the game.

use std::time::Duration;

use quizhall_engine::{Claimed, EdgeId, Place, Record, Route, RouteEffect, RouteInput, Time};

use Place::{Here, Nowhere, There};
use RouteEffect::{Claim, Dismiss, Moved, ReadRecord};
use RouteInput::{Gone, OwnerEnded, OwnerSeen, Released, RequestedHere, Tick, Wanted};

const ME: EdgeId = EdgeId(1);
const A: EdgeId = EdgeId(2);
const B: EdgeId = EdgeId(3);
const NOW: Time = Duration::from_secs(60);
const SILENCE: Duration = Duration::from_millis(1_500);
const LOOK_AGAIN: Duration = Duration::from_millis(300);

/// A node's way to an owner.
struct Way {
    route: Route,
    now: Time,
}

impl Way {
    fn new() -> Self {
        Self { route: Route::new(NOW, ME), now: NOW }
    }

    /// A route that has just received a frame of the owner of epoch 5 on node A.
    fn there() -> Self {
        let mut way = Self::new();
        assert_eq!(way.step(OwnerSeen { from: A, epoch: 5 }), [Moved]);
        way
    }

    /// A route in this place that knows epoch 5; no request is open, and half a second has passed.
    fn at(place: Place) -> Self {
        let mut way = Self::there();
        if place != There(A) {
            way.step(Gone(A));
            way.step(RouteInput::Record((place == Here).then_some(UNOWNED)));
        }
        if place == Here {
            way.won(5);
        }
        assert_eq!(way.route.place(), place);
        way.after(Duration::from_millis(500));
        way
    }

    fn step(&mut self, input: RouteInput) -> Vec<RouteEffect> {
        let mut effects = Vec::new();
        self.route.step(self.now, input, &mut effects);
        effects
    }

    /// The store has just taken the row of the claim.
    fn won(&mut self, epoch: u64) -> Vec<RouteEffect> {
        let since = self.now;
        self.step(RouteInput::Claimed(Claimed::Won { epoch, since }))
    }

    fn record(&mut self, owner: Option<EdgeId>, listed: bool) -> Vec<RouteEffect> {
        self.step(RouteInput::Record(Some(Record { owner, listed })))
    }

    fn after(&mut self, pause: Duration) -> &mut Self {
        self.now += pause;
        self
    }

    /// How long until it must be woken.
    fn wait(&self) -> Option<Duration> {
        self.route.next_deadline().map(|at| at.saturating_sub(self.now))
    }
}

const UNOWNED: Record = Record { owner: None, listed: false };

type Outcome = (&'static [RouteEffect], Place);

/// Inputs, with the effects and the next place when the owner is nowhere, on node A, and here.
const TABLE: [(RouteInput, [Outcome; 3]); 18] = [
    (OwnerSeen { from: A, epoch: 5 }, [(&[Moved], There(A)), (&[], There(A)), (&[], Here)]),
    (OwnerSeen { from: B, epoch: 5 }, [(&[Moved], There(B)), (&[Moved], There(B)), (&[], Here)]),
    (OwnerSeen { from: B, epoch: 6 }, [(&[Moved], There(B)), (&[Moved], There(B)), (&[Dismiss, Moved], There(B))]),
    (OwnerSeen { from: A, epoch: 6 }, [(&[Moved], There(A)), (&[], There(A)), (&[Dismiss, Moved], There(A))]),
    (OwnerSeen { from: B, epoch: 4 }, STAYS),
    (OwnerSeen { from: ME, epoch: 6 }, STAYS),
    (released(A, 5, Some(B)), [(&[], Nowhere), (&[Moved], There(B)), (&[], Here)]),
    (released(A, 5, Some(ME)), [(&[], Nowhere), (&[ReadRecord], Nowhere), (&[], Here)]),
    (released(A, 5, None), [(&[], Nowhere), (&[ReadRecord], Nowhere), (&[], Here)]),
    (released(B, 5, Some(ME)), STAYS),
    (released(A, 4, Some(ME)), STAYS),
    (released(B, 6, Some(ME)), [(&[ReadRecord], Nowhere), (&[ReadRecord], Nowhere), (&[Dismiss, ReadRecord], Nowhere)]),
    (OwnerEnded, [(&[ReadRecord], Nowhere), (&[ReadRecord], There(A)), (&[ReadRecord], Nowhere)]),
    (RequestedHere, [(&[ReadRecord], Nowhere), (&[ReadRecord], There(A)), (&[], Here)]),
    (Gone(A), [(&[], Nowhere), (&[ReadRecord], Nowhere), (&[], Here)]),
    (Gone(B), STAYS),
    (Tick, [(&[ReadRecord], Nowhere), (&[], There(A)), (&[], Here)]),
    (Wanted(false), STAYS),
];

const STAYS: [Outcome; 3] = [(&[], Nowhere), (&[], There(A)), (&[], Here)];

const fn released(from: EdgeId, epoch: u64, to: Option<EdgeId>) -> RouteInput {
    Released { from, epoch, to }
}

#[test]
fn every_input_in_every_place() {
    for (input, outcomes) in TABLE {
        for (place, (effects, after)) in [Nowhere, There(A), Here].into_iter().zip(outcomes) {
            let mut way = Way::at(place);
            assert_eq!(way.step(input), effects, "{input:?} in {place:?}");
            assert_eq!(way.route.place(), after, "{input:?} in {place:?}");
        }
    }
}

#[test]
fn a_new_node_looks_at_once() {
    let mut way = Way::new();
    assert_eq!((way.route.place(), way.wait()), (Nowhere, Some(Duration::ZERO)));
    assert_eq!(way.step(Tick), [ReadRecord]);
    assert_eq!(way.record(Some(A), true), [Moved]);
    assert_eq!((way.route.place(), way.wait()), (There(A), Some(SILENCE)));
}

#[test]
fn nothing_is_asked_while_an_answer_is_open() {
    for claims in [false, true] {
        let mut way = Way::at(There(A));
        assert_eq!(way.step(Gone(A)), [ReadRecord]);
        if claims {
            assert_eq!(way.record(None, false), [Claim { from: None }]);
        }
        way.after(Duration::from_secs(60));
        assert_eq!(way.wait(), None);
        for input in [Tick, RequestedHere, OwnerEnded, Gone(A), released(B, 6, Some(ME)), released(B, 7, None)] {
            assert_eq!(way.step(input), [], "{input:?}");
        }
    }
}

#[test]
fn a_record_that_could_not_be_read_is_read_again() {
    for place in [Nowhere, There(A)] {
        let mut way = Way::at(place);
        way.after(SILENCE);
        assert_eq!(way.step(Tick), [ReadRecord]);
        assert_eq!(way.step(RouteInput::Record(None)), []);
        assert_eq!((way.route.place(), way.wait()), (place, Some(LOOK_AGAIN)));
        assert_eq!(way.after(LOOK_AGAIN.saturating_sub(Duration::from_millis(1))).step(Tick), []);
        assert_eq!(way.after(Duration::from_millis(1)).step(Tick), [ReadRecord]);
    }
}

#[test]
fn an_owner_that_sends_frames_is_not_looked_for() {
    let mut way = Way::there();
    for _ in 0..10 {
        assert_eq!(way.wait(), Some(SILENCE));
        assert_eq!(way.after(SILENCE.saturating_sub(Duration::from_millis(1))).step(Tick), []);
        assert_eq!(way.step(OwnerSeen { from: A, epoch: 5 }), []);
    }
    assert_eq!(way.after(SILENCE).step(Tick), [ReadRecord]);
}

#[test]
fn a_silent_owner_that_is_listed_is_not_robbed() {
    let mut way = Way::there();
    for _ in 0..10 {
        assert_eq!(way.after(SILENCE).step(Tick), [ReadRecord]);
        assert_eq!(way.record(Some(A), true), [], "the bus may be cut");
        assert_eq!((way.route.place(), way.wait()), (There(A), Some(SILENCE)), "and is read again");
    }
}

#[test]
fn a_game_is_claimed_from_an_unlisted_owner_on_record_and_from_no_other() {
    for (owner, listed) in [(Some(A), false), (Some(B), false), (None, false), (Some(ME), true), (Some(ME), false)] {
        for place in [Nowhere, There(A)] {
            let mut way = Way::at(place);
            way.step(RequestedHere);
            assert_eq!(way.record(owner, listed), [Claim { from: owner }], "{owner:?} in {place:?}");
            assert_eq!(way.route.place(), place, "not the owner yet");
            assert_eq!(way.won(6), [Moved]);
            assert_eq!((way.route.place(), way.wait()), (Here, None));
            assert_eq!(way.step(OwnerSeen { from: A, epoch: 5 }), [], "a late frame of an older epoch");
            assert_eq!(way.route.place(), Here);
        }
    }
}

#[test]
fn the_record_may_name_another_owner_than_the_last_frame() {
    let mut way = Way::at(There(A));
    way.step(RequestedHere);
    assert_eq!(way.record(Some(B), true), [Moved]);
    assert_eq!((way.route.place(), way.wait()), (There(B), Some(SILENCE)));
    assert_eq!(way.step(OwnerSeen { from: A, epoch: 5 }), [Moved], "the record may be older than that frame");
    assert_eq!(way.route.place(), There(A));
}

#[test]
fn a_claim_that_was_lost_looks_again_and_finds_who_was_faster() {
    let mut way = Way::at(Nowhere);
    way.step(Tick);
    way.record(Some(B), false);
    assert_eq!(way.step(RouteInput::Claimed(Claimed::Lost)), []);
    assert_eq!(way.route.place(), Nowhere);
    let soon = way.wait().unwrap();
    assert!(soon > Duration::ZERO && soon < LOOK_AGAIN, "{soon:?}");
    assert_eq!(way.after(soon).step(Tick), [ReadRecord]);
    assert_eq!(way.record(Some(A), true), [Moved]);
    assert_eq!(way.route.place(), There(A));
}

#[test]
fn a_game_that_was_given_to_another_node_is_expected_there() {
    let mut way = Way::at(Nowhere);
    way.step(Tick);
    way.record(None, false);
    assert_eq!(way.step(RouteInput::Claimed(Claimed::Given { to: A })), [Moved], "the edge sends its commands there");
    assert_eq!((way.route.place(), way.wait()), (There(A), Some(SILENCE)));
    assert_eq!(way.after(SILENCE).step(Tick), [ReadRecord], "as with every owner that says nothing");
    assert_eq!(way.record(Some(A), false), [Claim { from: Some(A) }], "it has left the list");
}

#[test]
fn a_claim_of_unknown_outcome_looks_again_and_claims_from_the_owner_on_record_then() {
    let mut way = Way::at(Nowhere);
    way.step(Tick);
    way.record(Some(B), false);
    assert_eq!(way.step(RouteInput::Claimed(Claimed::Unknown)), []);
    assert_eq!((way.route.place(), way.wait()), (Nowhere, Some(LOOK_AGAIN)));
    assert_eq!(way.after(LOOK_AGAIN).step(Tick), [ReadRecord]);
    assert_eq!(way.record(Some(ME), true), [Claim { from: Some(ME) }]);
}

#[test]
fn a_claim_whose_result_came_late_is_done_again_and_then_believed() {
    let late = Duration::from_secs(5);
    let mut way = Way::at(Nowhere);
    way.step(Tick);
    way.record(None, false);
    let since = way.now;
    assert_eq!(way.after(late).step(RouteInput::Claimed(Claimed::Won { epoch: 6, since })), [Dismiss]);
    assert_eq!((way.route.place(), way.wait()), (Nowhere, Some(Duration::ZERO)));
    assert_eq!(way.step(Tick), [ReadRecord]);
    assert_eq!(way.record(Some(ME), true), [Claim { from: Some(ME) }]);
    let since = way.now;
    assert_eq!(way.after(late).step(RouteInput::Claimed(Claimed::Won { epoch: 7, since })), [Moved]);
    assert_eq!(way.route.place(), Here);
}

#[test]
fn a_claim_for_which_a_long_log_was_read_is_believed_at_once() {
    let mut way = Way::at(Nowhere);
    way.step(Tick);
    way.record(None, false);
    way.after(Duration::from_secs(60));
    assert_eq!(way.won(6), [Moved]);
    assert_eq!(way.route.place(), Here);
}

#[test]
fn a_claim_that_another_node_has_overtaken_is_dropped_at_once() {
    let mut way = Way::at(Nowhere);
    way.step(Tick);
    way.record(None, false);
    assert_eq!(way.step(OwnerSeen { from: B, epoch: 7 }), [Moved]);
    assert_eq!(way.won(6), [Dismiss]);
    assert_eq!(way.route.place(), There(B));
}

#[test]
fn requests_for_an_owner_elsewhere_read_the_record_at_intervals() {
    let mut way = Way::at(There(A));
    assert_eq!(way.step(RequestedHere), [ReadRecord]);
    way.record(Some(A), true);
    assert_eq!(way.step(RequestedHere), [], "it was read a moment ago");
    assert_eq!(way.after(LOOK_AGAIN).step(RequestedHere), [ReadRecord]);
}

#[test]
fn a_game_that_is_not_needed_here_is_claimed_only_when_others_seek_it_here() {
    let unwanted = |place| {
        let mut way = Way::at(place);
        way.step(Wanted(false));
        way
    };
    assert_eq!(unwanted(Here).step(OwnerEnded), []);
    assert_eq!(unwanted(There(A)).step(Gone(A)), []);
    assert_eq!(unwanted(There(A)).step(released(A, 5, None)), []);
    assert_eq!(unwanted(There(A)).step(released(A, 5, Some(ME))), [ReadRecord], "it was given to this node");
    assert_eq!(unwanted(Nowhere).step(RequestedHere), [ReadRecord]);
    for place in [Nowhere, There(A)] {
        let mut way = unwanted(place);
        way.after(SILENCE);
        assert_eq!((way.wait(), way.step(Tick)), (None, vec![]), "{place:?}");
        way.step(Wanted(true));
        assert_eq!((way.wait(), way.step(Tick)), (Some(Duration::ZERO), vec![ReadRecord]), "{place:?}");
    }
}
