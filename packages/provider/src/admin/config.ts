import { section } from '@carnet/adapter-contract/settings';
import { z } from 'zod';
import { allowedHostsSchema } from '../http/config.ts';

/** The rights of tokens in `admin.tokens`. */
export const adminRights = ['metrics', 'read', 'login', 'accounts', 'users', 'all'] as const;
export type AdminRight = (typeof adminRights)[number];

const minLength = 16;
const tooShort = `must have at least ${minLength} characters: \`openssl rand -hex 32\` makes one`;

/** The values of a text or file. Several are valid at once while a token is replaced. */
export const splitTokens = (text: string): readonly string[] =>
  text.split(/[\s,]+/).filter((value) => value.length >= minLength);

const namedToken = z
  .strictObject({
    name: z
      .string({ error: 'must be text' })
      .regex(/^(?!file$)[a-z][a-z0-9-]{0,31}$/, 'must be lower-case letters, digits and hyphens, and not "file"')
      .describe(
        'The name of the token in messages and audit records. `ADMIN_TOKEN_PROMETHEUS` sets the value of the token `prometheus`.',
      ),
    rights: z
      .array(z.enum(adminRights, { error: `must be of ${adminRights.join(', ')}` }), { error: 'must be a list' })
      .min(1, `must name at least one of ${adminRights.join(', ')}`)
      .describe(
        '`metrics`: the metrics. `read`: every GET except for key sets, and introspection. `login`: the requests of login, consent, logout and device pages. `accounts`: sign-in, account pages, factors, sessions and consents. `users`: the management of users and groups, and the reset of factors. `all`: everything.',
      ),
    value: z
      .string({ error: 'must be text' })
      .refine((text) => splitTokens(text).join().length === text.length, tooShort)
      .optional()
      .describe('The token. While it is replaced, the new and the old one, separated by a comma.')
      .meta({ secret: 'text' }),
    file: z
      .string({ error: 'must be the path of a file' })
      .optional()
      .describe('A file with the token, or with several, one on each line. A change takes effect within a second.'),
    issuers: z
      .array(z.string(), { error: 'must be a list of names' })
      .min(1, 'must name at least one issuer')
      .optional()
      .describe(
        'Only for several issuers: the names of those at which the token is valid; `(first)` is the first one. Default: all.',
      ),
  })
  .refine(({ value, file }) => (value === undefined) !== (file === undefined), 'needs either value or file');

export type NamedToken = z.output<typeof namedToken>;

export const adminSchema = section({
  token: z
    .string({ error: 'must be text' })
    .min(minLength, tooShort)
    .optional()
    .describe(
      'The bearer token for everything in the admin API. With it or `admin.tokens`, every request needs a token.',
    )
    .meta({ secret: 'text' }),
  tokens: z
    .array(namedToken, { error: 'must be a list of tokens' })
    .default([])
    .describe('Named bearer tokens with rights: give each program a token that allows only what the program needs.')
    .meta({ secret: 'members' }),
  allowedHosts: allowedHostsSchema.describe(
    'Values of the Host header that the admin listener accepts besides loopback.',
  ),
});

export type AdminConfig = z.output<typeof adminSchema>;

/** Whether callers need a token. Without one, any program on this machine is authorized. */
export const hasTokens = ({ token, tokens }: AdminConfig): boolean => token !== undefined || tokens.length > 0;
