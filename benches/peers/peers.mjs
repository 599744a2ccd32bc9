// A peer in Node. For each line on standard input it reads the events once more, and prints how many
// seconds that took and how many events it refused.
//
//     node peers.mjs parse|ajv|zod EVENTS      EVENTS: a file with a JSON list of the events' texts
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { createInterface } from 'node:readline';

const FRONTENDS = new URL('../../frontends/', import.meta.url);

/** What each peer does: whether it takes the text of an event. */
const PEERS = {
  parse: () => (text) => JSON.parse(text) !== undefined,
  async ajv() {
    const { isKnownAguiEvent } = await import(new URL('validators/agui.mjs', FRONTENDS));
    return (text) => isKnownAguiEvent(JSON.parse(text));
  },
  zod() {
    const { EventSchemas } = createRequire(new URL('package.json', FRONTENDS))('@ag-ui/core/schemas');
    return (text) => EventSchemas.safeParse(JSON.parse(text)).success;
  },
};

const [name, path] = process.argv.slice(2);
let takes;
try {
  takes = await PEERS[name]();
} catch (error) {
  console.log(error.message.split('\n')[0]);
  process.exit(1);
}
const texts = JSON.parse(readFileSync(path, 'utf8'));
for await (const _ of createInterface({ input: process.stdin })) {
  const start = performance.now();
  let refused = 0;
  for (const text of texts) if (!takes(text)) refused += 1;
  console.log(`${(performance.now() - start) / 1000} ${refused}`);
}
