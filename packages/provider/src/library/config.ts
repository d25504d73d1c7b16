import { z } from 'zod';
import { scopeStrategies } from '../clients/scope-match.ts';
import { durationSchema, tenYears } from '../duration.ts';
import { httpUrlSchema } from '../http/config.ts';

/** The issuer (OpenID Connect Discovery section 3). A trailing slash is dropped. */
export const issuerSchema = httpUrlSchema
  .refine((text) => !text.includes('?'), 'must not have a query (?)')
  .transform((text) => text.replace(/\/+$/, ''))
  .optional()
  .describe('The https URL under which browsers and clients reach the public listener.');

const strategies = ['opaque', 'jwt'] as const;

export const tokensSchema = z
  .strictObject({
    accessTokenStrategy: z
      .enum(strategies, { error: 'must be "opaque" or "jwt"' })
      .default('opaque')
      .describe('The form of access tokens, unless a client is registered for the other.'),
    idTokenClaims: z
      .enum(['always', 'requested'], { error: 'must be "always" or "requested"' })
      .default('always')
      .describe(
        'Which of the claims that the consent app gives stand in ID tokens. `always`: all, as with Hydra. `requested`: those the `claims` parameter names, and all where no access token comes with it (OpenID Connect Core, section 5.4). Userinfo has them all.',
      ),
    scopeClaim: z
      .enum(['list', 'string', 'both'], { error: 'must be "list", "string" or "both"' })
      .default('both')
      .describe('How JWT access tokens name their scopes: `scp`, a list; `scope`, text (RFC 9068); or both.'),
    allowedTopLevelClaims: z
      .array(z.string().min(1).max(256), { error: 'must be a list of names' })
      .max(100)
      .default([])
      .describe('What of the claims in `ext` stands at the top of JWT access tokens too.'),
    mirrorTopLevelClaims: z
      .boolean({ error: 'must be true or false' })
      .default(true)
      .describe('Whether JWT access tokens have `ext`, beside what stands at their top.'),
    excludeNotBeforeClaim: z
      .boolean({ error: 'must be true or false' })
      .default(false)
      .describe('Whether JWT access tokens lack `nbf`.'),
    scopeStrategy: z
      .enum(scopeStrategies, { error: 'must be "exact" or "wildcard"' })
      .default('exact')
      .describe('How scopes are compared. With "wildcard" a registered `photos.*` stands for `photos.read`.'),
    refreshGraceSeconds: durationSchema(0, 15_552_000)
      .default(10)
      .describe(
        'How long a used refresh token may be used again and gives the same successor, unless that was used. Because clocks differ, it is accepted for up to 30 seconds longer. 0: never.',
      ),
    refreshGraceReuseCount: z
      .int({ error: 'must be a whole number from 1 to 20' })
      .min(1, 'must be a whole number from 1 to 20')
      .max(20, 'must be a whole number from 1 to 20')
      .default(1)
      .describe('How often a refresh token may be used again in that time. Once more, and everything is revoked.'),
  })
  .prefault({});

export const pkceSchema = z
  .strictObject({
    required: z
      .enum(['public', 'always', 'never'], { error: 'must be "public", "always" or "never"' })
      .default('public')
      .describe('Which clients have to use PKCE (RFC 7636) wherever a code is issued: public ones, all, or none.'),
  })
  .prefault({});

const resource = z.strictObject({
  identifier: httpUrlSchema
    .refine((url) => !url.includes('#'), 'must not have a fragment (#)')
    .describe('The URI by which clients name it.'),
  scope: z.string({ error: 'must be scopes between blanks' }).optional().describe('The scopes it knows. Default: all.'),
  accessTokenStrategy: z
    .enum(strategies, { error: 'must be "opaque" or "jwt"' })
    .optional()
    .describe('The form of its access tokens, whatever their client is registered for.'),
  accessTokenTtl: durationSchema(1).optional().describe('The life of its access tokens.'),
  clients: z
    .enum(['registered', 'all'], { error: 'must be "registered" or "all"' })
    .default('registered')
    .describe(
      'Which clients may request the resource. `registered`: those whose `audience` lists it. `all`: every client, together with the scopes of the resource, whatever the client has registered.',
    ),
});

export type ResourceConfig = z.output<typeof resource>;

export const resourcesSchema = z
  .array(resource, { error: 'must be a list of resources' })
  .default([])
  .describe(
    'Resources (RFC 8707) with settings of their own: `identifier`; `scope`, `accessTokenStrategy` and `accessTokenTtl` of its access tokens; and `clients`, which may request it: `registered` (default) or `all`.',
  );

