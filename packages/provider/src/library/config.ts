import {
  choiceSchema,
  durationSchema,
  flagSchema,
  httpUrlSchema,
  section,
  tenYears,
  wholeNumberSchema,
} from '@carnet/adapter-contract/settings';
import { z } from 'zod';
import { scopeStrategies } from '../clients/scope-match.ts';
import { accessTokenTypes } from '../tokens/access-token.ts';

/** The issuer (OpenID Connect Discovery section 3). A trailing slash is dropped. */
export const issuerSchema = httpUrlSchema
  .refine((text) => !text.includes('?'), 'must not have a query (?)')
  .transform((text) => text.replace(/\/+$/, ''))
  .optional()
  .describe('The https URL under which browsers and clients reach the public listener.');

const strategy = choiceSchema('opaque', 'jwt');

export const tokensSchema = section({
  accessTokenStrategy: strategy
    .default('opaque')
    .describe('The default format of access tokens. A client can be registered for the other.'),
  accessTokenType: choiceSchema(...accessTokenTypes)
    .default('at+jwt')
    .describe(
      'The header `typ` of JWT access tokens. With `at+jwt` (RFC 9068), a resource server can tell access tokens from other JWTs. `JWT` is for resource servers that refuse `at+jwt`, such as Spring Boot. A client can be registered for the other.',
    ),
  idTokenClaims: choiceSchema('always', 'requested')
    .default('always')
    .describe(
      'Which claims of the consent app are added to ID tokens. `always`: all, like Hydra. `requested`: those that the `claims` parameter names, and all if no access token is issued (OpenID Connect Core, section 5.4). Userinfo always returns all of them.',
    ),
  scopeClaim: choiceSchema('list', 'string', 'both')
    .default('both')
    .describe(
      'The claim that holds the scopes in JWT access tokens: `list` for `scp`, an array; `string` for `scope`, a string (RFC 9068); or both.',
    ),
  allowedTopLevelClaims: z
    .array(z.string().min(1).max(256), { error: 'must be a list of names' })
    .max(100)
    .default([])
    .describe('Claims in `ext` that are also copied to the top level of JWT access tokens.'),
  mirrorTopLevelClaims: flagSchema
    .default(true)
    .describe('Whether JWT access tokens have the claim `ext` in addition to the claims copied to the top level.'),
  excludeNotBeforeClaim: flagSchema.default(false).describe('Whether JWT access tokens omit the claim `nbf`.'),
  scopeStrategy: choiceSchema(...scopeStrategies)
    .default('exact')
    .describe(
      'How requested scopes are matched with registered ones. With "wildcard", a registered `photos.*` also matches `photos.read`.',
    ),
  refreshGraceSeconds: durationSchema(0, 15_552_000)
    .default(10)
    .describe(
      'The grace period in which a used refresh token is accepted again and returns the same successor, unless the successor was used. Because clocks differ, Carnet accepts it for up to 30 seconds longer. 0: no grace period.',
    ),
  refreshGraceReuseCount: wholeNumberSchema(1, 20)
    .default(1)
    .describe('How often a refresh token may be used again in the grace period. One more use revokes the grant.'),
});

export const pkceSchema = section({
  required: choiceSchema('public', 'always', 'never')
    .default('public')
    .describe('Which clients must use PKCE (RFC 7636) when they request a code: public clients, all, or none.'),
});

const resource = z.strictObject({
  identifier: httpUrlSchema
    .refine((url) => !url.includes('#'), 'must not have a fragment (#)')
    .describe('The URI of the resource, as sent in the parameter `resource`.'),
  scope: z
    .string({ error: 'must be space-delimited scopes' })
    .optional()
    .describe('The scopes of the resource, space-delimited. Default: all.'),
  accessTokenStrategy: strategy
    .optional()
    .describe('The format of its access tokens. It overrides the registration of the client.'),
  accessTokenTtl: durationSchema(1).optional().describe('The lifetime of its access tokens.'),
  clients: choiceSchema('registered', 'all')
    .default('registered')
    .describe(
      'Which clients may request the resource. `registered`: those whose `audience` lists it. `all`: every client, together with the scopes of the resource, whatever the client has registered.',
    ),
});

export const resourcesSchema = z
  .array(resource, { error: 'must be a list of resources' })
  .default([])
  .describe(
    'Resources (RFC 8707) with their own settings: `identifier`; the `scope`, `accessTokenStrategy` and `accessTokenTtl` of their access tokens; and the `clients` that may request them: `registered` (default) or `all`.',
  );

