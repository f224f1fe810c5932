//! Parts of the service, each by itself.

mod cli_nodes;
mod cluster_bus_redis_address;
mod cluster_bus_redis_encode;
mod cluster_bus_redis_pulse;
mod cluster_members_busy;
mod games_live;
mod games_node_damage;
mod games_owner;
mod games_placement;
mod games_reading;
mod limits_address_limit;
mod limits_lanes;
mod limits_throttle;
mod limits_upgrade_limits;
mod pace;
mod serve_capacity;
mod serve_places;
mod serve_trace_context;
mod telemetry_writer;
