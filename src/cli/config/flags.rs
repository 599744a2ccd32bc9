//! The options of `check` that go with the configuration.

use std::path::PathBuf;

use clap::Args as ClapArgs;

use crate::cli::paths::path;

#[derive(Debug, Default, ClapArgs)]
pub(in crate::cli) struct Flags {
    /// Read this configuration; otherwise the contracts.toml of this folder, or of the nearest above
    #[arg(long, value_name = "FILE", conflicts_with = "no_config", value_parser = path())]
    pub(in crate::cli) config: Option<PathBuf>,

    /// Read no configuration
    #[arg(long)]
    pub(in crate::cli) no_config: bool,

    /// Print the configuration that is in effect, with where each value comes from, and check nothing
    #[arg(long, conflicts_with_all = ["list_files", "write_baseline", "output_file", "reports"])]
    pub(in crate::cli) print_config: bool,

    /// Leave out files and folders that match
    #[arg(long, value_name = "GLOB")]
    pub(in crate::cli) exclude: Vec<String>,

    /// Check what ignore files such as .gitignore hide
    #[arg(long)]
    pub(in crate::cli) no_ignore: bool,

    /// Print what would be checked, one file a line with its protocol and framing, and check nothing
    #[arg(long, conflicts_with_all = ["format", "write_baseline", "output_file", "reports"])]
    pub(in crate::cli) list_files: bool,

    /// Print findings and errors, and nothing else
    #[arg(long, short, conflicts_with = "verbose")]
    pub(in crate::cli) quiet: bool,

    /// Say of each file what it was taken for, and how many events it has
    #[arg(long, short)]
    pub(in crate::cli) verbose: bool,

    /// Print at most so many findings, errors first; 0 prints all
    #[arg(long, default_value_t = 0, value_name = "N")]
    pub(in crate::cli) max_findings: usize,

    /// Check so many files at a time; 0 is as many as there are cores
    #[arg(long, short = 'j', default_value_t = 0, value_name = "N")]
    pub(in crate::cli) threads: usize,

    /// Report only what is not in this baseline
    #[arg(long, value_name = "FILE", value_parser = path())]
    pub(in crate::cli) baseline: Option<PathBuf>,

    /// Write what is found to the baseline, so that later checks report only what is new
    #[arg(long)]
    pub(in crate::cli) write_baseline: bool,
}
