// Writes `validators/<protocol>.mjs`: functions that ajv has made ahead of time, for pages that may not make code.
// `--check` only compares.
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Ajv from 'ajv';
import standaloneCode from 'ajv/dist/standalone/index.js';
import { build } from 'esbuild';
import { HERE, NEWEST, branchesOf, pascal, read, schemaOf, tagOf, toldBy, typesOf } from './lib.mjs';

// The runtime of the modules. An event is held against the definition that its tag names, so that its errors are
// those of its own type; `others` are tried, all of them, where the tag names none.
const RUNTIME = `
const characters = (text) => [...text].length;
const UNKNOWN = { instancePath: '', schemaPath: '#/discriminator', keyword: 'discriminator' };
const byTag = (tag, told, others) => {
  const validate = (value) => {
    const known = value !== null && typeof value === 'object' && Object.hasOwn(told, value[tag]);
    validate.errors = null;
    for (const one of known ? [told[value[tag]]] : others) {
      if (one(value)) return !(validate.errors = null);
      validate.errors = [...(validate.errors ?? []), ...one.errors];
    }
    validate.errors ??= [{ ...UNKNOWN, params: { tag }, message: tag + ' must name a known type' }];
    return false;
  };
  return validate;
};
`;

/** A schema without what only people and generators read. */
function plain(schema) {
  if (Array.isArray(schema)) return schema.map(plain);
  if (schema === null || typeof schema !== 'object') return schema;
  const { $schema, $comment, title, description, examples, deprecated, ...rest } = schema;
  const each = (members) => Object.fromEntries(Object.entries(members).map(([name, member]) => [name, plain(member)]));
  const { $defs, properties, const: constant, enum: values, required, ...others } = rest;
  const kept = Object.fromEntries(
    Object.entries({ const: constant, enum: values, required }).filter(([, value]) => value !== undefined),
  );
  return {
    ...each(others),
    ...kept,
    ...($defs && { $defs: each($defs) }),
    ...(properties && { properties: each(properties) }),
  };
}

/** The code of one protocol. Draft 7 of ajv knows every keyword that the schemas have, and makes shorter code. */
async function moduleOf({ protocol, name }) {
  const ajv = new Ajv({ strict: true, strictTypes: false, inlineRefs: false, code: { source: true, esm: true } });
  const names = {};
  const add = (schema) => ajv.addSchema(plain(schema)) && schema;
  /** The name of the function of a definition, or of a whole schema. */
  const made = (ref) => {
    const local = `made_${ref.replace(/\W+/g, '_')}`;
    names[local] = ref;
    return local;
  };

  /** What holds an event against a closed schema: its tag, a function for each tag, and those for events without. */
  const union = (closed) => {
    const { schema } = closed;
    const tag = tagOf(closed);
    const told = [...typesOf(closed)].map(
      ([value, type]) => `${JSON.stringify(value)}: ${made(`${schema.$id}#/$defs/${type}`)}`,
    );
    const others = toldBy(tag, schema)
      .filter(({ isTold }) => !isTold)
      .map(({ name }) => {
        const $id = `${schema.$id}:other:${name}`;
        const shared = (schema.allOf ?? [])
          .filter((part) => part.$ref)
          .map(({ $ref }) => ({ $ref: schema.$id + $ref }));
        return made(add({ $id, allOf: [...shared, { $ref: `${schema.$id}#/$defs/${name}` }] }).$id);
      });
    return { tag, told, others };
  };
  const dispatch = ({ tag, told, others }) => `byTag(${JSON.stringify(tag)}, {${told}}, [${others}])`;

  const [open, closed, tool] = ['event', 'known-event', 'tool-event'].map((file) => schemaOf(`${name}/${file}`));
  for (const each of [open, closed, tool]) if (each) add(each.schema);
  const known = union(closed);
  const isKnown = new Set(branchesOf(closed.schema).map(({ name }) => `#/$defs/${name}`));
  const more = (open.schema.anyOf ?? [])
    .filter(({ $ref }) => !isKnown.has($ref))
    .map(({ $ref }) => made(open.schema.$id + $ref));
  const event = `${pascal(protocol)}Event`;
  // Lime's open schema is no union.
  const validate = open.schema.anyOf
    ? dispatch({ ...known, others: [...known.others, ...more] })
    : made(open.schema.$id);
  const lines = [
    `export const isKnown${event} = ${dispatch(known)};`,
    `export const validate${event} = ${validate};`,
    tool ? `export const validate${pascal(protocol)}ToolEvent = ${dispatch(union(tool))};` : '',
  ];

  const functions = standaloneCode(ajv, names)
    .replaceAll('require("ajv/dist/runtime/ucs2length").default', 'characters')
    .replaceAll('export const made_', 'const made_');
  const stdin = { contents: [RUNTIME, functions, ...lines].join('\n'), resolveDir: HERE };
  const { outputFiles } = await build({
    stdin,
    bundle: true,
    minify: true,
    format: 'esm',
    target: 'es2022',
    legalComments: 'none',
    write: false,
  });
  const { text } = outputFiles[0];
  if (/\brequire\(|\beval\(|new Function/.test(text))
    throw new Error(`${protocol}: the module makes code, or needs a module`);
  return text;
}

export const modulePath = (protocol) => join(HERE, 'validators', `${protocol}.mjs`);

/** Whether the committed module is not as generated; with `write` it is written anew. */
export async function isStale(each, { write = false } = {}) {
  const [path, text] = [modulePath(each.protocol), await moduleOf(each)];
  if (existsSync(path) && read(path) === text) return false;
  if (write) {
    mkdirSync(join(HERE, 'validators'), { recursive: true });
    writeFileSync(path, text);
  }
  return true;
}

if (process.argv[1] === import.meta.filename) {
  const check = process.argv.includes('--check');
  for (const each of NEWEST) {
    if (!(await isStale(each, { write: !check }))) continue;
    console.log(`validators/${each.protocol}.mjs ${check ? 'is not as generated' : 'written'}`);
    if (check) process.exitCode = 1;
  }
}
