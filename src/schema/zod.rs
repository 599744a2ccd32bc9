//! Schemas of zod, for the closed unions and what they are made of.

use super::bundle::Bundle;
use super::model::{Bounds, Form, Kind, List, Object, Text, Type};
use super::read::Unmodelled;
use super::script::{HEADER, TYPED_REST, WIDTH, comment, key, quoted};

/// A module, and its declarations. `types` is where the module of types is, seen from there.
pub(super) fn module(bundle: &Bundle, types: &str) -> Result<(String, String), Unmodelled> {
    let mut code = format!("{HEADER}import * as z from \"zod\";\n");
    let mut declarations =
        format!("{HEADER}import type * as z from \"zod\";\nimport type * as events from \"{types}\";\n");
    for name in in_order(bundle)? {
        let Some(shape) = bundle.definition(name) else { continue };
        let place = || format!("{}#{name}", bundle.directory());
        let schema = Zod(bundle).schema(shape, "").map_err(|problem| Unmodelled::new(place(), problem))?;
        code += &format!("\nexport const {name} = {schema};\n");
        declarations += &format!(
            "\n{}export declare const {name}: z.ZodType<{name}, {name}>;\nexport type {name} = events.{name};\n",
            comment(shape, "")
        );
    }
    Ok((code, declarations))
}

/// The closed unions and what they refer to, so that every definition comes after those that it names.
fn in_order(bundle: &Bundle) -> Result<Vec<&str>, Unmodelled> {
    let mut order = Vec::new();
    for name in bundle.closed() {
        visit(bundle, name, &mut Vec::new(), &mut order)?;
    }
    Ok(order)
}

fn visit<'b>(
    bundle: &'b Bundle,
    name: &'b str,
    open: &mut Vec<&'b str>,
    order: &mut Vec<&'b str>,
) -> Result<(), Unmodelled> {
    if order.contains(&name) {
        return Ok(());
    }
    if open.contains(&name) {
        let place = format!("{}#{name}", bundle.directory());
        return Err(Unmodelled::new(place, "a definition that is made of itself is not modelled"));
    }
    open.push(name);
    for part in bundle.definition(name).map(Type::references).unwrap_or_default() {
        visit(bundle, part, open, order)?;
    }
    open.pop();
    order.push(name);
    Ok(())
}

struct Zod<'b>(&'b Bundle);

impl Zod<'_> {
    fn schema(&self, shape: &Type, indent: &str) -> Result<String, String> {
        Ok(match &shape.kind {
            Kind::Any => "z.unknown()".to_owned(),
            Kind::NotNull => "z.custom((value) => value !== null && value !== undefined)".to_owned(),
            Kind::Never => "z.undefined()".to_owned(),
            Kind::Null => "z.null()".to_owned(),
            Kind::Boolean => "z.boolean()".to_owned(),
            Kind::Number(bounds) => number(bounds),
            Kind::Text(text) => self::text(text)?,
            Kind::Names(names) => self::names(names),
            Kind::List(list) => self.list(list, indent)?,
            Kind::Object(object) => self.object(object, indent)?,
            Kind::Union(branches) => self.union(branches, indent)?,
            Kind::Intersection(parts) => {
                let is_closed =
                    |part| matches!(&self.0.resolve(part).kind, Kind::Object(object) if object.rest.is_none());
                if parts.iter().any(is_closed) {
                    return Err("a closed object is a part of another type".to_owned());
                }
                let parts = self.schemas(parts, indent)?;
                let both = |one: String, other: String| format!("z.intersection({one}, {other})");
                parts.into_iter().reduce(both).unwrap_or_default()
            }
            Kind::Reference(name) => name.clone(),
        })
    }

    fn list(&self, list: &List, indent: &str) -> Result<String, String> {
        let mut out = format!("z.array({})", self.schema(&list.item, indent)?);
        if list.min > 0 {
            out += &format!(".min({})", list.min);
        }
        if let Some(max) = list.max {
            out += &format!(".max({max})");
        }
        Ok(out)
    }

    fn object(&self, object: &Object, indent: &str) -> Result<String, String> {
        let function = match &object.rest {
            None => "z.strictObject",
            Some(rest) if object.members.is_empty() => {
                return Ok(format!("z.record(z.string(), {})", self.schema(rest, indent)?));
            }
            Some(_) if object.is_open() => "z.looseObject",
            Some(_) => return Err(TYPED_REST.to_owned()),
        };
        let inner = format!("{indent}  ");
        let mut out = format!("{function}({{\n");
        for member in &object.members {
            let optional = if member.is_required { "" } else { ".optional()" };
            out += &format!("{inner}{}: {}{optional},\n", key(&member.name), self.schema(&member.value, &inner)?);
        }
        Ok(out + indent + "})")
    }

    fn union(&self, branches: &[Type], indent: &str) -> Result<String, String> {
        let inner = format!("{indent}  ");
        let Some(tag) = self.0.tag(branches) else {
            return Ok(call("z.union([", &self.schemas(branches, &inner)?, indent));
        };
        let (told, others): (Vec<&Type>, Vec<&Type>) =
            branches.iter().partition(|branch| !self.0.tags(branch, tag).is_empty());
        let head = format!("z.discriminatedUnion({}, [", quoted(tag));
        if others.is_empty() {
            return Ok(call(&head, &self.schemas(told, &inner)?, indent));
        }
        // What the tag does not tell is tried after what it does.
        let told = self.schemas(told, &format!("{inner}  "))?;
        let mut either = vec![call(&head, &told, &inner)];
        either.extend(self.schemas(others, &inner)?);
        Ok(call("z.union([", &either, indent))
    }

    fn schemas<'t>(&self, shapes: impl IntoIterator<Item = &'t Type>, indent: &str) -> Result<Vec<String>, String> {
        shapes.into_iter().map(|shape| self.schema(shape, indent)).collect()
    }
}

/// A call with a list: in one line if there is room, else one element a line.
fn call(head: &str, elements: &[String], indent: &str) -> String {
    let line = format!("{head}{}])", elements.join(", "));
    if indent.len() + line.len() <= WIDTH && !line.contains('\n') {
        return line;
    }
    let elements = elements.iter().map(|element| format!("{indent}  {element},\n"));
    format!("{head}\n{}{indent}])", elements.collect::<String>())
}

fn number(bounds: &Bounds) -> String {
    // `z.int()` would refuse what JavaScript cannot tell from its neighbours.
    let mut out = String::from(if bounds.is_integer { "z.number().multipleOf(1)" } else { "z.number()" });
    if let Some(minimum) = &bounds.minimum {
        out += &format!(".min({minimum})");
    }
    if let Some(maximum) = &bounds.maximum {
        out += &format!(".max({maximum})");
    }
    out
}

fn text(text: &Text) -> Result<String, String> {
    if text.is_narrowed {
        return Err("texts that are excluded".to_owned());
    }
    if let Form::Ending(ending) = &text.form {
        return Ok(format!("z.templateLiteral([z.string(), {}])", quoted(ending)));
    }
    let mut out = String::from("z.string()");
    if text.min_length > 0 {
        out += &format!(".min({})", text.min_length);
    }
    if let Form::Pattern(pattern) = &text.form {
        out += &format!(".regex(new RegExp({}, \"u\"))", quoted(pattern));
    }
    Ok(out)
}

fn names(names: &[String]) -> String {
    match names {
        [name] => format!("z.literal({})", quoted(name)),
        names => format!("z.enum([{}])", names.iter().map(|name| quoted(name)).collect::<Vec<_>>().join(", ")),
    }
}
