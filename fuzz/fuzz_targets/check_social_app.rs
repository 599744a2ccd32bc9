//! The checker of social-app: see `agent_contracts_fuzz::check`.
#![no_main]

use agent_contracts::Protocol;
use agent_contracts_fuzz::{check, recordings};

recordings!("social-app", |data| check::stream(&Protocol::SOCIAL_APP, data));
