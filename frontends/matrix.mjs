// Prints what the checks have noted as tables of tools and schemas, and compares them with docs/frontends.md.
// `--strict-rows`: what is missing fails too. `--bless`: the page is written.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { CLOSED, OUT, ROOT, SCHEMAS, read } from './lib.mjs';

const names = (schemas) => schemas.map(({ name }) => name);
const TABLES = [
  {
    title: 'Every schema',
    subjects: names(SCHEMAS),
    columns: ['ajv strict', 'ajv = checker', 'jsonschema', 'json-schema-to-typescript', 'zod fromJSONSchema'],
  },
  {
    title: 'Code from the closed schemas',
    subjects: names(CLOSED),
    columns: [
      'pydantic',
      ...['typescript', 'go', 'csharp', 'java', 'kotlin', 'swift'].map((language) => `quicktype ${language}`),
    ],
  },
  {
    title: 'One exact error for a bad event',
    subjects: names(CLOSED),
    columns: ['ajv discriminator', 'ajv by type', 'jsonschema by type'],
  },
  {
    title: 'What is ready to use',
    subjects: names(SCHEMAS),
    columns: [
      'events.d.ts',
      '@ag-ui/core',
      'our zod module',
      'ready validators',
      'npm package in Node',
      'npm package in Chromium',
      'OpenAPI 3.2',
    ],
  },
  { title: 'The npm package', subjects: ['packs and installs', 'the example of its README'], columns: ['npm package'] },
];

const results = read(join(OUT, 'results.jsonl'))
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line));
const limits = [];

/** The words of a cell. Limits are numbered, and listed below the tables. */
function cell({ state, note } = {}) {
  if (state === 'ok') return 'yes';
  if (state !== 'limit') return state ?? '';
  if (!limits.includes(note)) limits.push(note);
  return `limit ${limits.indexOf(note) + 1}`;
}

function table({ title, subjects, columns }) {
  const rows = subjects.flatMap((subject) => {
    const cells = columns.map((tool) => cell(results.find((each) => each.tool === tool && each.subject === subject)));
    return cells.some(Boolean) ? [`| ${[`\`${subject}\``, ...cells].join(' | ')} |`] : [];
  });
  return [
    `**${title}**`,
    '',
    `| | ${columns.join(' | ')} |`,
    `| --- |${' --- |'.repeat(columns.length)}`,
    ...rows,
    '',
  ].join('\n');
}

const text = [...TABLES.map(table), ...limits.map((note, at) => `${at + 1}. ${note}`)].join('\n');
const [BEGIN, END] = ['<!-- begin: written by frontends/check.sh -->', '<!-- end -->'];
const page = join(ROOT, 'docs', 'frontends.md');
const [before, , after] = read(page).split(new RegExp(`(?<=${BEGIN}\n)([^]*)(?=${END})`));
const wanted = `${before}\n${text}\n\n${after}`;

console.log(text);
const count = (state) => results.filter((each) => each.state === state).length;
const counts = `${count('ok')} ok, ${count('limit')} limits, ${count('missing')} missing, ${count('fail')} failed`;
console.log(`\n${results.length} results: ${counts}`);
let failed = count('fail') + (process.argv.includes('--strict-rows') ? count('missing') : 0);
if (process.argv.includes('--bless')) writeFileSync(page, wanted);
else if (read(page) !== wanted) {
  console.log('docs/frontends.md does not say this; write it with: bash frontends/check.sh --bless');
  failed += 1;
}
process.exitCode = failed ? 1 : 0;
