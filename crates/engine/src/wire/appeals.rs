//! The outcome of an appeal in the words of the wire.

use quizhall_protocol::shapes::AppealOutcome;
use quizhall_rules as rules;

/// The outcome of an appeal, as messages and results spell it.
pub fn outcome(status: rules::AppealStatus) -> AppealOutcome {
    match status {
        rules::AppealStatus::Open => AppealOutcome::Open,
        rules::AppealStatus::Accepted => AppealOutcome::Accepted,
        rules::AppealStatus::Dismissed => AppealOutcome::Dismissed,
    }
}
