//! `contracts.toml` as it is written. [`super::read`] says what it means.

use std::collections::BTreeMap;

use serde::Deserialize;
use toml::Spanned;

/// A text, and where it stands.
pub(super) type Text = Spanned<String>;

#[derive(Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
pub(super) struct File {
    pub(super) check: Check,
    pub(super) rules: BTreeMap<Text, Text>,
    pub(super) limits: Limits,
    pub(super) files: Vec<Files>,
    pub(super) secrets: Secrets,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
pub(super) struct Check {
    pub(super) paths: Vec<Text>,
    pub(super) exclude: Vec<Text>,
    pub(super) ignore_files: Option<Spanned<bool>>,
    pub(super) profile: Option<Text>,
    pub(super) fail_on: Option<Text>,
    pub(super) max_findings: Option<Spanned<i64>>,
    pub(super) baseline: Option<Text>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
pub(super) struct Limits {
    pub(super) depth: Option<Spanned<i64>>,
    pub(super) event_bytes: Option<Spanned<i64>>,
    pub(super) frame_bytes: Option<Spanned<i64>>,
    pub(super) history: Option<Spanned<i64>>,
    pub(super) text_bytes: Option<Spanned<i64>>,
    pub(super) inline_units: Option<Spanned<i64>>,
    pub(super) findings: Option<Spanned<i64>>,
    pub(super) stream_findings: Option<Spanned<i64>>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(super) struct Files {
    pub(super) glob: Text,
    pub(super) protocol: Option<Text>,
    pub(super) version: Option<Text>,
    pub(super) framing: Option<Text>,
    pub(super) profile: Option<Text>,
    #[serde(rename = "as")]
    pub(super) as_type: Option<Text>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
pub(super) struct Secrets {
    pub(super) patterns: Vec<Pattern>,
    pub(super) allow: Vec<Spanned<Allow>>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(super) struct Pattern {
    pub(super) id: Text,
    pub(super) regex: Text,
    #[serde(default)]
    pub(super) keywords: Vec<Text>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(super) struct Allow {
    pub(super) path: Option<Text>,
    pub(super) rule: Option<Text>,
    pub(super) sha256: Option<Text>,
}
