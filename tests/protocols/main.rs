//! The types of the protocols, and what works on them.

#[path = "../common/mod.rs"]
mod common;

mod agreement;
mod agui_legacy;
mod cases;
mod examples;

mod polling_convert;
mod polling_cursor;
mod polling_types;
mod polling_view;
mod roundtrip;
mod social_app;
mod social_app_to_agui;
mod toy_protocol;
mod ubik_bodies;

mod ubik_chunks;
mod ubik_convert;
mod ubik_markup;
mod ubik_transcript;
mod ubik_types;
