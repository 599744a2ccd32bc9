//! The arguments.

use std::path::PathBuf;

use clap::{Args as ClapArgs, CommandFactory, FromArgMatches, Parser, Subcommand, ValueEnum};

use crate::check::{Profile, Protocol, Severity};
use crate::schema::diff::Impact;
use crate::stream::Framing;

/// Check the wire contracts of agent event streams.
#[derive(Debug, Parser)]
#[command(
    name = "agent-contracts",
    version,
    about,
    after_help = "Exit status: 0 clean, 1 findings at or above --fail-on, 2 wrong usage or unreadable input.\n\
        Findings go to stdout, everything else to stderr."
)]
pub(super) struct Args {
    #[command(subcommand)]
    pub(super) command: Command,

    /// When to use colours; NO_COLOR is obeyed
    #[arg(long, global = true, value_enum, default_value_t = Color::Auto, value_name = "WHEN")]
    pub(super) color: Color,
}

#[derive(Debug, Subcommand)]
pub(super) enum Command {
    /// Check fixtures and recorded streams
    Check(Box<CheckArgs>),
    /// Run fixtures that say what they expect
    Test(TestArgs),
    /// Write the JSON Schemas, or check the committed ones
    Schema(SchemaArgs),
    /// List the rules
    Rules(RulesArgs),
    /// Explain a rule: what it means, why, and a failing and a fixed example
    Explain(ExplainArgs),
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
    pub(super) paths: Vec<String>,

    /// The protocol, with `@` its version; `auto` looks at the first events
    #[arg(long, default_value = "auto", value_name = "PROTOCOL", value_parser = auto(protocols()))]
    pub(super) protocol: String,

    /// How events are framed; `auto` looks at the first bytes
    #[arg(long, default_value = "auto", value_name = "FRAMING", value_parser = auto(Framing::ALL.iter().map(|framing| framing.as_str().to_owned())))]
    pub(super) framing: String,

    /// Which rules run: all, those of the protocol's reference implementation, or the published schema alone
    #[arg(long, default_value = "strict", value_name = "PROFILE", value_parser = ["strict", "reference", "schema"])]
    profile: String,

    /// The least severity that makes the exit status 1
    #[arg(long, default_value = "error", value_name = "SEVERITY", value_parser = ["error", "warning", "note"])]
    fail_on: String,

    /// How findings are printed
    #[arg(long, value_enum, default_value_t = Format::Human, value_name = "FORMAT")]
    pub(super) format: Format,

    /// Write findings to a file instead of stdout
    #[arg(long, value_name = "FILE")]
    pub(super) output_file: Option<PathBuf>,

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
}

fn auto(names: impl Iterator<Item = String>) -> clap::builder::PossibleValuesParser {
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
        if let (Command::Check(check), Some(matches)) = (&mut args.command, matches.subcommand_matches("check")) {
            check.overrides = overrides(matches);
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
    found.sort_by_key(|(place, ..)| *place);
    found.into_iter().map(|(_, name, severity)| (name, severity)).collect()
}

impl CheckArgs {
    pub(super) fn profile(&self) -> Profile {
        self.profile.parse().unwrap_or_default()
    }

    pub(super) fn fail_on(&self) -> Severity {
        self.fail_on.parse().unwrap_or(Severity::Error)
    }

    /// The protocol that was asked for, and its version.
    pub(super) fn protocol(&self) -> Option<(Protocol, Option<&'static str>)> {
        Protocol::from_versioned_id(&self.protocol)
    }

    /// Whether something is said of the connection that the stream came by.
    pub(super) fn subscribes(&self) -> bool {
        self.run_id.is_some() || self.resumed
    }

    pub(super) fn framing(&self) -> Option<Framing> {
        self.framing.parse().ok()
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum Format {
    /// For people
    Human,
    /// One JSON object, see schemas/report
    Json,
}

#[derive(Debug, ClapArgs)]
pub(super) struct TestArgs {
    /// Directories or files of fixtures
    #[arg(default_value = "fixtures", value_name = "DIR")]
    pub(super) paths: Vec<PathBuf>,

    /// Rewrite what the fixtures expect to what is found
    #[arg(long)]
    pub(super) bless: bool,
}

#[derive(Debug, ClapArgs)]
pub(super) struct SchemaArgs {
    #[command(subcommand)]
    pub(super) command: SchemaCommand,
}

#[derive(Debug, Subcommand)]
pub(super) enum SchemaCommand {
    /// Write the schemas
    Export {
        /// Where to
        #[arg(default_value = "schemas", value_name = "DIR")]
        dir: PathBuf,
    },
    /// Check that the committed schemas are byte for byte as generated
    Check {
        /// Where they are
        #[arg(default_value = "schemas", value_name = "DIR")]
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
    #[arg(value_name = "PATH", num_args = 0..=2)]
    pub(super) paths: Vec<PathBuf>,

    /// Compare a folder with what it was at a commit, branch or tag of its Git repository
    #[arg(long, value_name = "GITREF")]
    pub(super) against: Option<String>,

    /// The least impact that makes the exit status 1
    #[arg(long, default_value = "wire-breaking", value_name = "IMPACT", value_parser = ["wire-breaking", "source-breaking", "compatible"])]
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
    /// Only the rules of one protocol, of `input` or of `schema`
    #[arg(value_name = "PROTOCOL")]
    pub(super) protocol: Option<String>,
}

#[derive(Debug, ClapArgs)]
pub(super) struct ExplainArgs {
    /// The rule, such as lime/tool-needs-tool-call-id
    #[arg(value_name = "RULE")]
    pub(super) rule: String,
}
