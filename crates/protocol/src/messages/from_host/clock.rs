//! Payloads of a host's messages about time: timers, closings, the autopilot, extra time and breaks.

use uuid::Uuid;

crate::messages::payload! {
    /// Payload of `set_timer`.
    SetTimer {
        /// An open question of the current round; absent for the timer of the round.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        question_id: Option<Uuid> = "questionId",
        /// 5 to 600.
        seconds: u32 = "seconds" from 5 to 600,
    }
}

crate::messages::payload! {
    /// Payload of `add_time`.
    AddTime {
        /// An open question of the current round; absent for the timer of the round.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        question_id: Option<Uuid> = "questionId",
        /// 1 to 600.
        seconds: u32 = "seconds" from 1 to 600,
    }
}

crate::messages::payload! {
    /// Payload of `close_question`.
    CloseQuestion {
        /// A question released in this round.
        question_id: Uuid = "questionId",
    }
}

crate::messages::payload! {
    /// Payload of `set_close_when_answered`.
    SetCloseWhenAnswered {
        /// Whether questions close when all have answered.
        on: bool = "on",
    }
}

crate::messages::payload! {
    /// Payload of `start_autopilot`; `autopilot_status` repeats it.
    #[derive(utoipa::ToSchema)]
    #[serde(rename_all = "camelCase")]
    AutopilotPlan {
        /// Seconds for which a question without a time limit of its own is open, 5 to 600.
        #[schema(minimum = 5, maximum = 600)]
        answer_for: u32 = "answerFor" from 5 to 600,
        /// Seconds for which the tally of a poll, an answer, or a picture without standings is shown, 5 to 600.
        #[schema(minimum = 5, maximum = 600)]
        reveal_for: u32 = "revealFor" from 5 to 600,
        /// Seconds before each question, and before the end of the round, 5 to 600.
        #[schema(minimum = 5, maximum = 600)]
        break_for: u32 = "breakFor" from 5 to 600,
        /// Whether the next step waits while the host is not connected.
        hold_without_host: bool = "holdWithoutHost",
        /// Seconds for which standings are shown, 5 to 600 (additive; absent: as `revealFor`).
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[schema(minimum = 5, maximum = 600)]
        standings_for: Option<u32> = "standingsFor" from 5 to 600,
        /// Whether the scores of a round wait until the host has decided about its texts: `waitsFor` of `step_update` (additive; absent: true).
        #[serde(default, skip_serializing_if = "Option::is_none")]
        hold_for_marking: Option<bool> = "holdForMarking",
    }
}

impl AutopilotPlan {
    pub(in crate::messages) const EXAMPLE: Self = Self {
        answer_for: 30,
        reveal_for: 8,
        break_for: 10,
        hold_without_host: true,
        standings_for: Some(15),
        hold_for_marking: Some(true),
    };
}

crate::messages::payload! {
    /// Payload of `set_extra_time`.
    SetExtraTime {
        /// Whose.
        player_id: Uuid = "playerId",
        /// The player's time as a percentage of every timer, 100 to 300; 100 is no extra time.
        percent: u32 = "percent" from 100 to 300,
    }
}

crate::messages::payload! {
    /// Payload of `start_break`.
    StartBreak {
        /// 5 to 3,600.
        seconds: u32 = "seconds" from 5 to 3600,
        /// At most 200 characters, shown with the clock (additive; none when absent).
        #[serde(default, skip_serializing_if = "Option::is_none")]
        text: Option<String> = "text" in 0..=200,
    }
}
