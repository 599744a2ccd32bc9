//! Full strict checking and typed decoding against what others merely parse.
//!
//! `cargo bench --bench check`. For the ratios of one table see the bench `ratios`.

use criterion::{Criterion, Throughput, criterion_group, criterion_main};

#[path = "streams/mod.rs"]
mod streams;

use streams::{Contender, Stream};

fn bench(criterion: &mut Criterion) {
    for stream in Stream::named("", streams::LONG) {
        stream.assert_clean();
        let mut group = criterion.benchmark_group(stream.name);
        group.throughput(Throughput::ElementsAndBytes {
            elements: stream.lines.len() as u64,
            bytes: stream.bytes.len() as u64,
        });
        for contender in Contender::ALL {
            group.bench_function(contender.name(), |b| b.iter(|| contender.run(&stream)));
        }
        group.finish();
    }
}

criterion_group!(benches, bench);
criterion_main!(benches);
