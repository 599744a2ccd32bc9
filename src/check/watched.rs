//! The members that a protocol watches, wherever they are in an event.

use super::shape::{FormId, ObjectForm, Shape, Watch, select};
use super::spec::Looked;
use super::tree::{Member, Node};
use crate::wire::path::{Path, Trail};
use crate::wire::scan::Kind;

/// Calls `visit` for each watched member that is there, in document order: its path,
/// what it is watched for, and the definition that it belongs to.
pub(crate) fn watched<'t, 'a>(
    shape: &Shape,
    root: FormId,
    node: &'t Node<'a>,
    visit: &mut impl FnMut(&Trail<'_>, Watch, &str, &'t Member<'a>),
) {
    walk(shape, root, node, &Trail::root(), visit);
}

/// The values of an event that are looked into for secrets and size.
pub(crate) fn inspected<'e, 'a>(looked: &Looked<'e, 'a>) -> Vec<(Path, &'e Node<'a>)> {
    let mut found = Vec::new();
    watched(looked.shape, looked.form, looked.node, &mut |trail, watch, _, member| {
        if watch.inspect {
            found.push((trail.path(), &member.node));
        }
    });
    found
}

fn walk<'t, 'a>(
    shape: &Shape,
    form: FormId,
    node: &'t Node<'a>,
    trail: &Trail<'_>,
    visit: &mut impl FnMut(&Trail<'_>, Watch, &str, &'t Member<'a>),
) {
    let form = shape.form(form);
    if let Some(items) = form.array.as_ref().and_then(|array| array.items) {
        let holds = |(_, element): &(_, &Node<'_>)| matches!(element.kind(), Kind::Array | Kind::Object);
        for (index, element) in node.elements().iter().enumerate().filter(holds) {
            walk(shape, items, element, &trail.index(index), visit);
        }
    }
    match &form.object {
        Some(ObjectForm::Members(members)) => {
            for member in node.members() {
                let Some((_, known)) = members.find(&member.key) else { continue };
                let trail = trail.key(&member.key);
                if known.watch.inspect || known.watch.no_empty {
                    visit(&trail, known.watch, &members.definition, member);
                }
                if !known.watch.inspect {
                    walk(shape, known.form, &member.node, &trail, visit);
                }
            }
        }
        Some(ObjectForm::Tagged { member, tags, variants, suffixed, .. }) => {
            let tag = node.get(member).and_then(Node::as_str);
            if let Some((_, variant)) = tag.and_then(|tag| select(tags, variants, suffixed.as_ref(), &tag)) {
                walk(shape, variant.form, node, trail, visit);
            }
        }
        _ => {}
    }
}
