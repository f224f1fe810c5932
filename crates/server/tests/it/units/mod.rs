//! Parts of the service, each by itself.

mod limits_address_limit;
mod limits_lanes;
mod limits_throttle;
mod limits_upgrade_limits;