/** The pages of your own application that people are sent to. */
export const urlsSchema = z
  .strictObject({
    login: httpUrlSchema.optional().describe('The login page; it is given `login_challenge`.'),
    registration: httpUrlSchema
      .optional()
      .describe(
        'The page for people who have no account yet, asked for by `prompt=create` or `prompt=registration`; it is given `login_challenge`. Default: the login page.',
      ),
    consent: httpUrlSchema.optional().describe('The consent page; it is given `consent_challenge`.'),
    logout: httpUrlSchema.optional().describe('The page that asks before a logout; it is given `logout_challenge`.'),
    error: httpUrlSchema
      .optional()
      .describe('The page for errors that may not go to a client; without it Carnet shows its own.'),
    device: z
      .strictObject({
        verification: httpUrlSchema
          .optional()
          .describe('The page that asks for the code of a device; it is given `device_challenge`.'),
        success: httpUrlSchema
          .optional()
          .describe('Where a person ends who has let a device in; without it Carnet shows its own page.'),
      })
      .prefault({}),
    backchannelAuthentication: httpUrlSchema
      .optional()
      .describe('What reaches people on their own devices; it is sent `backchannel_challenge` by POST.'),
    postLogoutRedirect: httpUrlSchema.optional().describe('Where a logout ends that no client asked for.'),
  })
  .prefault({});

const subjectTypes = ['public', 'pairwise'] as const;

export const subjectIdentifiersSchema = z
  .strictObject({
    supportedTypes: z
      .array(z.enum(subjectTypes, { error: 'must be a list of "public" and "pairwise"' }), {
        error: 'must be a list of "public" and "pairwise"',
      })
      .min(1, 'must name at least one of "public" and "pairwise"')
      .default(['public'])
      .describe('The subject types that clients may have. A client that names none is public.'),
    pairwise: z
      .strictObject({
        salt: z
          .string({ error: 'must be a text of at least 8 characters' })
          .min(8, 'must be a text of at least 8 characters')
          .optional()
          .describe(
            'What pairwise subjects are derived with. Another salt makes other people of them all: keep it for ever.',
          ),
      })
      .prefault({}),
  })
  .prefault({});

export const discoverySchema = z
  .enum(['full', 'hydra'], { error: 'must be "full" or "hydra"' })
  .default('full')
  .describe(
    "The discovery document. `hydra`: only what Hydra's has, for its Go SDK, which refuses a member it does not know.",
  );

export const userinfoSchema = z
  .enum(['standard', 'hydra'], { error: 'must be "standard" or "hydra"' })
  .default('standard')
  .describe(
    'The members of userinfo. `standard`: `sub` and the claims that the consent app gives. `hydra`: also `aud`, `iss`, `iat`, `auth_time`, `acr` and `amr`, as Hydra sends them.',
  );

export const leanEndpointsSchema = z
  .boolean({ error: 'must be true or false' })
  .default(true)
  .describe(
    'Whether plain requests are answered by handlers of our own, in front of oidc-provider. They answer alike; off is slower.',
  );

export const storedFlowStateSchema = z
  .boolean({ error: 'must be true or false' })
  .default(false)
  .describe(
    'For comparison only: every step of a login is stored, and a reference to it travels, as with servers that keep logins under way in their database. Slower, and anybody who asks writes a row.',
  );

const listed = (description: string) =>
  z
    .array(z.string().regex(/^[\x21\x23-\x5b\x5d-\x7e]{1,256}$/, 'must be a list of names without blanks'), {
      error: 'must be a list of names',
    })
    .max(200, 'must not name more than 200')
    .default([])
    .describe(description);

export const supportedClaimsSchema = listed(
  'What `claims_supported` of the discovery document names beside `sub` and the like: what your consent app gives.',
);
export const supportedScopesSchema = listed(
  'What `scopes_supported` of the discovery document names beside `openid` and `offline_access`.',
);

export const ttlSchema = z
  .strictObject({
    loginConsentRequest: durationSchema(60)
      .default(1_800)
      .describe('How long a person may take to log in and consent.'),
    authenticationSession: durationSchema(60)
      .default(2_592_000)
      .describe('How long a login is remembered, unless the login app says otherwise.'),
    accessToken: durationSchema(1).default(3_600).describe('The life of an access token.'),
    refreshToken: z
      .preprocess((value) => (value === -1 || value === '-1' ? tenYears : value), durationSchema(1))
      .default(2_592_000)
      .describe(
        'The life of a refresh token. -1: ten years from its last rotation, which is for ever to all who use it.',
      ),
    idToken: durationSchema(1).default(3_600).describe('The life of an ID token.'),
    authCode: durationSchema(1).default(600).describe('How long an authorization code can be redeemed.'),
    deviceUserCode: durationSchema(60).default(600).describe('How long the codes of a device are good.'),
  })
  .prefault({});
