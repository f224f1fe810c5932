//! Parts of the service, each by itself.

mod games_live;
mod games_node_damage;
mod games_owner;
mod games_placement;
mod games_reading;
mod limits_address_limit;
mod limits_lanes;
mod limits_throttle;
mod limits_upgrade_limits;
