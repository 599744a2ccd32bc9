//! The arguments.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
#[cfg(feature = "net")]
use std::time::Duration;

use clap::builder::{PossibleValue, PossibleValuesParser};
use clap::parser::ValueSource;
use clap::{Args as ClapArgs, CommandFactory, FromArgMatches, Parser, Subcommand, ValueEnum};

use super::config::flags::Flags;
use super::paths::path;
#[cfg(feature = "net")]
use super::units;
use crate::check::{Profile, Protocol, Severity};
use crate::schema::diff::Impact;
use crate::stream::Framing;

/// Check the wire contracts of agent event streams.
#[derive(Debug, Parser)]
#[command(
    name = "agent-contracts",
    version,
    about = "Record agent event streams (AG-UI, social-app, Ubik, polling, Lime), and check them against their wire contracts",
    after_help = "Exit status: 0 clean, 1 findings at or above --fail-on, 2 wrong usage or unreadable input.\n\
        Findings go to stdout, everything else to stderr."
)]
pub(super) struct Args {
    #[command(subcommand)]
    pub(super) command: Command,

    /// When to use colours; NO_COLOR is obeyed
    #[arg(long, global = true, value_enum, default_value_t = Color::Auto, value_name = "WHEN", display_order = 900)]
    pub(super) color: Color,
}

#[derive(Debug, Subcommand)]
pub(super) enum Command {
    /// Check fixtures and recorded streams
    Check(Box<CheckArgs>),
    /// Record a live stream, and check it as it comes
    #[cfg(feature = "net")]
    Record(Box<RecordArgs>),
    /// Record a live stream, and check it as it comes
    #[cfg(not(feature = "net"))]
    Record(NoRecordArgs),
    /// Run fixtures that say what they expect
    Test(TestArgs),
    /// Write, check and compare the JSON Schemas; write packages of them
    Schema(SchemaArgs),
    /// List the rules
    Rules(RulesArgs),
    /// Explain a rule: what it means, why, and a failing and a fixed example
    Explain(ExplainArgs),
    /// Print what a shell needs to complete arguments
    Completions(CompletionsArgs),
    /// Print the manual page, or write one for each command
    Man(ManArgs),
}

#[derive(Clone, Copy, Debug, ValueEnum)]
pub(super) enum Color {
    Auto,
    Always,
    Never,
}

impl Color {
    pub(super) fn apply(self) {
        match self {
            Self::Auto => {}
            Self::Always => anstream::ColorChoice::Always.write_global(),
            Self::Never => anstream::ColorChoice::Never.write_global(),
        }
    }
}

#[derive(Debug, ClapArgs)]
pub(super) struct CheckArgs {
    /// Files, directories or globs; `-` is standard input
    #[arg(default_value = ".", value_name = "PATH")]
    pub(super) paths: Vec<OsString>,

    #[command(flatten)]
    pub(super) flags: Flags,

    #[command(flatten)]
    pub(super) how: How,
}

/// How a stream is checked, and its findings are printed.
#[derive(Debug, ClapArgs)]
pub(super) struct How {
    /// The protocol, with `@` its version; `auto` looks at the first events
    #[arg(long, default_value = "auto", value_name = "PROTOCOL", value_parser = auto(protocols()))]
    pub(super) protocol: String,

    /// How events are framed; `auto` looks at the first bytes
    #[arg(long, default_value = "auto", value_name = "FRAMING", value_parser = auto(Framing::WORDS.iter().map(ToString::to_string)))]
    pub(super) framing: String,

    /// Which rules run: all, those of the protocol's reference implementation, or the published schema alone
    #[arg(long, default_value = "strict", value_name = "PROFILE", value_parser = one_of(Profile::WORDS))]
    profile: String,

    /// The least severity that makes the exit status 1
    #[arg(long, default_value = "error", value_name = "SEVERITY", value_parser = one_of(Severity::WORDS))]
    fail_on: String,

    #[command(flatten)]
    pub(super) output: OutputArgs,

    /// Report a rule or a code as error
    #[arg(long, value_name = "RULE|CODE")]
    deny: Vec<String>,

    /// Report a rule or a code as warning
    #[arg(long, value_name = "RULE|CODE")]
    warn: Vec<String>,

    /// Do not report a rule or a code
    #[arg(long, value_name = "RULE|CODE")]
    allow: Vec<String>,

    /// The three above in their order.
    #[arg(skip)]
    pub(super) overrides: Vec<(String, Option<Severity>)>,

    /// The run that the connection is for: events of other runs do not belong on it (social-app)
    #[arg(long, value_name = "ID", conflicts_with = "as_type")]
    pub(super) run_id: Option<String>,

