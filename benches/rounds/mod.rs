//! Contenders in turns, so that a machine that changes its speed changes it for all.

use std::time::{Duration, Instant};

/// How long each contender took in each round.
pub struct Times(Vec<Vec<Duration>>);

impl Times {
    /// Runs every contender once a round. The first round warms up and does not count.
    pub fn of<C>(rounds: usize, contenders: &mut [C], mut run: impl FnMut(&mut C) -> Duration) -> Self {
        let mut turn = || -> Vec<Duration> { contenders.iter_mut().map(&mut run).collect() };
        drop(turn());
        Self((0..rounds.max(1)).map(|_| turn()).collect())
    }

    /// The median of what a contender took, in seconds.
    pub fn seconds(&self, contender: usize) -> f64 {
        median(self.0.iter().map(|round| round[contender].as_secs_f64()))
    }

    /// How many times as fast as another one a contender is: the median of the ratios within a round.
    pub fn speed_over(&self, other: usize, contender: usize) -> f64 {
        median(self.0.iter().map(|round| round[other].as_secs_f64() / round[contender].as_secs_f64()))
    }
}

/// How many rounds the variable `ROUNDS` asks for.
pub fn asked(default: usize) -> usize {
    std::env::var("ROUNDS").ok().and_then(|rounds| rounds.parse().ok()).unwrap_or(default)
}

pub fn time(run: impl FnOnce()) -> Duration {
    let start = Instant::now();
    run();
    start.elapsed()
}

fn median(values: impl Iterator<Item = f64>) -> f64 {
    let mut values: Vec<f64> = values.collect();
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}
