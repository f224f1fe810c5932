//! Who may send which command, and in which phases (messages.md#phases). Called by `decide` before anything else of the
//! state is looked at.

use crate::{Actor, Command, HostRole, Phase, Refusal, Setting, State};

/// The actors who may send a command.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Sender {
    Host,
    Player,
    Service,
    HostOrService,
}

/// When a command is valid. The phases bind the host and the players; the service acts in every phase.
#[derive(Clone, Copy)]
pub(crate) struct Rule {
    pub sender: Sender,
    pub phases: &'static [Phase],
}

impl Rule {
    /// Every phase in which the host or a player can send anything.
    pub const BEFORE_THE_END: &'static [Phase] = Phase::ALL.split_at(4).0;

    /// From the start to the end.
    const ROUNDS: &'static [Phase] = &[Phase::Question, Phase::RoundReview, Phase::Leaderboard];

    const fn host(phases: &'static [Phase]) -> Self {
        Self { sender: Sender::Host, phases }
    }

    fn of(command: &Command) -> Self {
        use Command as C;
        match command {
            C::Join(_)
            | C::Leave { .. }
            | C::Return { .. }
            | C::HostLeave
            | C::HostReturn
            | C::MarkTimers
            | C::Expire(_)
            | C::MoveSeat(_)
            | C::AddDevice(_)
            | C::Close => Self { sender: Sender::Service, phases: &[] },
            C::Remove { .. } => Self { sender: Sender::HostOrService, phases: Self::BEFORE_THE_END },
            // A phone can also die while the winner is looked at.
            C::IssueSeatCode(_) | C::RemovePhone { .. } => Self { sender: Sender::HostOrService, phases: &Phase::ALL },
            C::Set(setting) => setting.rule(),
            C::SetExtraTime { .. }
            | C::EditQuestion(_)
            | C::RenamePlayer { .. }
            | C::AddSeat(_)
            | C::AddCoHost(_)
            | C::Ban { .. } => Self::host(Self::BEFORE_THE_END),
            // A screen shows the end of a game as well.
            C::AddScreen(_) | C::RemoveScreen { .. } | C::RemoveCoHost { .. } => Self::host(&Phase::ALL),
            C::StartGame => Self::host(&[Phase::Lobby]),
            C::ReleaseQuestion { .. }
            | C::EndRound
            | C::SetTimer(_)
            | C::AddTime(_)
            | C::HoldTimers { .. }
            | C::SetAutopilot(_) => Self::host(&[Phase::Question]),
            C::StartBreak { .. } | C::EndBreak => Self::host(&[Phase::Lobby, Phase::RoundReview, Phase::Leaderboard]),
            C::RevealAnswer { .. } => Self::host(&[Phase::RoundReview, Phase::Leaderboard]),
            C::ShowTally { .. }
            | C::CorrectMarks { .. }
            | C::CorrectPlayers { .. }
            | C::DismissAppeal { .. }
            | C::WithdrawQuestion { .. } => Self::host(Self::ROUNDS),
            C::Appeal { .. } => Self { sender: Sender::Player, phases: Self::ROUNDS },
            C::SubmitAnswer { .. } | C::SuggestAnswer { .. } => {
                Self { sender: Sender::Player, phases: &[Phase::Question] }
            }
            C::PlayJoker | C::AnswerTieBreak { .. } => Self { sender: Sender::Player, phases: Self::BEFORE_THE_END },
            C::AcceptAnswer { .. } | C::OpenDesk { .. } | C::UndoMarking | C::EnterAnswer(_) => {
                Self::host(&[Phase::Question, Phase::RoundReview])
            }
            C::OverrideAnswer { .. } | C::MarkAnswers { .. } | C::ReleaseScores | C::ReleaseOwnScores => {
                Self::host(&[Phase::RoundReview])
            }
            C::ShowStandings | C::StartNextRound | C::EndGame | C::TieBreak(_) | C::EndTieBreak => {
                Self::host(&[Phase::Leaderboard])
            }
        }
    }
}

impl Sender {
    fn includes(self, actor: Actor) -> bool {
        match actor {
            Actor::Host | Actor::CoHost(_) => matches!(self, Self::Host | Self::HostOrService),
            Actor::Player(_) | Actor::Device(..) => self == Self::Player,
            Actor::Service => matches!(self, Self::Service | Self::HostOrService),
        }
    }
}

impl HostRole {
    /// Whether a co-host of this role may send one of the host's commands.
    fn includes(self, command: &Command) -> bool {
        use Command as C;
        match self {
            Self::Host => !matches!(command, C::AddCoHost(_) | C::RemoveCoHost { .. }),
            Self::Marker => matches!(
                command,
                C::OverrideAnswer { .. }
                    | C::MarkAnswers { .. }
                    | C::AcceptAnswer { .. }
                    | C::OpenDesk { .. }
                    | C::UndoMarking
                    | C::CorrectMarks { .. }
                    | C::CorrectPlayers { .. }
                    | C::DismissAppeal { .. }
                    | C::EnterAnswer(_)
            ),
            Self::Moderator => matches!(
                command,
                C::Set(Setting::Locked(_))
                    | C::Remove { .. }
                    | C::Ban { .. }
                    | C::RenamePlayer { .. }
                    | C::IssueSeatCode(_)
                    | C::RemovePhone { .. }
                    | C::AddSeat(_)
            ),
        }
    }
}

/// Refuses a command of the wrong actor, in the wrong phase, or of a co-host of the wrong role.
pub(crate) fn check(state: &State, actor: Actor, command: &Command) -> Result<(), Refusal> {
    let phase = state.phase();
    let Rule { sender, phases } = Rule::of(command);
    if !sender.includes(actor) {
        return Err(Refusal::WrongRole);
    }
    if phase == Phase::Ended && matches!(command, Command::Join(_) | Command::AddDevice(_)) {
        return Err(Refusal::Ended);
    }
    if actor != Actor::Service && !phases.contains(&phase) {
        return Err(Refusal::WrongPhase);
    }
    let Some(device) = actor.as_host() else { return Ok(()) };
    let may_send = state.host_role(device).is_some_and(|role| device.is_first() || role.includes(command));
    if may_send { Ok(()) } else { Err(Refusal::WrongRole) }
}
