import { z } from 'zod';
import { durationSchema } from '../duration.ts';
import { signingAlgorithms } from './signer.ts';

const algorithm = z.enum(signingAlgorithms, { error: `must be one of ${signingAlgorithms.join(', ')}` });

const hour = 3_600;
const day = 86_400;

export const keysSchema = z
  .strictObject({
    source: z
      .enum(['file', 'store'], { error: 'must be "file" or "store"' })
      .optional()
      .describe(
        'Where the signing keys are. `store`: made, announced, used and retired by Carnet, sealed with `secrets.system`. `file`, as `file` and `jwks` imply: managed by hand.',
      ),
    file: z
      .string({ error: 'must be the path of a file' })
      .min(1, 'must be the path of a file')
      .optional()
      .describe('A JWKS file with the private signing keys, made by `carnet keys generate`.'),
    jwks: z
      .looseObject({ keys: z.array(z.looseObject({}), { error: 'must be a list of private JWKs' }) })
      .optional()
      .describe('The private signing keys themselves, in place of a file.'),
    idTokenAlg: algorithm.default('RS256').describe('What ID tokens are signed with, unless a client asks otherwise.'),
    algorithms: z
      .array(algorithm, { error: `must be a list of ${signingAlgorithms.join(', ')}` })
      .min(1, 'must name at least one algorithm')
      .default([...signingAlgorithms])
      .describe('What there is to be a key for in the store.'),
    announced: durationSchema(hour)
      .default(14 * day)
      .describe('How long a key in the store is published before it signs.'),
    active: durationSchema(hour)
      .default(90 * day)
      .describe('How long it signs.'),
    retired: durationSchema(hour)
      .default(14 * day)
      .describe('How long it is published after that, so that what it has signed still verifies.'),
    pollSeconds: durationSchema(1, hour)
      .default(60)
      .describe('How long between two looks at the keys in the store, by each process.'),
  })
  .prefault({});

export type KeysConfig = z.output<typeof keysSchema>;
