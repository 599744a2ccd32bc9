//! The checker of Lime: see `agent_contracts_fuzz::check`.
#![no_main]

use agent_contracts::Protocol;
use agent_contracts_fuzz::{check, recordings};

recordings!("lime", |data| check::stream(&Protocol::LIME, data));
