//! The checker of Ubik: see `agent_contracts_fuzz::check`.
#![no_main]

use agent_contracts::Protocol;
use agent_contracts_fuzz::{check, recordings};

recordings!("ubik", |data| check::stream(&Protocol::UBIK, data));
