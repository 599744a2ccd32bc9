//! The checker of the task API: see `agent_contracts_fuzz::check`.
#![no_main]

use agent_contracts::Protocol;
use agent_contracts_fuzz::{check, recordings};

recordings!("polling", |data| check::stream(&Protocol::POLLING, data));
