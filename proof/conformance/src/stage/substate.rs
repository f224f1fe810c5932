//! The sub-states that rows are played in, eleven of the interface and one of the extension, and how a stage gets there.

use super::model::Phase;

/// Where a game stands when a row begins.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum SubState {
    /// Lobby, nobody but the sender and the host.
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
}

use Step::{
    EndGame, EndRound, FirstAnswersWrong, Override, Release, ReleaseOwnScores, ReleaseScores, SecondAnswersRight, Start,
};

impl SubState {
    /// The interface's eleven, in the order of a game.
    pub const ALL: [Self; 11] = [
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
        Self::Ended,
    ];

    /// All twelve, for games whose host speaks the extension.
    pub const ALL_V1: [Self; 12] = [
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
    ];

    /// The one that stands for a whole phase in the core matrix.
    pub const fn of_phase(phase: Phase) -> Self {
        match phase {
            Phase::Lobby => Self::Lobby,
            Phase::Question => Self::OneOpen,
            Phase::Review => Self::Review,
            Phase::Leaderboard => Self::MoreRounds,
            Phase::Ended => Self::Ended,
        }
    }

    /// Its phase.
    pub const fn phase(self) -> Phase {
        match self {
            Self::LobbyAlone | Self::Lobby => Phase::Lobby,
            Self::NoneOpen | Self::OneOpen | Self::TwoOpen | Self::Answered => Phase::Question,
            Self::Review | Self::Overridden => Phase::Review,
            Self::MoreRounds | Self::LastRound | Self::Held => Phase::Leaderboard,
            Self::Ended => Phase::Ended,
        }
    }

    /// Its name in a row's id.
    pub const fn name(self) -> &'static str {
        match self {
            Self::LobbyAlone => "lobby_alone",
            Self::Lobby => "lobby",
            Self::NoneOpen => "none_open",
            Self::OneOpen => "one_open",
            Self::TwoOpen => "two_open",
            Self::Answered => "answered",
            Self::Review => "review",
            Self::Overridden => "overridden",
            Self::MoreRounds => "more_rounds",
            Self::LastRound => "last_round",
            Self::Held => "held",
            Self::Ended => "ended",
        }
    }

    /// What it is, for the documentation.
    pub const fn words(self) -> &'static str {
        match self {
            Self::LobbyAlone => "`lobby`, nobody there but the sender and the host",
            Self::Lobby => "`lobby`, two players",
            Self::NoneOpen => "`question`, none open",
            Self::OneOpen => "`question`, one open, not answered",
            Self::TwoOpen => "`question`, two open",
            Self::Answered => "`question`, one open, answered by the first player",
            Self::Review => "`round_review`, first player wrong, second right",
            Self::Overridden => "`round_review`, the first player's answer overridden to correct",
            Self::MoreRounds => "`leaderboard`, a round to come",
            Self::LastRound => "`leaderboard` after the last round",
            Self::Held => "`leaderboard` after the last round, the standings held",
            Self::Ended => "`ended`",
        }
    }

    /// Whether it is played with the quiz of one round.
    pub const fn is_last_round(self) -> bool {
        matches!(self, Self::LastRound | Self::Held | Self::Ended)
    }

    /// The way there from a new game.
    pub const fn steps(self) -> &'static [Step] {
        match self {
            Self::LobbyAlone | Self::Lobby => &[],
            Self::NoneOpen => &[Start],
            Self::OneOpen => &[Start, Release(0)],
            Self::TwoOpen => &[Start, Release(0), Release(1)],
            Self::Answered => &[Start, Release(0), FirstAnswersWrong],
            Self::Review => &[Start, Release(0), FirstAnswersWrong, SecondAnswersRight, EndRound],
            Self::Overridden => &[Start, Release(0), FirstAnswersWrong, SecondAnswersRight, EndRound, Override],
            Self::MoreRounds | Self::LastRound => {
                &[Start, Release(0), FirstAnswersWrong, SecondAnswersRight, EndRound, ReleaseScores]
            }
            Self::Held => &[Start, Release(0), FirstAnswersWrong, SecondAnswersRight, EndRound, ReleaseOwnScores],
            Self::Ended => {
                &[Start, Release(0), FirstAnswersWrong, SecondAnswersRight, EndRound, ReleaseScores, EndGame]
            }
        }
    }
}
