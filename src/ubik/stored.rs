//! Messages as they are stored: documents beside the streams.

use super::order::leaks_in;
use super::{overlay, rules, tags};
use crate::check::explain::{Reading, mismatches};
use crate::check::leaks::{secret_keys, secret_values};
use crate::check::overlay::gathered;
use crate::check::reporter::Reporter;
use crate::check::rule::Profile;
use crate::check::spec::Spec;
use crate::check::tree::Node;
use crate::wire::path::Path;

/// The place of their schema in the [`Spec`].
const SCHEMA: usize = 2;

const MESSAGE: &str = "PublicAgentMessage";
const LIST: &str = "MessageList";

/// The types that a document may be checked as.
pub(super) fn names(_: &Spec) -> Vec<String> {
    vec![MESSAGE.into(), LIST.into()]
}

/// Reports what is wrong with a stored message, or with the list of those of a session.
pub(super) fn check(spec: &Spec, kind: &str, node: &Node<'_>, report: &mut Reporter<'_>) {
    let shape = spec.shape(SCHEMA);
    let form = if kind == LIST { Some(shape.root()) } else { shape.definition("UbikPublicAgentMessage") };
    let Some(form) = form else { return };
    let reading = Reading::of(report.profile);
    for misfit in gathered(mismatches(shape, form, node, reading, report.worth_listing())) {
        let row = overlay::row(&misfit);
        report.add(row.rule, &misfit.path, misfit.span.clone(), row.describe(&misfit));
    }
    if report.profile == Profile::Schema {
        return;
    }
    if kind == LIST {
        let items = node.get("items").map(Node::elements).unwrap_or_default();
        for (index, item) in items.iter().enumerate() {
            content(item, &Path::of("items").element(index), report);
        }
    } else {
        content(node, &Path::default(), report);
    }
    secret_keys(node, &Path::default(), &rules::SECRET_KEY, report);
    secret_values(node, &rules::SECRET_VALUE, report);
}

fn content(message: &Node<'_>, path: &Path, report: &mut Reporter<'_>) {
    if let Some(content) = message.get("content") {
        let path = path.join("content");
        tags::check(content, &path, report);
        for message in leaks_in(&content.as_str().unwrap_or_default(), report.limits().depth, report.secrets) {
            report.add(&rules::SECRET_KEY, &path, content.span(), message);
        }
    }
}
