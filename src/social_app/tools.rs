//! The tools: their names in all styles, and their labels.

/// The one tool that a model calls; what it is to do is in the arguments.
///
/// Since 0.1.0.
pub const PROJECT_CLI: &str = "project_cli";

/// The modules and methods of `project_cli`, with the labels that clients show.
const METHODS: [(Method, &str); 9] = [
    (Method { module: "calendar", method: "read", name: "calendar.read" }, "读取日程"),
    (Method { module: "calendar", method: "create", name: "calendar.create" }, "创建日程"),
    (Method { module: "calendar", method: "update", name: "calendar.update" }, "更新日程"),
    (Method { module: "calendar", method: "delete", name: "calendar.delete" }, "删除日程"),
    (Method { module: "calendar", method: "share", name: "calendar.share" }, "邀请参与者"),
    (Method { module: "calendar", method: "accept_invite", name: "calendar.accept_invite" }, "接受邀请"),
    (Method { module: "calendar", method: "reject_invite", name: "calendar.reject_invite" }, "拒绝邀请"),
    (Method { module: "contacts", method: "read", name: "contacts.read" }, "读取联系人"),
    (Method { module: "memory", method: "update", name: "memory.update" }, "更新记忆"),
];

/// A published method of a module.
///
/// Since 0.1.0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct Method {
    /// The module, such as `calendar`.
    pub module: &'static str,
    /// The method, such as `read`.
    pub method: &'static str,
    /// The canonical name of both, such as `calendar.read`.
    pub name: &'static str,
}

impl Method {
    /// Every published method.
    pub fn all() -> impl Iterator<Item = Self> {
        METHODS.iter().map(|(method, _)| *method)
    }

    /// The method of a tool name in either style: `calendar.read` or `calendar_read`.
    pub fn from_tool_name(name: &str) -> Option<Self> {
        let alias = |canonical: &str| {
            name.len() == canonical.len()
                && name.bytes().zip(canonical.bytes()).all(|(a, b)| a == b || (a == b'_' && b == b'.'))
        };
        Self::all().find(|method| alias(method.name))
    }

    /// What clients show for it, in Chinese.
    pub fn label(self) -> &'static str {
        METHODS.iter().find(|(method, _)| *method == self).map_or(self.name, |(_, label)| label)
    }
}

/// Whether `module` is a published module.
pub(super) fn is_module(module: &str) -> bool {
    Method::all().any(|method| method.module == module)
}

/// Whether `method` is a published method of `module`.
pub(super) fn is_method(module: &str, method: &str) -> bool {
    Method::all().any(|known| known.module == module && known.method == method)
}

/// The canonical name of a tool: the snake alias of a published method becomes its dot
/// name, every other name stays as it is.
///
/// ```
/// use agent_contracts::social_app::canonical_tool_name;
///
/// assert_eq!(canonical_tool_name("memory_update"), "memory.update");
/// assert_eq!(canonical_tool_name("weather_today"), "weather_today");
/// ```
///
/// Since 0.1.0.
pub fn canonical_tool_name(name: &str) -> &str {
    Method::from_tool_name(name).map_or(name, |method| method.name)
}

/// What a client shows for a tool: the label of its canonical name, else the raw name.
///
/// ```
/// use agent_contracts::social_app::tool_label;
///
/// assert_eq!(tool_label("calendar_read"), "读取日程");
/// assert_eq!(tool_label("weather_today"), "weather_today");
/// ```
///
/// Since 0.1.0.
pub fn tool_label(name: &str) -> &str {
    match Method::from_tool_name(name) {
        Some(method) => method.label(),
        None => name,
    }
}

/// Whether the name is of a published form: `project_cli`, `word.word`, or the snake alias
/// of a published method.
pub(super) fn is_of_known_form(name: &str) -> bool {
    let word = |text: &str| {
        text.starts_with(|c: char| c.is_ascii_lowercase())
            && text.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'_')
    };
    name == PROJECT_CLI
        || Method::from_tool_name(name).is_some()
        || name.split_once('.').is_some_and(|(module, method)| word(module) && word(method))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_method_is_found_in_both_styles() {
        for method in Method::all() {
            assert_eq!(method.name, format!("{}.{}", method.module, method.method));
            let snake = method.name.replace('.', "_");
            for name in [method.name, &snake] {
                assert_eq!(Method::from_tool_name(name), Some(method));
                assert_eq!(tool_label(name), method.label());
                assert!(is_of_known_form(name));
            }
        }
    }

    #[test]
    fn forms_of_names() {
        for (name, known) in [
            ("project_cli", true),
            ("tasks.list", true),
            ("tasks_list", false),
            ("calendar.accept.invite", false),
            ("Calendar.read", false),
            ("...", false),
            ("", false),
        ] {
            assert_eq!(is_of_known_form(name), known, "{name}");
        }
    }
}
