//! The base of every game, whatever features it uses: ids, names, texts and their comparison, players, answers, the board, and
//! the frozen quiz. It does not depend on any feature.

pub(crate) mod adjustment;
pub(crate) mod answer;
pub(crate) mod board;
pub(crate) mod command_id;
pub(crate) mod device;
pub(crate) mod fold;
pub(crate) mod frozen;
pub(crate) mod game;
pub(crate) mod hex;
pub(crate) mod ids;
pub(crate) mod left_out;
pub(crate) mod marking;
pub(crate) mod moment;
pub(crate) mod name;
pub(crate) mod options;
pub(crate) mod percent;
pub(crate) mod played;
pub(crate) mod player;
pub(crate) mod refusal;
pub(crate) mod roster;
pub(crate) mod sheet;
pub(crate) mod team;
pub(crate) mod token;

pub(crate) use adjustment::Adjustment;
pub(crate) use answer::{AnswerText, AnswerTexts};
pub(crate) use board::{Board, NOT_ASKED, Standing};
pub(crate) use command_id::CommandId;
pub(crate) use device::{Device, PlayerDevice, TeamCode};
pub(crate) use frozen::{FrozenQuiz, Place};
pub(crate) use game::Game;
pub(crate) use ids::{AdjustmentId, CoHostId, DeviceId, GameId, HostId, PlayerId, ScreenId};
pub(crate) use left_out::{is_false, is_zero};
pub(crate) use marking::{Mark, MarkingRule};
pub(crate) use moment::Moment;
pub(crate) use name::DisplayName;
pub(crate) use options::{AutopilotPlan, PlayOptions};
pub(crate) use percent::{NOMINAL, is_nominal, nominal, share};
pub(crate) use player::{Appealed, Player, PlayerSlot};
pub(crate) use quizhall_quiz::{BoardAfter, Pace, Phase};
pub(crate) use refusal::Refusal;
pub(crate) use roster::Roster;
pub(crate) use sheet::{Answer, HostMark, KeyMark, Played, Sheet, Worth};
pub(crate) use team::{Phone, Suggestion, Team, TeamPhone, Teams};
pub(crate) use token::TokenHash;
