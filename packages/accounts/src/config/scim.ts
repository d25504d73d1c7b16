import { flagSchema, section, wholeNumberSchema } from '@carnet/adapter-contract/settings';
import { z } from 'zod';

const isToken = /^(?:sha256:[0-9a-f]{64}|(?!sha256:)[\x21-\x7e]{32,})$/i;
const notToken =
  'must have at least 32 characters, such as those of `openssl rand -hex 32`, or be sha256: and the digest of such a token in hexadecimal';

const scimToken = z.string({ error: 'must be text' }).regex(isToken, notToken).optional().meta({ secret: 'text' });

const namedToken = z.strictObject({
  name: z
    .string({ error: 'must be text' })
    .regex(/^(?!file$)[a-z][a-z0-9-]{0,31}$/, 'must be lower-case letters, digits and hyphens, and not "file"')
    .describe(
      'The name of the token. Audit records have it as `accounts.scim.tokens.<name>`. `ACCOUNTS_SCIM_TOKEN_OKTA` sets the value of the token `okta`.',
    ),
  value: z
    .string({ error: 'must be text' })
    .refine((text) => text.split(',').every((value) => isToken.test(value)), notToken)
    .describe('The token, or its digest. While it is replaced, the new and the old one, separated by a comma.')
    .meta({ secret: 'text' }),
});

/** SCIM 2.0, and the tokens of its clients. */
export const scimSchema = section({
  enabled: flagSchema
    .default(false)
    .describe(
      'Whether directories such as Entra and Okta manage the users of the directory of the kind `sql` and their groups by SCIM 2.0, at `/scim/v2` below the issuer. It needs the package `@carnet/scim`.',
    ),
  token: scimToken.describe(
    'The bearer token of the SCIM client: at least 32 characters, or `sha256:` and the SHA-256 digest of the token in hexadecimal.',
  ),
  previousToken: scimToken.describe('Another token that is accepted, until all clients send the new one.'),
  tokens: z
    .array(namedToken, { error: 'must be a list of tokens' })
    .default([])
    .describe('Further bearer tokens, one for each SCIM client. Each can be replaced and removed without the others.')
    .meta({ secret: 'members' }),
  emailsVerified: flagSchema
    .default(false)
    .describe('Whether email addresses from the SCIM client are known to belong to their users (`email_verified`).'),
  requestsPerSecond: wholeNumberSchema(1, 10_000)
    .default(50)
    .describe(
      'The number of SCIM requests that a process answers per second. Ten times as many are answered at once after a pause; others get 429.',
    ),
});
