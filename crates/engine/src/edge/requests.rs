//! Commands that came over HTTP and wait for their outcome.

use std::collections::BTreeMap;

use quizhall_rules::{Actor, Command, Refusal};

use super::{Edge, EdgeEffect, RequestError};
use crate::frames::ToOwner;
use crate::ids::{RequestId, Time};

#[derive(Debug, Default)]
pub(super) struct Requests {
    waiting: BTreeMap<RequestId, Pending>,
}

#[derive(Debug)]
struct Pending {
    actor: Actor,
    command: Command,
    give_up: Time,
}

impl Requests {
    pub fn is_empty(&self) -> bool {
        self.waiting.is_empty()
    }

    pub fn len(&self) -> usize {
        self.waiting.len()
    }

    /// Sends unanswered requests again; their effects are idempotent by themselves.
    pub fn retransmit(&mut self, now: Time, effects: &mut Vec<EdgeEffect>) {
        let overdue: Vec<_> =
            self.waiting.iter().filter(|(_, pending)| now >= pending.give_up).map(|(id, _)| *id).collect();
        for request in overdue {
            self.waiting.remove(&request);
            effects.push(EdgeEffect::Answer(request, Err(RequestError::Unavailable)));
        }
        for (&request, pending) in &self.waiting {
            let (actor, command) = (pending.actor, pending.command.clone());
            effects.push(EdgeEffect::ToOwner(ToOwner::Request { request, actor, command }));
        }
    }
}

impl Edge {
    pub(super) fn request(
        &mut self,
        now: Time,
        request: RequestId,
        actor: Actor,
        command: Command,
        effects: &mut Vec<EdgeEffect>,
    ) {
        let pending = Pending { actor, command: command.clone(), give_up: now + self.options.command_timeout };
        self.requests.waiting.insert(request, pending);
        effects.push(EdgeEffect::ToOwner(ToOwner::Request { request, actor, command }));
    }

    pub(super) fn answered(&mut self, request: RequestId, result: Result<(), Refusal>, effects: &mut Vec<EdgeEffect>) {
        if self.requests.waiting.remove(&request).is_some() {
            effects.push(EdgeEffect::Answer(request, result.map_err(RequestError::Refused)));
        }
    }
}
