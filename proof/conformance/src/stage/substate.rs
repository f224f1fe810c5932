//! The sub-states in which rows are played (eleven of the interface and two of the extension), and the steps by which a stage
//! gets there.

use quizhall_oracle::Phase;
use quizhall_protocol::Dialect;

/// The state of a game when a row begins.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum SubState {
    /// Lobby, no participant but the sender and the host.
    LobbyAlone,
    /// Lobby with two players.
    Lobby,
    /// Question phase, no question open.
    NoneOpen,
    /// One question open, not answered.
    OneOpen,
    /// Two questions open.
    TwoOpen,
    /// One question open, answered by the first player.
    Answered,
    /// Review of a round: the first player wrong, the second right.
    Review,
    /// The same after the first player's answer was overridden to correct.
    Overridden,
    /// Leaderboard with a round to come.
    MoreRounds,
    /// Leaderboard after the last round.
    LastRound,
    /// The same with the standings held, which only a host who speaks the extension can do.
    Held,
    /// Over.
    Ended,
    /// The review with the answer to its question revealed, which only a host who speaks the extension can do.
    Revealed,
}

/// One step on the way, in terms of the round's first questions and the two players.
#[derive(Debug, Clone, Copy)]
pub enum Step {
    /// `start_game`
    Start,
    /// `release_question` of the round's question of this number.
    Release(usize),
    /// The first player answers the first question wrongly.
    FirstAnswersWrong,
    /// The second player answers the first question rightly.
    SecondAnswersRight,
    /// `end_round`
    EndRound,
    /// The first player's answer is made correct.
    Override,
    /// `release_scores`
    ReleaseScores,
    /// `release_own_scores`
    ReleaseOwnScores,
    /// `end_game`
    EndGame,
    /// `reveal_answer` of the round's question of this number.
    Reveal(usize),
}

use Step::{
    EndGame, EndRound, FirstAnswersWrong, Override, Release, ReleaseOwnScores, ReleaseScores, Reveal,
    SecondAnswersRight, Start,
};

/// The properties of a sub-state.
struct Row {
    phase: Phase,
    name: &'static str,
    words: &'static str,
    steps: &'static [Step],
}

const fn row(phase: Phase, name: &'static str, words: &'static str, steps: &'static [Step]) -> Row {
    Row { phase, name, words, steps }
}

impl SubState {
    /// All thirteen, the last one outside the order of a game.
    const ALL: [Self; 13] = [
        Self::LobbyAlone,
        Self::Lobby,
        Self::NoneOpen,
        Self::OneOpen,
        Self::TwoOpen,
        Self::Answered,
        Self::Review,
        Self::Overridden,
        Self::MoreRounds,
        Self::LastRound,
        Self::Held,
        Self::Ended,
        Self::Revealed,
    ];

    /// The sub-states of games whose host speaks this dialect, in the order of a game.
    pub fn all(dialect: Dialect) -> impl Iterator<Item = Self> {
        let is_of_extension = |state: &Self| matches!(state, Self::Held | Self::Revealed);
        Self::ALL.into_iter().filter(move |state| !is_of_extension(state) || dialect == Dialect::QuizhallV1)
    }

    /// The sub-state that represents a whole phase in the core matrix.
    pub const fn of_phase(phase: Phase) -> Self {
        match phase {
            Phase::Lobby => Self::Lobby,
            Phase::Question => Self::OneOpen,
            Phase::Review => Self::Review,
            Phase::Leaderboard => Self::MoreRounds,
            Phase::Ended => Self::Ended,
        }
    }

    const fn row(self) -> Row {
        const REVIEW: &[Step] = &[Start, Release(0), FirstAnswersWrong, SecondAnswersRight, EndRound];
        const SCORED: &[Step] = &[Start, Release(0), FirstAnswersWrong, SecondAnswersRight, EndRound, ReleaseScores];
        match self {
            Self::LobbyAlone => {
                row(Phase::Lobby, "lobby_alone", "`lobby`, no participant but the sender and the host", &[])
            }
            Self::Lobby => row(Phase::Lobby, "lobby", "`lobby`, two players", &[]),
            Self::NoneOpen => row(Phase::Question, "none_open", "`question`, none open", &[Start]),
            Self::OneOpen => {
                row(Phase::Question, "one_open", "`question`, one open, not answered", &[Start, Release(0)])
            }
            Self::TwoOpen => row(Phase::Question, "two_open", "`question`, two open", &[Start, Release(0), Release(1)]),
            Self::Answered => {
                let words = "`question`, one open, answered by the first player";
                row(Phase::Question, "answered", words, &[Start, Release(0), FirstAnswersWrong])
            }
            Self::Review => row(Phase::Review, "review", "`round_review`, first player wrong, second right", REVIEW),
            Self::Overridden => {
                let words = "`round_review`, the first player's answer overridden to correct";
                let steps = &[Start, Release(0), FirstAnswersWrong, SecondAnswersRight, EndRound, Override];
                row(Phase::Review, "overridden", words, steps)
            }
            Self::MoreRounds => row(Phase::Leaderboard, "more_rounds", "`leaderboard`, a round to come", SCORED),
            Self::LastRound => row(Phase::Leaderboard, "last_round", "`leaderboard` after the last round", SCORED),
            Self::Held => {
                let words = "`leaderboard` after the last round, the standings held";
                let steps = &[Start, Release(0), FirstAnswersWrong, SecondAnswersRight, EndRound, ReleaseOwnScores];
                row(Phase::Leaderboard, "held", words, steps)
            }
            Self::Ended => {
                let steps =
                    &[Start, Release(0), FirstAnswersWrong, SecondAnswersRight, EndRound, ReleaseScores, EndGame];
                row(Phase::Ended, "ended", "`ended`", steps)
            }
            Self::Revealed => {
                let words = "`round_review`, the right answer revealed";
                let steps = &[Start, Release(0), FirstAnswersWrong, SecondAnswersRight, EndRound, Reveal(0)];
                row(Phase::Review, "revealed", words, steps)
            }
        }
    }

    /// Its phase.
    pub const fn phase(self) -> Phase {
        self.row().phase
    }

    /// Its name in a row's id.
    pub const fn name(self) -> &'static str {
        self.row().name
    }

    /// Its description, for the documentation.
    pub const fn words(self) -> &'static str {
        self.row().words
    }

    /// Whether it is played with the quiz of one round.
    pub const fn is_last_round(self) -> bool {
        matches!(self, Self::LastRound | Self::Held | Self::Ended)
    }

    /// The steps to it from a new game.
    pub const fn steps(self) -> &'static [Step] {
        self.row().steps
    }
}
