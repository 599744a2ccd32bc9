//! The checker of AG-UI: see `agent_contracts_fuzz::check`.
#![no_main]

use agent_contracts::Protocol;
use agent_contracts_fuzz::{check, recordings};

recordings!("agui", |data| check::stream(&Protocol::AGUI, data));
