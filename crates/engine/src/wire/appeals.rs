//! What became of an appeal, as the wire spells it.

use quizhall_protocol::shapes::AppealOutcome;
use quizhall_rules as rules;

/// What became of an appeal, as messages and results spell it.
pub fn outcome(status: rules::AppealStatus) -> AppealOutcome {
    match status {
        rules::AppealStatus::Open => AppealOutcome::Open,
        rules::AppealStatus::Accepted => AppealOutcome::Accepted,
        rules::AppealStatus::Dismissed => AppealOutcome::Dismissed,
    }
}
