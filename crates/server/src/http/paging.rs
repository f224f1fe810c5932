//! The parameters `limit` and `cursor` of a list: the wanted page, and the cursor of the next one.
//!
//! Called by `quizzes`, `games` and `questions`. Without either parameter, quizzes and games are listed in full.

use axum::extract::{FromRequestParts, Query};
use axum::http::request::Parts;
use serde::Deserialize;
use uuid::Uuid;

use super::problem::{Kind, Refused};
use crate::store::{Page, Place};

/// Lines of a page when a request has a cursor but no limit.
const DEFAULT_LIMIT: u32 = 100;

/// Most lines of a page.
pub(super) const MAX_LIMIT: u32 = 1_000;

/// Hexadecimal digits of the time in a cursor; those of the id follow.
const TIME_DIGITS: usize = 16;

/// The page that a request asks for; `None` without parameters. 400 for parameters that cannot be read.
pub(super) struct Paging(Option<Page>);

#[derive(Deserialize)]
struct Asked {
    limit: Option<u32>,
    cursor: Option<String>,
}

impl<S: Send + Sync> FromRequestParts<S> for Paging {
    type Rejection = Refused;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, Refused> {
        let Query(asked) = Query::<Asked>::try_from_uri(&parts.uri).map_err(|_| unreadable())?;
        if asked.limit.is_none() && asked.cursor.is_none() {
            return Ok(Self(None));
        }
        let after = asked.cursor.map(|cursor| place(&cursor).ok_or_else(unreadable)).transpose()?;
        let limit = asked.limit.unwrap_or(DEFAULT_LIMIT);
        if !(1..=MAX_LIMIT).contains(&limit) {
            return Err(unreadable());
        }
        Ok(Self(Some(Page { limit, after })))
    }
}

impl Paging {
    /// The first page with its default limit when no page was requested.
    pub(super) fn or_first(self) -> Self {
        Self(Some(self.0.unwrap_or(Page::first(DEFAULT_LIMIT))))
    }

    /// The page to read from the store: one line more than requested, which shows whether another page follows.
    pub(super) fn asked(&self) -> Option<Page> {
        self.0.map(|page| Page { limit: page.limit + 1, ..page })
    }

    /// Cuts the lines read for [`Self::asked`] to the page, and returns the cursor of the next page, if there is one.
    pub(super) fn cut<T>(&self, lines: &mut Vec<T>, place_of: impl Fn(&T) -> Place) -> Option<String> {
        let limit = usize::try_from(self.0?.limit).ok()?;
        if lines.len() <= limit {
            return None;
        }
        lines.truncate(limit);
        lines.last().map(|line| cursor(place_of(line)))
    }
}

fn cursor(place: Place) -> String {
    format!("{:0TIME_DIGITS$x}{}", place.time_ms, place.id.simple())
}

fn place(cursor: &str) -> Option<Place> {
    let (time, id) = cursor.split_at_checked(TIME_DIGITS)?;
    let is_hexadecimal = cursor.len() == TIME_DIGITS + 32 && cursor.bytes().all(|byte| byte.is_ascii_hexdigit());
    is_hexadecimal.then_some(())?;
    Some(Place { time_ms: i64::from_str_radix(time, 16).ok()?, id: Uuid::try_parse(id).ok()? })
}

fn unreadable() -> Refused {
    Refused::new(Kind::BAD_REQUEST, "Give limit as a number from 1 to 1000, and cursor as `next` had it.")
}
