// What the checks share: where things are, which schemas there are, and how a result is noted.
import { spawnSync } from 'node:child_process';
import { appendFileSync, mkdirSync, readFileSync, readdirSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

export const HERE = dirname(fileURLToPath(import.meta.url));
export const ROOT = dirname(HERE);
/** Where the checks leave what they make: results, values of fixtures, generated code. */
export const OUT = process.env.FRONTENDS_OUT ?? join(ROOT, 'target', 'frontends');
export const CLI = process.env.AGENT_CONTRACTS ?? join(ROOT, 'target', 'release', 'agent-contracts');

/** Runs a command of the checker that an older one may not have. */
export function cli(...args) {
  const { error, status, stdout, stderr } = spawnSync(CLI, args, { encoding: 'utf8', maxBuffer: 1 << 29 });
  if (error) throw error;
  if (status === 2 && stderr.includes('unrecognized subcommand'))
    throw new Missing(`the command line has no ${args[0]} ${args[1]}`);
  if (status > 1) throw new Error(stderr);
  return stdout;
}

export const read = (path) => readFileSync(path, 'utf8');
export const json = (path) => JSON.parse(read(path));

/** All files below `dir` whose names end with `ending`, in the order of their names. */
export const filesIn = (dir, ending) =>
  readdirSync(dir, { recursive: true })
    .filter((name) => name.endsWith(ending))
    .map((name) => join(dir, name))
    .sort();

/** A folder of its own for what a check makes. */
export function folder(...names) {
  const path = join(OUT, ...names);
  mkdirSync(path, { recursive: true });
  return path;
}

/** Every published schema, called `agui/1.0/known-event` and the like. */
export const SCHEMAS = filesIn(join(ROOT, 'schemas'), '.schema.json').map((path) => {
  const name = relative(join(ROOT, 'schemas'), path).replace('.schema.json', '');
  const [protocol, version, file] = name.split('/');
  return { name, protocol, version, file, path, schema: json(path) };
});

/** The folders of the newest versions: `{ protocol, name: 'agui/1.0' }`, of protocols that have events. */
export const NEWEST = [...new Set(SCHEMAS.filter(({ file }) => file === 'event').map(({ protocol }) => protocol))].map(
  (protocol) => ({ protocol, name: `${protocol}/${SCHEMAS.findLast((each) => each.protocol === protocol).version}` }),
);

export const schemaOf = (name) => SCHEMAS.find((each) => each.name === name);

/** The closed schemas: unions of events that list every type. */
export const CLOSED = SCHEMAS.filter(({ file }) => file === 'known-event' || file === 'tool-event');

const named = ($ref) => $ref.slice('#/$defs/'.length);

/** The definitions that the union of a closed schema refers to: at its root, or beside what all of them share. */
export function branchesOf({ $defs, oneOf, allOf = [] }) {
  const union = oneOf ?? allOf.find((part) => part.oneOf).oneOf;
  return union.map(({ $ref }) => ({ name: named($ref), ...$defs[named($ref)] }));
}

/** The values that a definition lists for a member. */
function listed({ properties }, member) {
  const { const: constant, enum: values = constant === undefined ? [] : [constant] } = properties?.[member] ?? {};
  return values;
}

/** The member that tells the branches of a closed schema apart: the one with the most values. */
export function tagOf({ schema }) {
  const branches = branchesOf(schema);
  const members = new Set(branches.flatMap(({ required = [] }) => required));
  const count = (member) => new Set(branches.flatMap((branch) => listed(branch, member))).size;
  return [...members].sort((a, b) => count(b) - count(a))[0];
}

/** The branches with the values of their tag; `isTold` if each event of a branch has one of these. */
export const toldBy = (tag, schema) =>
  branchesOf(schema).map((branch) => ({
    ...branch,
    tags: listed(branch, tag),
    isTold: listed(branch, tag).length > 0 && (branch.required ?? []).includes(tag),
  }));

/** The definition of each tag: one of its own, or else the branch that has it. */
export function typesOf(closed) {
  const tag = tagOf(closed);
  const types = new Map(toldBy(tag, closed.schema).flatMap(({ name, tags }) => tags.map((value) => [value, name])));
  for (const [name, definition] of Object.entries(closed.schema.$defs)) {
    const value = definition.properties?.[tag]?.const;
    if (types.has(value) && definition.required?.includes(tag)) types.set(value, name);
  }
  return types;
}

/** The members that a definition requires, those of its parts included. */
export const requiredOf = ({ $defs }, { required = [], allOf = [] }) => [
  ...required,
  ...allOf.flatMap(({ $ref }) => requiredOf({ $defs }, $defs[named($ref)])),
];

/** `social-app` as `SocialApp`. */
export const pascal = (name) => name.replace(/(?:^|-)([a-z])/g, (_, letter) => letter.toUpperCase());

/** The values made of the fixtures, each with what every schema says of it; `fixtures.mjs` has left them. */
export const values = () => json(join(OUT, 'values.json'));

/** Compares what `isValid` says of every value with what is known; throws the differences. */
export function agree(all, name, isValid, by) {
  const own = all.filter(({ verdicts }) => name in verdicts && (by === undefined || verdicts[name].by === by));
  const wrong = own.filter(({ text, verdicts }) => isValid(JSON.parse(text), text) !== verdicts[name].valid);
  if (wrong.length === 0) return `${own.length} values`;
  const { from, verdicts } = wrong[0];
  const right = verdicts[name].valid ? 'valid' : 'invalid';
  throw new Error(`${wrong.length} of ${own.length} verdicts differ, first ${from}: ${right} is right`);
}

export const firstLine = (error) =>
  String(error?.message ?? error)
    .trim()
    .split('\n')[0]
    .slice(0, 300);

/** What the tool itself cannot do; not a failure, but named in the matrix. */
export class Limit extends Error {}
/** What is to be checked is not there. */
export class Missing extends Error {}

/** Runs a check of one tool on one subject, a schema's name as a rule, and notes how it went. */
export async function attempt(tool, subject, check) {
  let result;
  try {
    result = { state: 'ok', note: (await check()) ?? '' };
  } catch (error) {
    const state = error instanceof Limit ? 'limit' : error instanceof Missing ? 'missing' : 'fail';
    result = { state, note: firstLine(error) };
  }
  appendFileSync(join(OUT, 'results.jsonl'), `${JSON.stringify({ tool, subject, ...result })}\n`);
  if (result.state === 'fail' || result.state === 'missing')
    console.log(`${result.state} | ${tool} | ${subject} | ${result.note}`);
}
