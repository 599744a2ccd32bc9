// Every OpenAPI document is valid against the meta-schema of 3.2, its schemas included.
import { relative } from 'node:path';
import { validate } from '@hyperjump/json-schema/openapi-3-2';
import { NEWEST, attempt, cli, filesIn, folder, json } from './lib.mjs';

const META = 'https://spec.openapis.org/oas/3.2/schema-base';
let documents;
await attempt('OpenAPI 3.2', 'is written', () => {
  cli('schema', 'openapi', folder('openapi'));
  documents = new Map(
    filesIn(folder('openapi'), '.json').map((path) => [
      relative(folder('openapi'), path).replace('/openapi.json', ''),
      path,
    ]),
  );
});
for (const { name } of documents ? NEWEST : []) {
  await attempt('OpenAPI 3.2', `${name}/event`, async () => {
    const { valid, errors } = await validate(META, json(documents.get(name)), 'BASIC');
    if (!valid) throw new Error(`${errors[0].instanceLocation}: ${errors[0].absoluteKeywordLocation}`);
  });
}
