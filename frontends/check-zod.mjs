// zod 4: `fromJSONSchema` takes what has no `not`, and our own module says the same as ajv.
import { z } from 'zod';
import { CLOSED, Limit, SCHEMAS, agree, attempt, values } from './lib.mjs';

const all = values();
for (const { name, schema } of SCHEMAS) {
  await attempt('zod fromJSONSchema', name, () => {
    let type;
    try {
      type = z.fromJSONSchema(schema);
    } catch (error) {
      if (CLOSED.every((closed) => closed.name !== name) && /^not is not supported/.test(error.message))
        throw new Limit('`fromJSONSchema` of zod does not read `not`');
      throw error;
    }
    return agree(all, name, (value) => type.safeParse(value).success);
  });
}
