// Writes the validators of the npm package, one module a protocol: plain functions that ajv has made ahead
// of time, so that a page neither reads schemas nor makes code. `--check` only compares.
import { existsSync, mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import Ajv from 'ajv/dist/2020.js';
import standaloneCode from 'ajv/dist/standalone/index.js';
import { build } from 'esbuild';

const here = dirname(fileURLToPath(import.meta.url));
const schemas = join(here, '..', 'schemas');

/** `social-app` as `SocialApp`. */
const pascal = (name) => name.replace(/(?:^|-)([a-z])/g, (_, letter) => letter.toUpperCase());

const named = (branch) => branch.$ref.split('/').pop();

/** The values of a member, where there is a list of them. */
const listed = (member) => (member && 'const' in member ? [member.const] : member?.enum);

/** The required member whose values tell the most branches apart. */
function tagOf(definitions) {
  const seen = {};
  for (const { properties, required = [] } of definitions) {
    for (const name of required) (seen[name] ??= []).push(...(listed(properties[name]) ?? []));
  }
  const distinct = Object.keys(seen).filter((name) => new Set(seen[name]).size === seen[name].length);
  return distinct.sort((a, b) => seen[b].length - seen[a].length)[0];
}

/** What open objects have alike, and what is left of each: Lime has a definition for each of many classes. */
function share(definitions) {
  const text = (definition, member) => JSON.stringify(definition.properties[member]);
  const [first] = definitions;
  const alike = Object.keys(first.properties).filter((member) =>
    definitions.every((definition) => text(definition, member) === text(first, member)),
  );
  const always = (first.required ?? []).filter((member) => definitions.every(({ required }) => required?.includes(member)));
  const rest = definitions.map(({ properties, required = [] }) => ({
    type: 'object',
    properties: Object.fromEntries(Object.entries(properties).filter(([member]) => !alike.includes(member))),
    required: required.filter((member) => !alike.includes(member) || !always.includes(member)),
  }));
  const properties = Object.fromEntries(alike.map((member) => [member, first.properties[member]]));
  return [{ type: 'object', properties, required: always }, rest];
}

/** The union of a closed schema, and what stands beside it. */
function split({ oneOf, allOf = [] }) {
  const union = allOf.find((part) => part.oneOf);
  return { branches: oneOf ?? union.oneOf, beside: allOf.filter((part) => part !== union) };
}

/** A closed union that looks at the tag first, so that errors are few, and those of one branch. */
function byTag({ $id, $defs, ...schema }) {
  const { branches, beside } = split(schema);
  const definitions = branches.map((branch) => $defs[named(branch)]);
  const tag = tagOf(definitions);
  const tags = ({ properties, required = [] }) => (required.includes(tag) && listed(properties[tag])) || [];
  const [shared, own] = definitions.every(({ additionalProperties }) => additionalProperties === true)
    ? share(definitions)
    : [{ type: 'object' }, branches];
  const told = own.filter((_, place) => tags(definitions[place]).length > 0);
  const others = own.filter((_, place) => tags(definitions[place]).length === 0);
  const isTold = { required: [tag], properties: { [tag]: { enum: definitions.flatMap(tags) } } };
  const union = { type: 'object', discriminator: { propertyName: tag }, required: [tag], oneOf: told };
  const either = others.length === 0 ? union : { if: isTold, then: union, else: { anyOf: others } };
  return { isTold, schema: { $id, $defs, ...shared, allOf: [...beside, either] } };
}

/** A schema with those of its definitions that it refers to. */
function pruned({ $defs, ...schema }) {
  const kept = {};
  const visit = (value) => {
    for (const [, name] of JSON.stringify(value).matchAll(/"#\/\$defs\/([^"]+)"/g)) {
      if (name in kept) continue;
      kept[name] = $defs[name];
      visit($defs[name]);
    }
  };
  visit(schema);
  return { ...schema, $defs: kept };
}

/** The open schema, which leaves known events to the closed one. */
function open({ $id, $defs, anyOf, ...rest }, known, isTold) {
  const names = new Set(split(known).branches.map(named));
  const others = (anyOf ?? []).filter((branch) => !names.has(named(branch)));
  // Where the open schema is no union of the known events and others, it is taken as it is.
  if (others.length === 0) return { $id, $defs, anyOf, ...rest };
  const either = { anyOf: [{ $ref: known.$id }, ...others] };
  return { $id, $defs, if: isTold, then: { $ref: known.$id }, else: either };
}

/** A schema without its prose, which no function needs. */
function bare(schema) {
  if (Array.isArray(schema)) return schema.map(bare);
  if (typeof schema !== 'object' || schema === null) return schema;
  const kept = Object.entries(schema).filter(([keyword]) => !PROSE.includes(keyword));
  return Object.fromEntries(
    kept.map(([keyword, value]) => {
      if (!NAMED.includes(keyword)) return [keyword, bare(value)];
      return [keyword, Object.fromEntries(Object.entries(value).map(([name, each]) => [name, bare(each)]))];
    }),
  );
}

const PROSE = ['$comment', '$schema', 'title', 'description', 'examples'];
/** Keywords below which names stand, not keywords. */
const NAMED = ['$defs', 'properties'];

const json = (folder, name) => bare(JSON.parse(readFileSync(join(folder, `${name}.schema.json`), 'utf8')));

/** The schemas of the newest version, by the names of the functions that are made of them. */
function functions(protocol, folder) {
  const prefix = pascal(protocol);
  const closed = json(folder, 'known-event');
  const known = byTag(closed);
  const made = {
    [`isKnown${prefix}Event`]: known.schema,
    [`validate${prefix}Event`]: open(json(folder, 'event'), closed, known.isTold),
  };
  if (existsSync(join(folder, 'tool-event.schema.json'))) {
    made[`validate${prefix}ToolEvent`] = byTag(json(folder, 'tool-event')).schema;
  }
  return made;
}

async function moduleOf(made) {
  const ajv = new Ajv({ discriminator: true, inlineRefs: false, strict: false, code: { source: true, esm: true } });
  Object.values(made).forEach((schema) => ajv.addSchema(pruned(schema)));
  const ids = Object.fromEntries(Object.entries(made).map(([name, { $id }]) => [name, $id]));
  // What the functions share of ajv is bundled with them.
  const bundled = await build({
    stdin: { contents: standaloneCode(ajv, ids), resolveDir: here },
    bundle: true,
    format: 'esm',
    legalComments: 'none',
    minify: true,
    target: 'es2020',
    write: false,
  });
  // A note for ajv's generator that the function for lengths carries along.
  return bundled.outputFiles[0].text.replace(/[\w$]+\.code='require\([^']*'/, '0');
}

let stale = 0;
mkdirSync(join(here, 'validators'), { recursive: true });
for (const protocol of readdirSync(schemas, { withFileTypes: true }).filter((entry) => entry.isDirectory())) {
  const newest = readdirSync(join(schemas, protocol.name)).sort().pop();
  const folder = join(schemas, protocol.name, newest);
  if (!existsSync(join(folder, 'known-event.schema.json'))) continue;
  const text = await moduleOf(functions(protocol.name, folder));
  const path = join(here, 'validators', `${protocol.name}.mjs`);
  if (!process.argv.includes('--check')) {
    writeFileSync(path, text);
  } else if (!existsSync(path) || readFileSync(path, 'utf8') !== text) {
    console.log(`validators/${protocol.name}.mjs is not as generated`);
    stale += 1;
  }
}
process.exitCode = stale > 0 ? 1 : 0;