/** The pages of your application to which Carnet redirects users. */
export const urlsSchema = section({
  login: httpUrlSchema.optional().describe('The URL of the login page. It receives `login_challenge`.'),
  registration: httpUrlSchema
    .optional()
    .describe(
      'The URL of the page on which users create an account. It receives `login_challenge` for requests with `prompt=create` or `prompt=registration`. Default: the login page.',
    ),
  consent: httpUrlSchema.optional().describe('The URL of the consent page. It receives `consent_challenge`.'),
  logout: httpUrlSchema
    .optional()
    .describe('The URL of the page that confirms a logout. It receives `logout_challenge`.'),
  error: httpUrlSchema
    .optional()
    .describe('The URL of the page for errors that must not be sent to the client. Default: a page of Carnet.'),
  device: section({
    verification: httpUrlSchema
      .optional()
      .describe('The URL of the page on which users enter the code of a device. It receives `device_challenge`.'),
    success: httpUrlSchema
      .optional()
      .describe('The URL to which Carnet redirects a user who connected a device. Default: a page of Carnet.'),
  }),
  backchannelAuthentication: httpUrlSchema
    .optional()
    .describe(
      'The URL of the service that notifies users on their own devices (CIBA). It receives `backchannel_challenge` by POST.',
    ),
  postLogoutRedirect: httpUrlSchema
    .optional()
    .describe(
      'The URL to which Carnet redirects after a logout without `post_logout_redirect_uri`. Default: a page of Carnet.',
    ),
});

const listOfTypes = 'must be a list of "public" and "pairwise"';

export const subjectIdentifiersSchema = section({
  supportedTypes: z
    .array(z.enum(['public', 'pairwise'], { error: listOfTypes }), { error: listOfTypes })
    .min(1, 'must name at least one of "public" and "pairwise"')
    .default(['public'])
    .describe('The subject types that clients may have. A client that names none is public.'),
  pairwise: section({
    salt: z
      .string({ error: 'must be a text of at least 8 characters' })
      .min(8, 'must be a text of at least 8 characters')
      .optional()
      .describe(
        'The salt from which pairwise subjects are derived. Changing the salt changes every pairwise subject. Never change it.',
      )
      .meta({ secret: 'text' }),
  }),
});

export const profileSchema = choiceSchema('openid', 'fapi1-advanced')
  .default('openid')
  .describe(
    '`fapi1-advanced`: Carnet accepts only requests that FAPI 1.0 Part 2 (Advanced) allows. For FAPI 2.0, set `features.fapi.enabled`.',
  );

export const discoverySchema = choiceSchema('full', 'standard', 'hydra')
  .default('full')
  .describe(
    'The members of the discovery document. `standard`: without `id_token_signed_response_alg` and `userinfo_signed_response_alg`, which are in no specification. `hydra`: only the members that Hydra has, for its Go SDK, which rejects unknown members.',
  );

export const userinfoSchema = choiceSchema('standard', 'hydra')
  .default('standard')
  .describe(
    'The members of userinfo. `standard`: `sub` and the claims that the consent app gives. `hydra`: also `aud`, `iss`, `iat`, `auth_time`, `acr` and `amr`, as Hydra sends them.',
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
  'The claims that your consent app can add. The discovery document lists them in `claims_supported`.',
);
export const supportedScopesSchema = listed(
  'The scopes that the discovery document lists in `scopes_supported` besides `openid` and `offline_access`.',
);

export const supportedAcrValuesSchema = listed(
  'The authentication classes (`acr`) that your login app can reach, weakest first. The discovery document lists them in `acr_values_supported`. A remembered login that is below every class in `acr_values` is not sufficient: the user signs in again, and introspection shows `acr`, `amr` and `auth_time` (RFC 9470). Default: none, or with `accounts` those of the accounts.',
);

export const ttlSchema = section({
  loginConsentRequest: durationSchema(60)
    .default(1_800)
    .describe('The time that a user has to sign in, and then to consent.'),
  authenticationSession: durationSchema(60)
    .default(2_592_000)
    .describe('The lifetime of a remembered login, unless the login app sets another.'),
  accessToken: durationSchema(1).default(3_600).describe('The lifetime of an access token.'),
  refreshToken: z
    .preprocess((value) => (value === -1 || value === '-1' ? tenYears : value), durationSchema(1))
    .default(2_592_000)
    .describe(
      'The lifetime of a refresh token. -1: ten years from its last rotation, so that a token in use never expires.',
    ),
  idToken: durationSchema(1).default(3_600).describe('The lifetime of an ID token.'),
  authCode: durationSchema(1).default(600).describe('The lifetime of an authorization code.'),
  deviceUserCode: durationSchema(60)
    .default(600)
    .describe('The lifetime of the device code and the user code (RFC 8628).'),
});
