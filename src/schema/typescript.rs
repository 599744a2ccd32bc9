//! TypeScript declarations.

use super::bundle::Bundle;
use super::model::{Form, Kind, Object, Type};
use super::read::Unmodelled;
use super::script::{HEADER, TYPED_REST, WIDTH, comment, key, quoted};

/// The module of a bundle: one exported declaration for each definition.
pub(super) fn declarations(bundle: &Bundle) -> Result<String, Unmodelled> {
    let mut out = String::from(HEADER);
    for (name, shape) in bundle.ordered() {
        let declared = if let Some(object) = shape.as_object() {
            members(object, "  ").map(|members| format!("export interface {name} {{\n{members}}}\n"))
        } else {
            let head = format!("export type {name} =");
            value(shape, "", head.len()).map(|value| format!("{head}{value};\n"))
        };
        let declared =
            declared.map_err(|problem| Unmodelled::new(format!("{}#{name}", bundle.directory()), problem))?;
        out += "\n";
        out += &comment(shape, "");
        out += &declared;
    }
    Ok(out)
}

/// A type in one line.
pub(super) fn line(shape: &Type) -> Result<String, String> {
    let text = alternatives(shape, "")?.join(" | ");
    Ok(text.split_whitespace().collect::<Vec<_>>().join(" "))
}

/// A type behind a head of some width, and the blank or line end between them.
fn value(shape: &Type, indent: &str, width: usize) -> Result<String, String> {
    let alternatives = alternatives(shape, indent)?;
    let line = alternatives.join(" | ");
    if alternatives.len() == 1 || indent.len() + width + 1 + line.len() <= WIDTH {
        return Ok(format!(" {line}"));
    }
    Ok(alternatives.iter().map(|alternative| format!("\n{indent}  | {alternative}")).collect())
}

/// A type as a list of alternatives.
fn alternatives(shape: &Type, indent: &str) -> Result<Vec<String>, String> {
    match &shape.kind {
        Kind::Union(branches) => {
            let branches = branches.iter().map(|branch| alternatives(branch, indent));
            Ok(branches.collect::<Result<Vec<_>, _>>()?.concat())
        }
        Kind::Names(names) => Ok(names.iter().map(|name| quoted(name)).collect()),
        // The braces keep the names for editors: `string` alone would swallow them.
        Kind::Text(text) if !text.known.is_empty() => {
            let known = text.known.iter().map(|name| quoted(name));
            Ok(known.chain(["(string & {})".to_owned()]).collect())
        }
        _ => Ok(vec![single(shape, indent)?]),
    }
}

fn single(shape: &Type, indent: &str) -> Result<String, String> {
    Ok(match &shape.kind {
        Kind::Any => "unknown".to_owned(),
        Kind::NotNull => "NonNullable<unknown>".to_owned(),
        Kind::Never => "never".to_owned(),
        Kind::Null => "null".to_owned(),
        Kind::Boolean => "boolean".to_owned(),
        Kind::Number(_) => "number".to_owned(),
        Kind::Text(text) => match &text.form {
            Form::Ending(ending) => format!("`${{string}}{ending}`"),
            Form::Free | Form::Pattern(_) => "string".to_owned(),
        },
        Kind::Reference(name) => name.clone(),
        Kind::List(list) => {
            let items = alternatives(&list.item, indent)?;
            let item = items.join(" | ");
            if items.len() == 1 { format!("{item}[]") } else { format!("({item})[]") }
        }
        Kind::Object(object) if object.members.is_empty() => match &object.rest {
            Some(rest) => format!("Record<string, {}>", alternatives(rest, indent)?.join(" | ")),
            None => "Record<string, never>".to_owned(),
        },
        Kind::Object(object) => format!("{{\n{}{indent}}}", members(object, &format!("{indent}  "))?),
        Kind::Intersection(parts) => {
            let parts = parts.iter().map(|part| -> Result<String, String> {
                let alternatives = alternatives(part, indent)?;
                Ok(if alternatives.len() == 1 {
                    alternatives.concat()
                } else {
                    format!("({})", alternatives.join(" | "))
                })
            });
            parts.collect::<Result<Vec<_>, _>>()?.join(" & ")
        }
        Kind::Union(_) | Kind::Names(_) => alternatives(shape, indent)?.join(" | "),
    })
}

fn members(object: &Object, indent: &str) -> Result<String, String> {
    let mut out = String::new();
    for member in &object.members {
        let head = format!("{}{}:", key(&member.name), if member.is_required { "" } else { "?" });
        out += &comment(&member.value, indent);
        out += &format!("{indent}{head}{};\n", value(&member.value, indent, head.len())?);
    }
    match &object.rest {
        None => {}
        Some(_) if object.is_open() => out += &format!("{indent}[key: string]: unknown;\n"),
        Some(_) => return Err(TYPED_REST.to_owned()),
    }
    Ok(out)
}
