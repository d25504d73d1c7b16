import { choiceSchema, flagSchema, httpUrlSchema, matchingSchema } from '@carnet/adapter-contract/settings';
import { z } from 'zod';
import { secretMembersOf } from './secret-members.ts';

const textMessage = 'must be text';
const text = z.string({ error: textMessage }).min(1, 'must not be empty');
export const texts = (what: string) => z.array(text, { error: `must be a list of ${what}` }).default([]);

const domainMessage = 'must be a list of domains such as "example.com", in lower case';
export const domains = z
  .array(z.string().regex(/^(?:[a-z0-9-]+\.)+[a-z0-9-]+$/, domainMessage), { error: domainMessage })
  .default([]);

/** The presets that exist in this version. */
const presets = ['google', 'microsoft', 'apple', 'github', 'gitlab', 'facebook', 'linkedin', 'discord'] as const;

const claimsOf = (what: string) =>
  z.record(z.string(), text, { error: `must be a map from claims to the provider's ${what}` }).default({});

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
  formerIssuer: text
    .optional()
    .describe(
      'The issuer that the provider had before, as the message at the start names it, if the provider has moved and its subjects have stayed the same. Without it, Carnet does not start with another issuer for a provider whose identities it has stored.',
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
      'A private key in PEM (PKCS #8), for `private_key_jwt` instead of a secret. Apple: the key that signs client secrets. Prefer the environment variable `ACCOUNTS_PROVIDER_<NAME>_PRIVATE_KEY_FILE`.',
    )
    .meta({ secret: 'text' }),
  keyId: text.optional().describe('The `kid` of `privateKey`.'),
  teamId: text.optional().describe('The id of the team at Apple, which signs client secrets (preset `apple`).'),
  scopes: texts('scopes').describe(
    'The scopes of the request. Default: those of the preset, or `openid profile email`.',
  ),
  claims: claimsOf('claims').describe(
    'The claim of the provider for each claim. These are added to the claims of the preset, and override them.',
  ),
  tenants: texts('tenants').describe(
    'The tenants whose users may sign in: ids of tenants (`microsoft`, required), or domains of organizations (`google`). `*`: all.',
  ),
  logout: flagSchema
    .optional()
    .describe(
      'Whether a sign-out at Carnet continues at the provider (OpenID Connect RP-Initiated Logout 1.0), if the user has signed in there. Default: false.',
    ),
  userinfo: flagSchema
    .default(true)
    .describe('Whether Carnet asks the userinfo endpoint for claims that the ID token does not have.'),
});

const saml = z.strictObject({
  kind: z.literal('saml').describe('A SAML 2.0 provider.'),
  ...common,
  metadataUrl: httpUrlSchema
    .optional()
    .describe(
      'The URL of the metadata of the provider, which is read again every hour. It must be https, unless it is on this machine.',
    ),
  metadataFile: text
    .optional()
    .describe('A file with the metadata of the provider, instead of `metadataUrl`. It needs `issuer`.'),
  issuer: text
    .optional()
    .describe(
      'The entity ID of the provider. Default: that of its metadata. Required if the metadata describes several.',
    ),
  ssoUrl: httpUrlSchema
    .optional()
    .describe(
      'The URL of the single sign-on service (HTTP-Redirect), with `issuer` and `certificates` instead of metadata.',
    ),
  certificates: texts('certificates in PEM').describe('The certificates with which the provider signs, with `ssoUrl`.'),
  entityId: text
    .optional()
    .describe(
      'The entity ID of Carnet at this provider. Default: the URL of its metadata, `<login app>/login/provider/<name>/metadata`.',
    ),
  privateKey: text
    .optional()
    .describe(
      'A private RSA key in PEM (PKCS #8) that signs requests. Prefer the environment variable `ACCOUNTS_PROVIDER_<NAME>_PRIVATE_KEY_FILE`.',
    )
    .meta({ secret: 'text' }),
  certificate: text.optional().describe('The certificate of `privateKey` in PEM, for the metadata.'),
  decryptionKey: text
    .optional()
    .describe(
      'A private RSA key in PEM (PKCS #8) for encrypted assertions. Prefer the environment variable `ACCOUNTS_PROVIDER_<NAME>_DECRYPTION_KEY_FILE`.',
    )
    .meta({ secret: 'text' }),
  decryptionCertificate: text.optional().describe('The certificate of `decryptionKey` in PEM, for the metadata.'),
  signed: choiceSchema('assertion', 'response', 'both')
    .default('assertion')
    .describe('The part of a response that the provider must have signed.'),
  nameIdFormat: choiceSchema('persistent', 'emailAddress', 'unspecified')
    .default('persistent')
    .describe(
      'The format of the NameID. With another one than `persistent`, the provider may give the NameID of a user to another user later.',
    ),
  subjectAttribute: text.optional().describe('The attribute that identifies the user for ever, instead of the NameID.'),
  claims: claimsOf('attributes').describe(
    'The attribute of the provider for each claim. These are added to the usual attributes, and override them.',
  ),
  contexts: z
    .record(z.string(), text, { error: 'must be a map from classes (`acr`) to authentication contexts' })
    .default({})
    .describe(
      'The authentication context of the provider (`AuthnContextClassRef`) for each class (`acr`), such as `urn:carnet:2fa`.',
    ),
});

const kinds = [oidc, saml] as const;

export const providerSecrets = secretMembersOf(kinds);

export const providersSchema = z
  .array(
    z.discriminatedUnion('kind', kinds, {
      error: (issue) =>
        issue.code === 'invalid_union'
          ? 'must be "oidc" or "saml"'
          : 'must be a provider: an object with `kind` and `name`',
    }),
    { error: 'must be a list of providers (in the variable: JSON)' },
  )
  .default([])
  .describe('Other providers with which users can sign in. See "Members of providers" below.')
  .meta({ secret: 'members' });
