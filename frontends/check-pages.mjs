// The examples of the pages hold: `expression; // value` in JavaScript is run, TypeScript compiles.
import assert from 'node:assert/strict';
import { existsSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import ts from 'typescript';
import { HERE, ROOT, folder, read } from './lib.mjs';

// The examples stand in a package beside the schemas.
const FOLDER = folder('pages');
writeFileSync(join(FOLDER, 'package.json'), '{"type": "module"}');
for (const [name, target] of [
  ['node_modules', join(HERE, 'node_modules')],
  ['frontends', HERE],
  ['schemas', join(ROOT, 'schemas')],
])
  if (!existsSync(join(FOLDER, name))) symlinkSync(target, join(FOLDER, name));

/** Values are compared as the comment writes them; a comment of words stands for itself. */
function checked(line) {
  const [, expression, value] = line.match(/^([^/]+); \/\/ (true|false|\[.*\])/) ?? [];
  return value === undefined ? line : `assert.deepEqual(${expression}, ${value});`;
}

let count = 0;
for (const page of ['docs/frontends.md', 'schemas/README.md']) {
  for (const [, language, code] of read(join(ROOT, page)).matchAll(/^```(js|ts)\n(.*?)^```/gms)) {
    const path = join(FOLDER, `example-${(count += 1)}.${language}`);
    if (language === 'js') {
      const lines = ["import assert from 'node:assert/strict';", ...code.split('\n').map(checked)];
      writeFileSync(path, lines.join('\n'));
      await import(pathToFileURL(path));
    } else {
      writeFileSync(path, code);
      const options = { strict: true, noEmit: true, module: ts.ModuleKind.NodeNext, preserveSymlinks: true };
      const found = ts.getPreEmitDiagnostics(ts.createProgram([path], options));
      assert.deepEqual(found.map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, '\n')), []);
    }
  }
}
assert(count >= 6, `only ${count} examples were found`);