    /// The stream goes on where another connection broke, so its beginning may be missing (social-app)
    #[arg(long, conflicts_with = "as_type")]
    pub(super) resumed: bool,

    /// Check each value by itself against one type, such as lime/Event or lime/Fixture
    #[arg(long = "as", value_name = "PROTOCOL/TYPE", conflicts_with_all = ["protocol", "framing"])]
    pub(super) as_type: Option<String>,

    /// Those of [`WITH_DEFAULTS`] that were given.
    #[arg(skip)]
    given: Vec<&'static str>,
}

/// The arguments that have a default and count more than the configuration where they are given.
const WITH_DEFAULTS: [&str; 6] = ["paths", "protocol", "framing", "profile", "fail_on", "max_findings"];

/// A parser for one of a few words, of which the last one says most, so that help begins with it. The words stay text:
/// a parser of each type would take kilobytes.
fn one_of(words: &'static [&'static str]) -> PossibleValuesParser {
    words.iter().rev().collect::<Vec<_>>().into()
}

fn auto(names: impl Iterator<Item = String>) -> PossibleValuesParser {
    std::iter::once("auto".to_owned()).chain(names).collect::<Vec<_>>().into()
}

/// The protocols, and the versions that a stream can be told to have.
fn protocols() -> impl Iterator<Item = String> {
    Protocol::ALL.iter().flat_map(|protocol| {
        let versions = protocol.versions().iter().map(move |version| format!("{protocol}@{version}"));
        std::iter::once(protocol.to_string()).chain(versions)
    })
}

impl Args {
    /// The arguments of the process.
    pub(super) fn read() -> Result<Self, clap::Error> {
        let matches = Self::command().try_get_matches()?;
        let mut args = Self::from_arg_matches(&matches)?;
        let how = match &mut args.command {
            Command::Check(check) => Some(&mut check.how),
            #[cfg(feature = "net")]
            Command::Record(record) => Some(&mut record.how),
            _ => None,
        };
        if let (Some(how), Some((_, matches))) = (how, matches.subcommand()) {
            how.overrides = overrides(matches);
            let is_given = |id: &&str| {
                matches.try_contains_id(id).is_ok() && matches.value_source(id) == Some(ValueSource::CommandLine)
            };
            how.given = WITH_DEFAULTS.into_iter().filter(is_given).collect();
        }
        Ok(args)
    }
}

/// `--deny`, `--warn` and `--allow` in the order in which they were given: the last counts.
fn overrides(matches: &clap::ArgMatches) -> Vec<(String, Option<Severity>)> {
    let mut found = Vec::new();
    for (flag, severity) in [("deny", Some(Severity::Error)), ("warn", Some(Severity::Warning)), ("allow", None)] {
        let names = matches.get_many::<String>(flag).into_iter().flatten();
        for (place, name) in matches.indices_of(flag).into_iter().flatten().zip(names) {
            found.push((place, name.clone(), severity));
        }
    }
    found.sort_unstable_by_key(|(place, ..)| *place);
    found.into_iter().map(|(_, name, severity)| (name, severity)).collect()
}

impl How {
    /// Whether an argument that has a default was given.
    pub(super) fn gave(&self, id: &str) -> bool {
        self.given.contains(&id)
    }

    pub(super) fn profile(&self) -> Profile {
        self.profile.parse().unwrap_or_default()
    }

    pub(super) fn fail_on(&self) -> Severity {
        self.fail_on.parse().unwrap_or(Severity::Error)
    }

    /// Whether something is said of the connection that the stream came by.
    pub(super) fn subscribes(&self) -> bool {
        self.run_id.is_some() || self.resumed
    }

    pub(super) fn framing(&self) -> Option<Framing> {
        self.framing.parse().ok()
    }
}

#[cfg(feature = "net")]
#[derive(Debug, ClapArgs)]
#[command(after_help = "Without --ask and --input this is a GET request, else a POST of JSON.\n\
        Ctrl-C ends the recording with its summary. Beside FILE, FILE.times.jsonl has the time of each piece.\n\
        An answer whose status is not 2xx goes to FILE.failed, and FILE is left as it was.")]
pub(super) struct RecordArgs {
    /// Where the stream is: http:// or https://
    #[arg(value_name = "URL")]
    pub(super) url: String,

    /// Write the body to a file, byte for byte as it comes
    #[arg(short, long, value_name = "FILE", value_parser = path())]
    pub(super) output: Option<PathBuf>,

