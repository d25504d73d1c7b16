import { choiceSchema, flagSchema, httpUrlSchema, matchingSchema } from '@carnet/adapter-contract/settings';
import { z } from 'zod';
import { secretMembersOf } from './secret-members.ts';

const textMessage = 'must be text';
const text = z.string({ error: textMessage }).min(1, 'must not be empty');
const texts = (what: string) => z.array(text, { error: `must be a list of ${what}` }).default([]);

const domainMessage = 'must be a list of domains such as "example.com", in lower case';
const domains = z
  .array(z.string().regex(/^(?:[a-z0-9-]+\.)+[a-z0-9-]+$/, domainMessage), { error: domainMessage })
  .default([]);

/** The presets that exist in this version. */
const presets = ['google', 'microsoft', 'github', 'gitlab', 'linkedin', 'discord'] as const;

/** The members of every provider. */
const common = {
  name: matchingSchema(
    /^[a-z][a-z0-9-]{0,31}$/,
    'must be lower-case letters, digits and hyphens, at most 32, and begin with a letter',
  ).describe(
    'The name of the provider. Identities are stored with it, and its callback is `<login app>/login/provider/<name>`, so never change it.',
  ),
  label: text.optional().describe('The text of its button. Default: the name of the preset, or `name`.'),
  domains: domains.describe(
    'Domains of email addresses. A user who enters a login name of such a domain is sent to this provider at once.',
  ),
  isAuthorityFor: domains.describe(
    'Domains whose addresses this provider gives out. Only an address of such a domain, which the provider calls verified, links an identity to an existing user without another proof.',
  ),
  clients: texts('client ids').describe('The ids of clients whose users sign in with this provider only.'),
  signUp: choiceSchema('automatic', 'confirm', 'off')
    .default('confirm')
    .describe(
      'The first sign-in of an identity without a user. `automatic`: Carnet creates the user. `confirm`: after the user has confirmed it. `off`: it is refused.',
    ),
  factors: choiceSchema('own', 'provider')
    .default('own')
    .describe(
      'The second factors. `own`: as after a password (`accounts.secondFactors`). `provider`: two factors at the provider (`acr`, `amr`) are accepted instead of our own.',
    ),
};

const oidc = z.strictObject({
  kind: z.literal('oidc').describe('An OpenID Provider, or one of the presets.'),
  ...common,
  preset: choiceSchema(...presets)
    .optional()
    .describe('The product. It sets the issuer, the scopes, the claims, and what is special about it.'),
  issuer: httpUrlSchema
    .optional()
    .describe(
      'The issuer of the provider. Default: that of the preset. It must be https, unless it is on this machine.',
    ),
  formerIssuer: text
    .optional()
    .describe(
      'The issuer before `issuer`, if the provider has moved and its subjects have stayed the same. Without it, Carnet does not start with another issuer for a provider whose identities it has stored.',
    ),
  clientId: text.describe('The client id that the provider has given to Carnet.'),
  clientSecret: text
    .optional()
    .describe('The client secret. Prefer the environment variable `ACCOUNTS_PROVIDER_<NAME>_CLIENT_SECRET`.')
    .meta({ secret: 'text' }),
  clientSecretMethod: choiceSchema('client_secret_basic', 'client_secret_post')
    .optional()
    .describe(
      'How Carnet sends `clientSecret`. Default: `client_secret_basic`, or `client_secret_post` if the metadata of the provider lists no other one.',
    ),
  privateKey: text
    .optional()
    .describe(
      'A private key in PEM (PKCS #8), for `private_key_jwt` instead of a secret. Prefer the environment variable `ACCOUNTS_PROVIDER_<NAME>_PRIVATE_KEY_FILE`.',
    )
    .meta({ secret: 'text' }),
  keyId: text.optional().describe('The `kid` of `privateKey`.'),
  scopes: texts('scopes').describe(
    'The scopes of the request. Default: those of the preset, or `openid profile email`.',
  ),
  claims: z
    .record(z.string(), text, { error: "must be a map from claims to the provider's claims" })
    .default({})
    .describe(
      'The claim of the provider for each claim. These are added to the claims of the preset, and override them.',
    ),
  tenants: texts('tenants').describe(
    'The tenants whose users may sign in: ids of tenants (`microsoft`, required), or domains of organisations (`google`). `*`: all.',
  ),
  userinfo: flagSchema
    .default(true)
    .describe('Whether Carnet asks the userinfo endpoint for claims that the ID token does not have.'),
});

const kinds = [oidc] as const;

export const providerSecrets = secretMembersOf(kinds);

export const providersSchema = z
  .array(
    z.discriminatedUnion('kind', kinds, {
      error: (issue) =>
        issue.code === 'invalid_union' ? 'must be "oidc"' : 'must be a provider: an object with `kind` and `name`',
    }),
    { error: 'must be a list of providers (in the variable: JSON)' },
  )
  .default([])
  .describe('Other providers with which users can sign in. See "Members of providers" below.')
  .meta({ secret: 'members' });
