//! The picture or the sound of a question: its file, its kind, and the text that replaces it.
//!
//! The store of files checks the owner of the file, and whether it is of the kind that the question names.

use serde::{Deserialize, Serialize};
use ts_rs::TS;
use utoipa::ToSchema;
use uuid::Uuid;

use crate::Question;
use crate::check::{Check, line};

/// How a file is perceived.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum MediaKind {
    /// A picture to show.
    Picture,
    /// A sound to play.
    Sound,
}

/// A file that belongs to a question, in the log and in the HTTP API.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct QuestionMedia {
    /// The file, as `POST /api/v1/media` named it; one of the quiz's owner.
    pub id: Uuid,
    /// `picture` or `sound`, which the file must be.
    pub kind: MediaKind,
    /// The alternative text, 1 to 300 characters; a sound may have none.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub alt: String,
    /// Its media type. Given by the server; ignored in what a client sends.
    #[serde(rename = "type", default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub media_type: Option<String>,
    /// Its length. Given by the server; ignored in what a client sends.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub bytes: Option<u32>,
    /// Width of a picture in pixels, if its file states it. Given by the server; ignored in what a client sends.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub width: Option<u32>,
    /// Its height, likewise.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub height: Option<u32>,
}

impl QuestionMedia {
    pub(crate) fn check(&self, place: &str) -> Check {
        if self.kind == MediaKind::Sound && self.alt.is_empty() {
            return Ok(());
        }
        line(&format!("{place}.alt"), &self.alt, Question::LIMITS.alt)
    }
}