    /// Send a JSON file as the body, such as a RunAgentInput; `-` is standard input
    #[arg(long, value_name = "FILE", value_parser = path())]
    pub(super) input: Option<PathBuf>,

    /// Ask an AG-UI agent: send a RunAgentInput with this text as the user's only message
    #[arg(long, value_name = "TEXT", conflicts_with = "input")]
    pub(super) ask: Option<String>,

    /// Send a header
    #[arg(long = "header", value_name = "NAME: VALUE")]
    pub(super) headers: Vec<String>,

    /// Send a header whose value is in an environment variable
    #[arg(long = "header-env", value_name = "NAME=VARIABLE")]
    pub(super) header_envs: Vec<String>,

    /// The method, if neither GET nor POST is right
    #[arg(long, value_name = "METHOD", value_parser = ["GET", "POST", "PUT", "PATCH", "DELETE"])]
    pub(super) method: Option<String>,

    /// Trust the certificates in a PEM file instead of the public certificate authorities
    #[arg(long, value_name = "FILE", value_parser = path())]
    pub(super) ca_file: Option<PathBuf>,

    /// How long to wait for a server that does not listen yet
    #[arg(long, default_value = "0s", value_name = "TIME", value_parser = units::time)]
    pub(super) wait: Duration,

    /// How long connecting may take
    #[arg(long, default_value = "10s", value_name = "TIME", value_parser = units::time)]
    pub(super) timeout: Duration,

    /// How long all of it may take; the recording ends then
    #[arg(long, default_value = "10m", value_name = "TIME", value_parser = units::time)]
    pub(super) max_time: Duration,

    /// How many bytes are recorded; the recording ends then
    #[arg(long, default_value = "64MiB", value_name = "SIZE", value_parser = units::size)]
    pub(super) max_bytes: u64,

    /// Report when nothing arrives for longer than this
    #[arg(long, default_value = "30s", value_name = "TIME", value_parser = units::time)]
    pub(super) keep_alive: Duration,

    /// Report a stream that arrives all at once after a wait longer than this
    #[arg(long, default_value = "1s", value_name = "TIME", value_parser = units::time)]
    pub(super) buffered: Duration,

    /// Read this configuration; otherwise the contracts.toml of this folder, or of the nearest above
    #[arg(long, value_name = "FILE", conflicts_with = "no_config", value_parser = path())]
    pub(super) config: Option<PathBuf>,

    /// Read no configuration
    #[arg(long)]
    pub(super) no_config: bool,

    #[command(flatten)]
    pub(super) how: How,
}

/// The arguments of a command that this build does not have.
#[cfg(not(feature = "net"))]
#[derive(Debug, ClapArgs)]
pub(super) struct NoRecordArgs {
    #[arg(hide = true, trailing_var_arg = true, allow_hyphen_values = true)]
    _rest: Vec<String>,
}

/// How findings are printed, and where to.
#[derive(Debug, ClapArgs)]
pub(super) struct OutputArgs {
    /// How findings are printed
    #[arg(long, value_enum, default_value_t = Format::Human, value_name = "FORMAT")]
    pub(super) format: Format,

    /// Write findings to a file instead of stdout
    #[arg(long, value_name = "FILE", value_parser = path())]
    pub(super) output_file: Option<PathBuf>,

    /// Write findings to a file as well, in a format of its own, such as sarif=found.sarif
    #[arg(long = "report", value_name = "FORMAT=FILE", value_parser = report)]
    reports: Vec<(Format, PathBuf)>,
}

impl OutputArgs {
    /// What is written: its format, and its file unless that is standard output.
    pub(super) fn outputs(&self) -> impl Iterator<Item = (Format, Option<&Path>)> {
        let reports = self.reports.iter().map(|(format, path)| (*format, Some(path.as_path())));
        std::iter::once((self.format, self.output_file.as_deref())).chain(reports)
    }

    /// The files that are written.
    pub(super) fn files(&self) -> impl Iterator<Item = &Path> {
        self.outputs().filter_map(|(_, path)| path)
    }
}

