//! What is found in streams, where, and at what cost.

#[path = "../common/mod.rs"]
mod common;

mod attacks;
mod detection;
mod doors;
mod events;
mod faults;
mod hostile;
mod json_suite;
mod leak;
mod limits;
mod one_fault;
mod order;
mod paths;
mod places;
mod seams;
mod secrets;
mod sse_suite;
mod streams;
