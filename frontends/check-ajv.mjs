// ajv 8: every schema under every strict option, the same verdicts as the checker, and one exact error for a bad event.
import { existsSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { pathToFileURL } from 'node:url';
import Ajv from 'ajv/dist/2020.js';
import { isStale, modulePath } from './build-validators.mjs';
import {
  CLOSED,
  Limit,
  Missing,
  NEWEST,
  SCHEMAS,
  agree,
  attempt,
  pascal,
  read,
  requiredOf,
  schemaOf,
  tagOf,
  toldBy,
  typesOf,
  values,
} from './lib.mjs';

const STRICT = {
  strict: true,
  strictSchema: true,
  strictNumbers: true,
  strictTypes: true,
  strictTuple: true,
  strictRequired: true,
};
const all = values();

for (const { name, schema } of SCHEMAS) {
  await attempt('ajv strict', name, () => void new Ajv(STRICT).compile(schema));
  if (all.some(({ verdicts }) => verdicts[name]?.by === 'checker')) {
    await attempt('ajv = checker', name, () => agree(all, name, new Ajv({ strict: false }).compile(schema), 'checker'));
  }
}

/** For each type of a closed schema, an event that lacks one required member: `{ type, bad, lacks }`. */
function brokenEvents(closed) {
  const { name, schema } = closed;
  const tag = tagOf(closed);
  const right = all.filter(({ verdicts }) => verdicts[name]?.valid).map(({ text }) => JSON.parse(text));
  return [...typesOf(closed)].flatMap(([value, type]) => {
    const lacks = requiredOf(schema, schema.$defs[type]).find((member) => member !== tag);
    const { [lacks]: _, ...bad } = right.find((event) => event[tag] === value) ?? {};
    return lacks && tag in bad ? [{ type, bad, lacks }] : [];
  });
}

/** Passes if each broken event has one error, which names the member. */
function oneError(schema, validatorOf) {
  const events = brokenEvents(schema);
  for (const { type, bad, lacks } of events) {
    const { valid, errors } = validatorOf(type)(bad);
    const exact =
      !valid && errors.length === 1 && errors[0].instancePath === '' && errors[0].params.missingProperty === lacks;
    if (!exact) throw new Error(`${type} without ${lacks}: ${errors?.length ?? 0} errors, ${errors?.[0]?.message}`);
  }
  return `${events.length} types`;
}
const asked = (validate) => (value) => ({ valid: validate(value), errors: validate.errors });

for (const closed of CLOSED) {
  const { name, schema } = closed;
  await attempt('ajv discriminator', name, () => {
    const tag = tagOf(closed);
    const other = toldBy(tag, schema).find(({ isTold }) => !isTold);
    if (other) throw new Limit('`discriminator` of ajv takes no branch whose tag is not a constant');
    const told = new Ajv({ ...STRICT, discriminator: true, allErrors: true }).compile({
      ...schema,
      type: 'object',
      discriminator: { propertyName: tag },
    });
    agree(all, name, told);
    return oneError(closed, () => asked(told));
  });
  await attempt('ajv by type', name, () => {
    const ajv = new Ajv({ ...STRICT, allErrors: true, schemas: [schema] });
    return oneError(closed, (type) => asked(ajv.getSchema(`${schema.$id}#/$defs/${type}`)));
  });
}

const LARGEST = 60_000;
const functionsOf = ({ protocol, name }) => [
  [`${name}/event`, `validate${pascal(protocol)}Event`],
  [`${name}/known-event`, `isKnown${pascal(protocol)}Event`],
  [`${name}/tool-event`, `validate${pascal(protocol)}ToolEvent`],
];
for (const each of NEWEST) {
  const path = modulePath(each.protocol);
  for (const [name, exported] of functionsOf(each).filter(([name]) => schemaOf(name))) {
    await attempt('ready validators', name, async () => {
      if (!existsSync(path)) throw new Missing(`validators/${each.protocol}.mjs is not there`);
      if (await isStale(each)) throw new Error('not as generated; run node build-validators.mjs');
      const packed = gzipSync(read(path), { level: 9 }).length;
      if (packed > LARGEST) throw new Error(`${packed} bytes when packed, more than ${LARGEST}`);
      const isValid = (await import(pathToFileURL(path)))[exported];
      agree(all, name, isValid);
      if (!name.endsWith('/event')) oneError(schemaOf(name), () => asked(isValid));
      return `${packed} bytes packed`;
    });
  }
}
