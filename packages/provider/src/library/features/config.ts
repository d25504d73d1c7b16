import {
  durationSchema,
  flagSchema,
  httpUrlSchema,
  matchingSchema,
  section,
  wholeNumberSchema,
} from '@carnet/adapter-contract/settings';
import { z } from 'zod';

/** A feature with its switch, and with settings of its own. */
const feature = <More extends z.ZodRawShape = Record<never, never>>(
  byDefault: boolean,
  description: string,
  more: More = {} as More,
) => section({ enabled: flagSchema.default(byDefault).describe(description), ...more });

/** No vowels, so that no code is a word, and nothing that looks like something else (RFC 8628, section 6.1). */
const consonants = 'BCDFGHJKLMNPQRSTVWXZ';
const charactersMessage = 'must be 10 to 36 different capital letters and digits';

const userCode = section({
  length: wholeNumberSchema(6, 20).default(8).describe('The number of characters of a user code.'),
  characters: matchingSchema(/^[A-Z0-9]{10,36}$/, charactersMessage)
    .refine((text) => new Set(text).size === text.length, charactersMessage)
    .default(consonants)
    .describe('The characters of user codes.'),
});

const ciba = feature(
  false,
  'Backchannel authentication (OpenID CIBA Core) in poll and ping mode: the user decides on another device.',
  {
    pollingIntervalSeconds: durationSchema(1, 300)
      .default(5)
      .describe('The minimum interval between two polls of a client.'),
    requestSeconds: durationSchema(30, 3_600)
      .default(300)
      .describe('The time that the user has to answer. A client may request less.'),
  },
);

const clientIdMetadataDocument = feature(
  false,
  'Clients whose `client_id` is the https URL of their metadata document (draft-ietf-oauth-client-id-metadata-document). Carnet fetches the document at the first request of the client.',
  {
    allowedHosts: z
      .array(z.string().min(1, 'must be a list of host names'), { error: 'must be a list of host names' })
      .optional()
      .describe('The hosts that may publish such documents: `app.example.com`, `*.example.com`. Default: all.'),
    maxFetchesPerMinute: wholeNumberSchema(1, 6_000)
      .default(60)
      .describe(
        'The maximum number of new documents that a process fetches per minute, for all clients together. One host of documents gets a third of them, and callers of one network (/24, or /48 with IPv6) a sixth; at one host, they get a twelfth. The same limits apply again to the refresh of cached documents.',
      ),
    maxDocuments: wholeNumberSchema(10, 100_000)
      .default(1_000)
      .describe('The maximum number of documents that a process caches.'),
    cacheMin: durationSchema(1, 86_400)
      .default(300)
      .describe('The minimum time for which a document is cached, regardless of its HTTP headers.'),
    cacheMax: durationSchema(60, 604_800)
      .default(86_400)
      .describe(
        'The maximum time for which a document is cached, regardless of its HTTP headers. While its host is unreachable, a cached document is used for up to this time.',
      ),
  },
);

const device = feature(
  true,
  'The device authorization grant (RFC 8628): the user signs in on another device with a user code.',
  {
    pollingIntervalSeconds: durationSchema(1, 300)
      .default(5)
      .describe('The minimum interval between two polls of a device.'),
    userCode,
    userCodesPerMinute: wholeNumberSchema(6, 60_000)
      .default(600)
      .describe(
        'The maximum number of user codes that may be entered per minute, valid or not, for all users together. It limits guessing.',
      ),
  },
);

const flag = (description: string) => flagSchema.default(false).describe(description);

const names = z.array(z.string().min(1), { error: 'must be a list of names' });

const detailType = z.strictObject({
  required: names.default([]),
  optional: names.default([]),
  actions: names.optional(),
});

const features = {
  claimsParameter: feature(true, 'The `claims` request parameter (OpenID Connect Core, section 5.5).'),
  ciba,
  clientIdMetadataDocument,
  device,
  dpop: feature(true, 'Tokens bound to a key of the client (DPoP, RFC 9449).', {
    requireNonce: flag('Proofs must contain a nonce that Carnet issued (RFC 9449, section 8).'),
  }),
  encryption: feature(false, 'ID tokens, userinfo and JWT responses encrypted to a key of the client.'),
  fapi: feature(false, 'Carnet accepts only requests that the FAPI 2.0 Security Profile allows.'),
  hybrid: feature(
    false,
    'The response types `code id_token`, `code token` and `code id_token token`, where registered.',
  ),
  implicit: feature(false, 'The response types `id_token` and `id_token token`, where registered.'),
  par: feature(true, 'Pushed authorization requests (PAR, RFC 9126).', {
    required: flag('Every authorization request must be pushed.'),
  }),
  jar: feature(true, 'Authorization requests as signed JWTs (JAR, RFC 9101).', {
    required: flag('Every authorization request must be a signed JWT.'),
    byReference: flag('Request objects may be fetched from a `request_uri` that the client has registered.'),
  }),
  mtls: feature(false, 'Client authentication with certificates, and tokens bound to a certificate (mTLS, RFC 8705).', {
    baseUrl: httpUrlSchema
      .transform((url) => url.replace(/\/+$/, ''))
      .optional()
      .describe(
        'The base URL of the endpoints that request a client certificate (`mtls_endpoint_aliases`). Default: the issuer.',
      ),
  }),
  rar: feature(false, 'Rich authorization requests (RAR, RFC 9396): the parameter `authorization_details`.', {
    types: z
      .record(z.string().min(1).max(256), detailType)
      .default({})
      .describe('The supported types of `authorization_details`: by `type`, their members and `actions`.'),
  }),
  jarm: feature(true, 'Authorization responses as signed JWTs (JARM).'),
  jwtBearer: feature(true, 'The JWT bearer grant (RFC 7523): access tokens for assertions of trusted issuers.', {
    maxAssertionSeconds: durationSchema(1)
      .default(2_592_000)
      .describe('The maximum lifetime of an assertion, from `iat` to `exp`.'),
    iatOptional: flagSchema.default(false).describe('Assertions may omit `iat`.'),
    jtiOptional: flagSchema
      .default(false)
      .describe('Assertions may omit `jti`. An assertion without `jti` can be used repeatedly until it expires.'),
  }),
  resourceIndicators: feature(
    true,
    'Resource indicators (RFC 8707): access tokens for a resource that the client requests.',
  ),
  tokenExchange: feature(false, 'Token exchange (RFC 8693).'),
};

/** The features that can be switched on and off, by name. `index.ts` lists their implementations. */
export const featuresSchema = section(features);

export type FeaturesConfig = z.output<typeof featuresSchema> & {
  /** The profile that `fapi` enforces while it is enabled: that of `oidc.profile`, or FAPI 2.0. */
  readonly fapi: { readonly profile?: '1.0 Final' | '2.0' };
};
export type FeatureName = keyof FeaturesConfig;

export const featureNames = Object.keys(features) as readonly FeatureName[];
