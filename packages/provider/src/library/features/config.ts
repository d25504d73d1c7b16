import { z } from 'zod';
import { durationSchema } from '../../duration.ts';
import { httpUrlSchema } from '../../http/config.ts';
import { wholeNumberSchema } from '../../whole-number.ts';

const enabled = (byDefault: boolean, description: string) => ({
  enabled: z.boolean({ error: 'must be true or false' }).default(byDefault).describe(description),
});

/** No vowels, so that no code is a word, and nothing that looks like something else (RFC 8628, section 6.1). */
const consonants = 'BCDFGHJKLMNPQRSTVWXZ';
const charactersMessage = 'must be 10 to 36 different capital letters and digits';

const userCode = z
  .strictObject({
    length: wholeNumberSchema(6, 20).default(8).describe('How many characters a user code has.'),
    characters: z
      .string({ error: charactersMessage })
      .regex(/^[A-Z0-9]{10,36}$/, charactersMessage)
      .refine((text) => new Set(text).size === text.length, charactersMessage)
      .default(consonants)
      .describe('What user codes are made of.'),
  })
  .prefault({});

const ciba = z
  .strictObject({
    ...enabled(false, 'Asking a person on their own device (OpenID CIBA Core), by poll and ping.'),
    pollingIntervalSeconds: durationSchema(1, 300)
      .default(5)
      .describe('How long a client has to wait between two requests for its tokens.'),
    requestSeconds: durationSchema(30, 3_600)
      .default(300)
      .describe('How long a person may take to answer; a client may ask for less.'),
  })
  .prefault({});

const clientIdMetadataDocument = z
  .strictObject({
    ...enabled(
      false,
      'Clients whose `client_id` is the https URL of their metadata document (draft-ietf-oauth-client-id-metadata-document). Carnet fetches the document at the first request of the client.',
    ),
    allowedHosts: z
      .array(z.string().min(1, 'must be a list of host names'), { error: 'must be a list of host names' })
      .optional()
      .describe('The hosts that may publish such documents: `app.example.com`, `*.example.com`. Default: all.'),
    maxFetchesPerMinute: wholeNumberSchema(1, 6_000)
      .default(60)
      .describe(
        'How many new documents a process fetches in a minute, for all clients together. It may fetch the same number of cached documents again.',
      ),
    maxDocuments: wholeNumberSchema(10, 100_000).default(1_000).describe('How many documents a process caches.'),
    cacheMin: durationSchema(1, 86_400)
      .default(300)
      .describe('The minimum time for which a document is cached, whatever its HTTP headers say.'),
    cacheMax: durationSchema(60, 604_800)
      .default(86_400)
      .describe(
        'The maximum time for which a document is cached, whatever its HTTP headers say. While its host is unreachable, a cached document is used for up to this time.',
      ),
  })
  .prefault({});

const device = z
  .strictObject({
    ...enabled(true, 'Logging in on a device by a code that is typed elsewhere (RFC 8628).'),
    pollingIntervalSeconds: durationSchema(1, 300)
      .default(5)
      .describe('How long a device has to wait between two requests for its tokens.'),
    userCode,
    userCodesPerMinute: wholeNumberSchema(6, 60_000)
      .default(600)
      .describe(
        'How many user codes may be tried in a minute, by everybody together: what an attacker can guess. Right ones count too.',
      ),
  })
  .prefault({});

const flag = (description: string) =>
  z.boolean({ error: 'must be true or false' }).default(false).describe(description);

const names = z.array(z.string().min(1), { error: 'must be a list of names' });

const detailType = z.strictObject({
  required: names.default([]),
  optional: names.default([]),
  actions: names.optional(),
});

const features = {
  claimsParameter: z
    .strictObject(enabled(true, 'The `claims` request parameter (OpenID Connect Core, section 5.5).'))
    .prefault({}),
  ciba,
  clientIdMetadataDocument,
  device,
  dpop: z
    .strictObject({
      ...enabled(true, 'Tokens bound to a key of the client (DPoP, RFC 9449).'),
      requireNonce: flag('Proofs have to carry a nonce of ours (RFC 9449, section 8).'),
    })
    .prefault({}),
  encryption: z
    .strictObject(enabled(false, 'ID tokens, userinfo and JWT responses encrypted to a key of the client.'))
    .prefault({}),
  fapi: z.strictObject(enabled(false, 'Nothing but what the FAPI 2.0 Security Profile allows.')).prefault({}),
  hybrid: z
    .strictObject(
      enabled(false, 'The response types `code id_token`, `code token` and `code id_token token`, where registered.'),
    )
    .prefault({}),
  implicit: z
    .strictObject(enabled(false, 'The response types `id_token` and `id_token token`, where registered.'))
    .prefault({}),
  par: z
    .strictObject({
      ...enabled(true, 'Pushed authorization requests (PAR, RFC 9126).'),
      required: flag('Every authorization request has to be pushed.'),
    })
    .prefault({}),
  jar: z
    .strictObject({
      ...enabled(true, 'Authorization requests as signed JWTs (JAR, RFC 9101).'),
      required: flag('Every authorization request has to be a signed JWT.'),
      byReference: flag('They may be fetched from a `request_uri`, if the client has registered it.'),
    })
    .prefault({}),
  mtls: z
    .strictObject({
      ...enabled(false, 'Clients and tokens that are bound to a certificate (mTLS, RFC 8705).'),
      baseUrl: httpUrlSchema
        .transform((url) => url.replace(/\/+$/, ''))
        .optional()
        .describe(
          'Where the endpoints are that ask for a certificate (`mtls_endpoint_aliases`), if not at the issuer.',
        ),
    })
    .prefault({}),
  rar: z
    .strictObject({
      ...enabled(false, 'Rich authorization requests (RAR, RFC 9396): the parameter `authorization_details`.'),
      types: z
        .record(z.string().min(1).max(256), detailType)
        .default({})
        .describe('What can be asked for, by `type`: which members it has, and which `actions`.'),
    })
    .prefault({}),
  jarm: z.strictObject(enabled(true, 'Authorization responses as signed JWTs (JARM).')).prefault({}),
  jwtBearer: z
    .strictObject({
      ...enabled(true, 'Access tokens for the assertions of trusted issuers (JWT bearer, RFC 7523).'),
      maxAssertionSeconds: durationSchema(1)
        .default(2_592_000)
        .describe('How long an assertion may be valid, from `iat` to `exp`.'),
      iatOptional: z.boolean({ error: 'must be true or false' }).default(false).describe('Assertions may lack `iat`.'),
      jtiOptional: z
        .boolean({ error: 'must be true or false' })
        .default(false)
        .describe('Assertions may lack `jti`; those count any number of times until they expire.'),
    })
    .prefault({}),
  resourceIndicators: z
    .strictObject(enabled(true, 'Access tokens for a resource that the client names (RFC 8707).'))
    .prefault({}),
  tokenExchange: z
    .strictObject(enabled(false, 'Access tokens for other tokens (token exchange, RFC 8693).'))
    .prefault({}),
};

/** What can be switched on and off, by name; `index.ts` has what each of them does. */
export const featuresSchema = z.strictObject(features).prefault({});

export type FeaturesConfig = z.output<typeof featuresSchema>;
export type FeatureName = keyof FeaturesConfig;

export const featureNames = Object.keys(features) as readonly FeatureName[];
