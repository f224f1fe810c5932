//! Parts of the service, each by itself.

mod web;
