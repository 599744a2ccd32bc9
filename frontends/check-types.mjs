// TypeScript: what json-schema-to-typescript makes of every schema, our own declarations, and those of @ag-ui/core.
import { existsSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { compile } from 'json-schema-to-typescript';
import {
  CLOSED,
  HERE,
  Missing,
  ROOT,
  SCHEMAS,
  attempt,
  folder,
  pascal,
  read,
  schemaOf,
  tagOf,
  toldBy,
  values,
} from './lib.mjs';
import { compiles, diagnostics } from './tsc.mjs';

const made = new Map();
for (const { name, schema } of SCHEMAS) {
  const path = join(folder('json-schema-to-typescript'), `${name.replaceAll('/', '-')}.ts`);
  try {
    writeFileSync(path, await compile(structuredClone(schema), schema.title, { bannerComment: '', format: false }));
    made.set(name, { path });
  } catch (error) {
    made.set(name, { error });
  }
}
const found = diagnostics([...made.values()].flatMap(({ path }) => path ?? []));
for (const [name, { path, error }] of made) {
  await attempt('json-schema-to-typescript', name, () => {
    const first = error ?? found.find(({ file }) => file === path)?.text;
    if (first) throw first;
  });
}

/** The declarations beside a schema, and what their names begin with: `SocialAppV0` in an older version. */
function declarations({ protocol, version }) {
  const path = join(ROOT, 'schemas', protocol, version, 'events.d.ts');
  if (!existsSync(path)) throw new Missing('there is no events.d.ts');
  return { path, prefix: /^export type (\w+)KnownEvent\b/m.exec(read(path))[1] };
}

/** Compiles a test of the declarations beside `schema`; they are `types` in it. */
function test(schema, textOf) {
  const { path, prefix } = declarations(schema);
  const file = join(folder('types'), `${schema.name.replaceAll('/', '-')}.ts`);
  const from = relative(folder('types'), path).replace(/\.d\.ts$/, '.js');
  writeFileSync(file, `import type * as types from '${from}';\n${textOf(prefix)}`);
  compiles([file, path]);
}

/** A switch that narrows to the branch of each tag; nothing is left after it, or events that no constant tells. */
function narrowing(closed, prefix) {
  const tag = tagOf(closed);
  const renamed = (name) => (name.startsWith(prefix) ? name : name.replace(pascal(closed.protocol), prefix));
  const branches = toldBy(tag, closed.schema).map(({ name, ...rest }) => ({ ...rest, type: `types.${renamed(name)}` }));
  const cases = branches.flatMap(({ tags, type }) =>
    tags.map((each) => `    case ${JSON.stringify(each)}: { const narrowed: ${type} = event; return narrowed; }\n`),
  );
  const others = branches.filter(({ isTold }) => !isTold).map(({ type }) => type);
  const root = `types.${prefix}${pascal(closed.file)}`;
  return `
export function narrow(event: ${root}): unknown {
  switch (event.${tag}) {
${cases.join('')}    default: { const rest: ${others.join(' | ') || 'never'} = event; return rest; }
  }
}
// @ts-expect-error an event needs more than its type
export const bare: ${root} = { ${tag}: ${JSON.stringify(branches[0].tags[0])} };
`;
}

/** An event of an unknown type is one of the open type, and a guard tells it from the known ones. */
function opening(prefix, tag, unknown) {
  const [open, known] = [`types.${prefix}Event`, `types.${prefix}KnownEvent`];
  return `
export const unknown: ${open} = ${unknown};
declare function isKnown(event: ${open}): event is ${known};
export const read = (event: ${open}): ${known} | string | undefined => (isKnown(event) ? event : event.${tag});
export const widen = (event: ${known}): ${open} => event;
`;
}

for (const closed of CLOSED) {
  await attempt('events.d.ts', closed.name, () => test(closed, (prefix) => narrowing(closed, prefix)));
}
const all = values();
for (const open of SCHEMAS.filter(({ file }) => file === 'event')) {
  await attempt('events.d.ts', open.name, () => {
    const closed = schemaOf(open.name.replace('/event', '/known-event'));
    const { text } = all.find(({ verdicts }) => verdicts[open.name]?.valid && !verdicts[closed.name].valid);
    test(open, (prefix) => opening(prefix, tagOf(closed), text));
  });
}
await attempt('@ag-ui/core', 'agui/1.0/known-event', () => {
  declarations(schemaOf('agui/1.0/known-event'));
  compiles([join(HERE, 'types', 'ag-ui-core.ts')]);
});
