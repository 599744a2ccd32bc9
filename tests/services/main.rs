//! The examples that are servers and clients, over the loopback.

mod polling_service;
mod proxy_service;
