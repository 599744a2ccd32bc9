// quicktype: code in six languages from every closed schema. TypeScript and Java are compiled as well.
import { execFileSync, spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { FetchingJSONSchemaStore, InputData, JSONSchemaInput, quicktypeMultiFile } from 'quicktype-core';
import { CLOSED, Limit, attempt, folder, read, tagOf, toldBy, typesOf } from './lib.mjs';
import { compiles } from './tsc.mjs';

const LANGUAGES = {
  typescript: { 'just-types': true },
  go: {},
  csharp: {},
  java: { 'just-types': true },
  kotlin: {},
  swift: {},
};
const hasJavac = spawnSync('javac', ['-version']).status === 0;

async function generate(closed, lang) {
  const input = new JSONSchemaInput(new FetchingJSONSchemaStore());
  await input.addSource({ name: 'Event', schema: read(closed.path) });
  const inputData = new InputData();
  inputData.addInput(input);
  const files = await quicktypeMultiFile({ inputData, lang, rendererOptions: LANGUAGES[lang] });
  const dir = folder('quicktype', closed.name.replaceAll('/', '-'), lang);
  return [...files].map(([file, { lines }]) => {
    const path = join(dir, file === 'stdout' ? `Event.${lang === 'typescript' ? 'ts' : lang}` : file);
    writeFileSync(path, lines.join('\n'));
    return path;
  });
}

for (const closed of CLOSED) {
  for (const lang of Object.keys(LANGUAGES)) {
    await attempt(`quicktype ${lang}`, closed.name, async () => {
      const paths = await generate(closed, lang);
      if (lang === 'typescript') compiles(paths);
      if (lang === 'java' && hasJavac)
        execFileSync('javac', ['-d', folder('quicktype', 'classes'), ...paths], { stdio: 'pipe' });
      const code = paths.map(read).join('\n');
      const absent = [...typesOf(closed).keys()].find((tag) => !code.includes(JSON.stringify(tag)));
      if (absent && toldBy(tagOf(closed), closed.schema).some(({ tags }) => tags.length === 0))
        throw new Limit('quicktype makes plain text of a tag that has a pattern in one branch');
      if (absent) throw new Error(`${absent} is not in the code`);
    });
  }
}
