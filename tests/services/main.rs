//! The examples that are servers and clients, over the loopback.

mod polling_service;
#[path = "../common/port.rs"]
mod port;
mod proxy_service;
