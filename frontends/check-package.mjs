// The npm package: packed, installed into a fresh folder, used in Node, in Chromium, by TypeScript and with zod.
import { execFileSync } from 'node:child_process';
import { createRequire } from 'node:module';
import { rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { pathToFileURL } from 'node:url';
import { inChromium } from './chromium.mjs';
import { CLOSED, HERE, Missing, NEWEST, OUT, agree, attempt, cli, folder, pascal, read, values } from './lib.mjs';
import { compiles } from './tsc.mjs';

const all = values();
const npm = (cwd, ...args) =>
  execFileSync('npm', [...args, '--loglevel=error'], { cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });

/** Packs what the command line writes, and installs it where nothing else is but zod. */
function install() {
  for (const name of ['npm', 'packed', 'fresh']) rmSync(join(OUT, name), { recursive: true, force: true });
  const [source, packed, fresh] = [folder('npm'), folder('packed'), folder('fresh')];
  cli('schema', 'npm', source);
  const [{ filename }] = JSON.parse(npm(source, 'pack', '--json', '--pack-destination', packed));
  writeFileSync(join(fresh, 'package.json'), '{ "private": true, "type": "module" }\n');
  npm(fresh, 'install', '--offline', '--omit=peer', '--no-audit', '--no-fund', join(packed, filename));
  symlinkSync(join(HERE, 'node_modules', 'zod'), join(fresh, 'node_modules', 'zod'));
  return fresh;
}

let fresh;
await attempt('npm package', 'packs and installs', () => void (fresh = install()));

const inFresh = () => {
  if (!fresh) throw new Missing('there is no package');
  return createRequire(join(fresh, 'here.js'));
};
const load = (name) => import(pathToFileURL(inFresh().resolve(name)));

for (const { protocol, name } of NEWEST) {
  const exported = `validate${pascal(protocol)}Event`;
  await attempt('npm package in Node', `${name}/event`, async () =>
    agree(all, `${name}/event`, (await load(`agent-contracts/${protocol}`))[exported]),
  );
  await attempt('npm package in Chromium', `${name}/event`, async () => {
    const module = relative(fresh ?? '', inFresh().resolve(`agent-contracts/${protocol}`));
    const own = all.filter(({ verdicts }) => `${name}/event` in verdicts);
    const said = await inChromium(
      fresh,
      async ([path, exported, texts]) => {
        const isValid = (await import(path))[exported];
        return texts.map((text) => isValid(JSON.parse(text)));
      },
      [`/${module}`, exported, own.map(({ text }) => text)],
    );
    const saidOf = new Map(own.map(({ text }, at) => [text, said[at]]));
    return agree(all, `${name}/event`, (_, text) => saidOf.get(text));
  });
}

await attempt('npm package', 'the example of its README', () => {
  inFresh();
  const [, code] = /```ts\n([\s\S]*?)```/.exec(read(join(fresh, 'node_modules', 'agent-contracts', 'README.md')));
  writeFileSync(join(fresh, 'example.ts'), code);
  compiles([join(fresh, 'example.ts')]);
});

const isNewest = ({ name }) => NEWEST.some((newest) => name.startsWith(`${newest.name}/`));
for (const { protocol, name, file } of CLOSED.filter(isNewest)) {
  const type = pascal(protocol) + pascal(file);
  await attempt('our zod module', name, async () => {
    const schema = (await load(`agent-contracts/${protocol}/zod`))[type];
    writeFileSync(
      join(fresh, `${type}.ts`),
      `import type * as z from 'zod';
import type { ${type} as Event } from 'agent-contracts/${protocol}';
import { ${type} as Schema } from 'agent-contracts/${protocol}/zod';
export const read = (value: unknown): Event => Schema.parse(value);
type Same<One, Other> = [One, Other] extends [Other, One] ? true : false;
export const same: Same<z.infer<typeof Schema>, Event> = true;
`,
    );
    compiles([join(fresh, `${type}.ts`)]);
    return agree(all, name, (value) => schema.safeParse(value).success);
  });
}
