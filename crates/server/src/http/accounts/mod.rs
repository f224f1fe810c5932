//! Accounts of hosts: signing in and out, with a password or a provider, their tokens and their webhooks.

pub(super) mod host_accounts;
pub(super) mod hosts;
pub(super) mod me;
pub(super) mod oidc;
pub(super) mod tokens;
pub(super) mod webhook_deliveries;
pub(super) mod webhooks;