fn report(text: &str) -> Result<(Format, PathBuf), String> {
    let named = text.split_once('=').filter(|(_, path)| !path.is_empty());
    let (name, path) = named.ok_or("write a format and a file, such as sarif=found.sarif")?;
    let format = Format::from_str(name, false).map_err(|_| {
        let known: Vec<_> = Format::value_variants().iter().filter_map(ValueEnum::to_possible_value).collect();
        let known: Vec<_> = known.iter().map(PossibleValue::get_name).collect();
        format!("there is no such format; write one of {}", known.join(", "))
    })?;
    Ok((format, path.into()))
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum Format {
    /// For people
    Human,
    /// One JSON object; schemas/report describes that of `check`
    Json,
    /// SARIF 2.1.0, for code scanning
    Sarif,
    /// JUnit XML, for test reports
    Junit,
    /// Annotations of GitHub Actions; those beyond its limits go to the step summary
    Github,
    /// A Code Quality report of GitLab
    Gitlab,
    /// A table and the findings by file, for comments
    Markdown,
    /// One line a finding, for language models
    Agent,
}

#[derive(Debug, ClapArgs)]
pub(super) struct TestArgs {
    /// Directories or files of fixtures
    #[arg(default_value = "fixtures", value_name = "DIR", value_parser = path())]
    pub(super) paths: Vec<PathBuf>,

    /// Rewrite what the fixtures expect to what is found
    #[arg(long)]
    pub(super) bless: bool,

    #[command(flatten)]
    pub(super) output: OutputArgs,
}

#[derive(Debug, ClapArgs)]
pub(super) struct SchemaArgs {
    #[command(subcommand)]
    pub(super) command: SchemaCommand,
}

#[derive(Debug, Subcommand)]
pub(super) enum SchemaCommand {
    /// Write the schemas, and the declarations and catalogues that are made of them. Removes those that are no longer
    /// generated
    Export {
        /// The folder to write to
        #[arg(default_value = "schemas", value_name = "DIR", value_parser = path())]
        dir: PathBuf,
    },
    /// Check that the committed files are byte for byte as generated
    Check {
        /// The folder they are in
        #[arg(default_value = "schemas", value_name = "DIR", value_parser = path())]
        dir: PathBuf,
    },
    /// Write an OpenAPI 3.2 document for each protocol
    Openapi {
        /// The folder to write to
        #[arg(default_value = "openapi", value_name = "DIR", value_parser = path())]
        dir: PathBuf,
    },
    /// Write an npm package: types, validators, schemas for zod, and the schemas
    Npm {
        /// The folder to write to
        #[arg(value_name = "DIR", value_parser = path())]
        dir: PathBuf,
    },
    /// Compare two versions of schemas: what a change breaks, and for whom
    #[command(
        override_usage = "agent-contracts schema diff [OPTIONS] <OLD> <NEW>\n       \
            agent-contracts schema diff [OPTIONS] --against <GITREF> [DIR]",
        after_help = "Exit status: 0 no change at or above --fail-on, 1 such a change, 2 wrong usage or \
            unreadable input.\nChanges go to stdout, everything else to stderr."
    )]
    Diff(DiffArgs),
}

#[derive(Debug, ClapArgs)]
pub(super) struct DiffArgs {
    /// The old and the new schema, or two folders of `.schema.json` files; with --against one folder, or none for `schemas`
    #[arg(value_name = "PATH", num_args = 0..=2, value_parser = path())]
    pub(super) paths: Vec<PathBuf>,

    /// Compare a folder with what it was at a commit, branch or tag of its Git repository
    #[arg(long, value_name = "GITREF")]
    pub(super) against: Option<String>,

    /// The least impact that makes the exit status 1
    #[arg(long, default_value = "wire-breaking", value_name = "IMPACT", value_parser = one_of(Impact::WORDS))]
    fail_on: String,

    /// How changes are printed
    #[arg(long, value_enum, default_value_t = DiffFormat::Human, value_name = "FORMAT")]
    pub(super) format: DiffFormat,
}

impl DiffArgs {
    pub(super) fn fail_on(&self) -> Impact {
        self.fail_on.parse().unwrap_or(Impact::WireBreaking)
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum DiffFormat {
    /// For people
    Human,
    /// One JSON object
    Json,
}

#[derive(Debug, ClapArgs)]
pub(super) struct RulesArgs {
    /// Only the rules of one protocol, or `input`, `http` or `schema`
    #[arg(value_name = "PROTOCOL")]
    pub(super) protocol: Option<String>,
}

#[derive(Debug, ClapArgs)]
pub(super) struct ExplainArgs {
    /// The rule, such as lime/tool-needs-tool-call-id
    #[arg(value_name = "RULE")]
    pub(super) rule: String,
}

#[derive(Debug, ClapArgs)]
pub(super) struct CompletionsArgs {
    /// The shell
    #[arg(value_enum, value_name = "SHELL")]
    pub(super) shell: clap_complete::Shell,
}

#[derive(Debug, ClapArgs)]
pub(super) struct ManArgs {
    /// A folder for the pages; without it, the first page is printed
    #[arg(value_name = "DIR", value_parser = path())]
    pub(super) dir: Option<PathBuf>,
}
