// Reads fixtures and leaves the texts in them as they are: `1e400` that is parsed and written again is `null`.

/** The texts of the members of an object, or of the elements of an array. */
export function parts(text) {
  const [members, elements] = [new Map(), []];
  let [depth, start, key] = [0, 0, undefined];
  for (const { 0: token, index } of text.matchAll(/"(?:[^"\\]|\\.)*"|[[\]{}:,]/g)) {
    if (token.startsWith('"')) continue;
    if (depth === 1 && token === ':' && key === undefined) key = JSON.parse(text.slice(start, index));
    else if (depth === 1 && /[,\]}]/.test(token)) {
      const value = text.slice(start, index).trim();
      if (key !== undefined) members.set(key, value);
      else if (value) elements.push(value);
      key = undefined;
    }
    if (/[[{]/.test(token)) depth += 1;
    if (/[\]}]/.test(token)) depth -= 1;
    if (depth === 1 && /[[{:,]/.test(token)) start = index + 1;
  }
  return { members, elements };
}

/** The frames of an event stream that have data: name and data. */
export function frames(stream) {
  const blocks = stream.replace(/^\uFEFF/, '').split(/(?:\r\n|\n|\r){2}/);
  return blocks.flatMap((block) => {
    const fields = block.split(/\r\n|\n|\r/).map((line) => /^(event|data)(?:: ?(.*))?$/.exec(line) ?? []);
    const of = (name) => fields.filter(([, field]) => field === name).map(([, , value]) => value ?? '');
    return of('data').length ? [{ name: of('event').at(-1), text: of('data').join('\n') }] : [];
  });
}

/** What one value of a protocol's stream holds: the name of the type that it should have, and its text. */
function held(protocol, text, name) {
  const { members } = parts(text);
  if (protocol === 'ubik' && !members.has('type')) {
    if (name) return [{ as: 'ubik/tool-event', text: `{"event":${JSON.stringify(name)},"data":${text}}` }];
    if (members.has('event') && members.has('data')) return [{ as: 'ubik/tool-event', text }];
  }
  if (protocol !== 'polling' || members.has('type') || members.has('idx')) return [{ as: `${protocol}/Event`, text }];
  const answer = members.get('response') ?? text;
  const outer = parts(answer).members;
  const list = outer.get('events') ?? parts(outer.get('data') ?? '').members.get('events');
  if (!list) return [{ as: outer.has('success') ? 'polling/error-response' : 'polling/Event', text: answer }];
  return [
    { as: 'polling/poll-response', text: answer },
    ...parts(list).elements.map((text) => ({ as: 'polling/Event', text })),
  ];
}

/** Everything in one fixture or recording: `{ as, text }`. `protocol` is the folder's; a fixture may name its own. */
export function contents(path, text, protocol) {
  const lines = (stream) => stream.split('\n').flatMap((line) => held(protocol, line));
  const ofFrames = (stream) => frames(stream).flatMap(({ name, text }) => held(protocol, text, name));
  if (path.endsWith('.sse')) return ofFrames(text);
  if (path.endsWith('.jsonl')) return lines(text);
  const { members } = parts(text);
  const string = (name) => (members.has(name) ? JSON.parse(members.get(name)) : '');
  protocol = string('protocol') || protocol;
  if (members.has('document')) return [{ as: string('as'), text: members.get('document') }];
  const events = parts(members.get('events') ?? '[]').elements.flatMap((event) => held(protocol, event));
  return [...events, ...lines(string('ndjson')), ...ofFrames(string('sse'))];
}
