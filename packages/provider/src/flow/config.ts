import { section } from '@carnet/adapter-contract/settings';
import { z } from 'zod';

export const secretsSchema = section({
  system: z
    .array(z.string().min(16, 'must have at least 16 characters each. Generate one with `openssl rand -hex 32`'), {
      error: 'must be a list of secrets',
    })
    .min(1, 'must hold at least one secret')
    .optional()
    .describe(
      'Secrets that encrypt the flow state and the keys in the store, of at least 16 characters each (better 32). Carnet encrypts with the first and decrypts with all.',
    )
    .meta({ secret: 'text' }),
});
