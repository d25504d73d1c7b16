import { z } from 'zod';
import { signingAlgorithms } from './signer.ts';

const algorithm = z.enum(signingAlgorithms, { error: `must be one of ${signingAlgorithms.join(', ')}` });

export const keysSchema = z
  .strictObject({
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
  })
  .prefault({});

export type KeysConfig = z.output<typeof keysSchema>;
