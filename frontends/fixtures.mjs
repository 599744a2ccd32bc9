// Writes `values.json`: every value of the fixtures, others made of them by one change each, and what each schema says.
// The checker says it where it executes the schema (profile `schema`); elsewhere ajv is the measure for other tools.
import { rmSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import Ajv from 'ajv/dist/2020.js';
import { contents } from './fixture-text.mjs';
import { NEWEST, OUT, ROOT, SCHEMAS, cli, filesIn, folder, read, schemaOf } from './lib.mjs';

const kebab = (name) => name.replace(/[A-Z]/g, (letter, at) => (at ? '-' : '') + letter.toLowerCase());

const newest = (protocol) => NEWEST.find((each) => each.protocol === protocol)?.name;

/** The schemas of a type such as `agui/Event`. */
function schemasOf(as) {
  const [protocol, type] = as.split('/');
  const files = type === 'Event' ? ['known-event', 'event'] : [kebab(type)];
  const names = files.map((file) => `${newest(protocol)}/${file}`);
  if (type === 'Event')
    names.push(
      ...SCHEMAS.filter((each) => each.protocol === protocol && each.file === 'known-event').map(({ name }) => name),
    );
  return [...new Set(names)].filter(schemaOf);
}

const parsed = (text) => {
  try {
    return [JSON.parse(text)];
  } catch {
    return [];
  }
};

/** Each value of the fixtures once. */
function collect() {
  const found = new Map();
  const base = join(ROOT, 'fixtures');
  for (const path of ['.json', '.jsonl', '.sse'].flatMap((ending) => filesIn(base, ending))) {
    const folderName = relative(base, path).split('/')[0];
    if (path.endsWith('.expect.json') || (folderName === 'input' && !path.endsWith('.json'))) continue;
    contents(path, read(path), folderName).forEach(({ as, text }, index) => {
      const line = text.replace(/[\r\n]+/g, ' ');
      const key = `${as} ${line}`;
      if (parsed(line).length && schemasOf(as).length && !found.has(key))
        found.set(key, { as, text: line, from: `${relative(ROOT, path)}#${index}` });
    });
  }
  return [...found.values()];
}

/** Values of other kinds than `member`, or out of its bounds. */
function others(member) {
  if (typeof member === 'string') return [null, 7, ''];
  if (typeof member === 'number') return [null, String(member), 1.5, -1];
  return [null, '7', Array.isArray(member) ? {} : []];
}

/** What `value` becomes when one of its members is taken away, is null, of another kind or out of bounds. */
function* changed(value, at = '$') {
  for (const [name, member] of Object.entries(value)) {
    const { [name]: _, ...rest } = value;
    yield [`without ${at}.${name}`, rest];
    for (const other of others(member))
      yield [`with ${at}.${name} ${JSON.stringify(other)}`, { ...value, [name]: other }];
    if (at === '$' && member && typeof member === 'object' && !Array.isArray(member)) {
      for (const [what, inner] of changed(member, `$.${name}`)) yield [what, { ...value, [name]: inner }];
    }
  }
  yield [`with ${at}.added`, { ...value, added: 1 }];
}

/** One right value of each type of event and set of members, changed in every way. */
function* variants(all) {
  const seen = new Set();
  const isNew = (key) => !seen.has(key) && seen.add(key);
  for (const { as, text, from } of all.filter(({ from }) => from.includes('/valid/'))) {
    const value = JSON.parse(text);
    if (!value || typeof value !== 'object' || Array.isArray(value)) continue;
    // All classes of Lime have the same members; only which of them are required differs.
    const lime = as === 'lime/Event';
    if (!isNew(`${as} ${value.type ?? value.event ?? value.eventClass} ${lime ? '' : Object.keys(value).sort()}`))
      continue;
    for (const [what, other] of changed(value)) {
      if (!lime || what.startsWith('without $.') || isNew(`${as} ${what}`))
        yield { as, text: JSON.stringify(other), from: `${from} ${what}` };
    }
  }
}

/** The numbers of the inputs that have findings, with the codes of these. */
function findings(inputs, ...args) {
  const sse = args.includes('sse');
  const path = join(folder(), `inputs.${sse ? 'sse' : 'jsonl'}`);
  writeFileSync(
    path,
    inputs
      .map(({ text }) =>
        sse ? `event: ${JSON.parse(text).event}\ndata: ${JSON.stringify(JSON.parse(text).data)}\n\n` : `${text}\n`,
      )
      .join(''),
  );
  const report = cli('check', ...args, '--profile', 'schema', '--format', 'json', path);
  const found = new Map();
  for (const { event, line, code } of JSON.parse(report).findings) {
    const number = sse ? event : line - 1;
    found.set(number, [...(found.get(number) ?? []), code]);
  }
  return found;
}

/** What the checker is asked, for which schema. An unknown type of event is right by an open schema. */
const QUESTIONS = [
  ...NEWEST.flatMap(({ protocol, name }) => [
    { schema: `${name}/event`, of: `${protocol}/Event`, args: ['--as', `${protocol}/Event`], open: true },
    ...(protocol === 'lime'
      ? []
      : [{ schema: `${name}/known-event`, of: `${protocol}/Event`, args: ['--as', `${protocol}/Event`] }]),
  ]),
  // The older version; only a stream can be said to be of one.
  {
    schema: 'social-app/2026-03-17/known-event',
    of: 'social-app/Event',
    args: ['--protocol', 'social-app@v0', '--framing', 'ndjson'],
  },
  // A tool's event is named by its frame.
  { schema: `${newest('ubik')}/tool-event`, of: 'ubik/tool-event', args: ['--protocol', 'ubik', '--framing', 'sse'] },
  ...['RunAgentInput', 'Message', 'AgentCapabilities'].map((type) => ({
    schema: `${newest('agui')}/${kebab(type)}`,
    of: `agui/${type}`,
    args: ['--as', `agui/${type}`],
  })),
  { schema: `${newest('lime')}/state-delta`, of: 'lime/StateDelta', args: ['--as', 'lime/StateDelta'] },
];

rmSync(join(OUT, 'results.jsonl'), { force: true });
const all = collect();
all.push(...variants(all));
for (const value of all) value.verdicts = {};
for (const { schema, of, args, open } of QUESTIONS) {
  const own = all.filter(({ as }) => as === of);
  const found = findings(own, ...args);
  own.forEach((value, number) => {
    const codes = (found.get(number) ?? []).filter((code) => !open || code !== 'unknown_event_type');
    value.verdicts[schema] = { valid: codes.length === 0, by: 'checker' };
  });
}
const ajv = new Ajv({ strict: false, schemas: SCHEMAS.map(({ schema }) => schema) });
for (const { as, text, verdicts } of all) {
  for (const name of schemasOf(as))
    verdicts[name] ??= { valid: ajv.getSchema(schemaOf(name).schema.$id)(JSON.parse(text)), by: 'ajv' };
}
writeFileSync(join(folder(), 'values.json'), JSON.stringify(all.map(({ as: _, ...value }) => value)));
const refused = all.filter(({ verdicts }) => Object.values(verdicts).some(({ valid }) => !valid));
console.log(`${all.length} values, ${refused.length} of them refused by a schema`);
