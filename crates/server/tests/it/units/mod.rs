//! Parts of the service, each by itself.

mod web;
mod ws_budget;
mod ws_connection;
mod ws_line;
mod ws_parser;
mod ws_queue;
mod ws_reader;
mod ws_reaper;
mod ws_upgrade_echo;
