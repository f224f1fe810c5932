//! The base of every game, whatever features it uses: ids, names, texts and their comparison, players, answers, the board, and
//! the frozen quiz. It does not depend on any feature.

pub(crate) mod answer;
pub(crate) mod board;
pub(crate) mod device;
pub(crate) mod fold;
pub(crate) mod frozen;
pub(crate) mod hex;
pub(crate) mod ids;
pub(crate) mod marking;
pub(crate) mod moment;
pub(crate) mod name;
pub(crate) mod phase;
pub(crate) mod refusal;
pub(crate) mod roster;
pub(crate) mod sheet;
