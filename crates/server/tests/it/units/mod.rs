//! Parts of the service, each by itself.
mod auth_account_name;
mod auth_carrier;
mod auth_game_code;
mod auth_passwords;
mod auth_scopes;
mod auth_sessions;
mod auth_token;
mod http_address;
mod http_body;
mod http_field_shapes;
mod http_layers;
mod http_origin;
mod results_formula;
mod results_table;
mod store_postgres_hosts;
mod store_sqlite;
