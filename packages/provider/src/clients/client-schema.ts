import { z } from 'zod';
import { asymmetricAlgorithms } from '../jwk.ts';
import {
  authMethod,
  clientSecret,
  defaultAuthMethod,
  encryptionAlgorithm,
  freeObject,
  goDuration,
  httpsUrl,
  list,
  origin,
  orUnset,
  publicKeys,
  redirectUri,
  requestSigningAlgorithm,
  scope,
  secretHashes,
  signingAlgorithm,
  text,
  unlessEmpty,
  unlessZero,
  webUrl,
} from './client-fields.ts';

/** The scopes of a client that requests none: Hydra's default. */
const defaultScope = 'offline_access offline openid';

const or = <T>(schema: z.ZodType<T | undefined>, fallback: T) => schema.transform((value): T => value ?? fallback);
const textOr = (maxLength: number, fallback: string) => or(unlessEmpty(text(maxLength)), fallback);
const listOrNone = (item: z.ZodType<string>, maxItems: number) => or(orUnset(list(item, maxItems)), []);
const urlOrEmpty = or(unlessEmpty(webUrl), '');

const flag = orUnset(z.boolean());
const maybeText = unlessEmpty(text(512));
const maybeUrl = unlessEmpty(webUrl);
/** Back-Channel and Front-Channel Logout 1.0, section 2.2 and section 2. */
const maybeLogoutUrl = unlessEmpty(webUrl.refine((value) => !value.includes('#'), 'must not contain a fragment (#)'));
const maybeSigning = unlessEmpty(signingAlgorithm);
const maybeEncryption = unlessEmpty(encryptionAlgorithm);

/** RFC 6749 appendix A.1, and usable as a segment of a path. */
const clientId = z
  .string()
  .regex(/^[\x20-\x7e]{1,255}$/, 'must be 1 to 255 printable ASCII characters')
  .refine(
    (value) => value !== '.' && value !== '..' && value.trim() === value,
    'must not be "." or "..", or have blanks around it',
  );

/** The 13 lifespans of Hydra: `null`, or a duration such as `1h30m0s`. Zero is `null`: the server's default. */
const lifespan = unlessZero(goDuration).transform((value) => value ?? null);
export const lifespans = {
  authorization_code_grant_access_token_lifespan: lifespan,
  authorization_code_grant_id_token_lifespan: lifespan,
  authorization_code_grant_refresh_token_lifespan: lifespan,
  client_credentials_grant_access_token_lifespan: lifespan,
  implicit_grant_access_token_lifespan: lifespan,
  implicit_grant_id_token_lifespan: lifespan,
  jwt_bearer_grant_access_token_lifespan: lifespan,
  refresh_token_grant_id_token_lifespan: lifespan,
  refresh_token_grant_access_token_lifespan: lifespan,
  refresh_token_grant_refresh_token_lifespan: lifespan,
  device_authorization_grant_id_token_lifespan: lifespan,
  device_authorization_grant_access_token_lifespan: lifespan,
  device_authorization_grant_refresh_token_lifespan: lifespan,
};

/** In every answer, in this order. */
export const always = {
  client_name: textOr(256, ''),
  redirect_uris: listOrNone(redirectUri, 100),
  grant_types: listOrNone(text(128), 20),
  response_types: listOrNone(text(128), 20),
  scope: or(unlessEmpty(scope), defaultScope),
  audience: listOrNone(text(512), 100),
  owner: textOr(256, ''),
  policy_uri: urlOrEmpty,
  allowed_cors_origins: listOrNone(origin, 100),
  tos_uri: urlOrEmpty,
  client_uri: urlOrEmpty,
  logo_uri: urlOrEmpty,
  contacts: listOrNone(text(256), 20),
  subject_type: or(unlessEmpty(z.enum(['public', 'pairwise'])), 'public'),
  jwks: publicKeys.transform((value) => value ?? {}),
  token_endpoint_auth_method: or(unlessEmpty(authMethod), defaultAuthMethod).describe(
    'If omitted, the client may send its secret in the header or in the body, and responses show client_secret_basic.',
  ),
  userinfo_signed_response_alg: or(unlessEmpty(z.enum(['none', ...asymmetricAlgorithms])), 'none'),
  metadata: or(orUnset(freeObject(16_384)), {}),
  skip_consent: or(flag, false),
  skip_logout_consent: flag.transform((value) => value ?? null),
};

/** Left out of answers while unset. The first lines are Hydra's, the rest is from RFC 7591, OpenID Connect and FAPI. */
export const optional = {
  access_token_strategy: unlessEmpty(z.enum(['opaque', 'jwt'])),
  access_token_type: unlessEmpty(z.enum(['at+jwt', 'JWT'])),
  sector_identifier_uri: maybeUrl,
  jwks_uri: maybeUrl,
  request_uris: orUnset(list(webUrl, 20)),
  request_object_signing_alg: unlessEmpty(requestSigningAlgorithm),
  token_endpoint_auth_signing_alg: maybeSigning,
  frontchannel_logout_uri: maybeLogoutUrl,
  frontchannel_logout_session_required: flag,
  post_logout_redirect_uris: orUnset(list(redirectUri, 100)),
  backchannel_logout_uri: maybeLogoutUrl,
  backchannel_logout_session_required: flag,
  application_type: unlessEmpty(z.enum(['web', 'native'])),
  id_token_signed_response_alg: maybeSigning,
  id_token_encrypted_response_alg: maybeEncryption,
  id_token_encrypted_response_enc: maybeText,
  userinfo_encrypted_response_alg: maybeEncryption,
  userinfo_encrypted_response_enc: maybeText,
  request_object_encryption_alg: maybeEncryption,
  request_object_encryption_enc: maybeText,
  authorization_signed_response_alg: maybeSigning,
  authorization_encrypted_response_alg: maybeEncryption,
  authorization_encrypted_response_enc: maybeText,
  introspection_signed_response_alg: maybeSigning,
  introspection_encrypted_response_alg: maybeEncryption,
  introspection_encrypted_response_enc: maybeText,
  default_max_age: orUnset(z.int().min(0)),
  default_acr_values: orUnset(list(text(512), 20)),
  require_auth_time: flag,
  initiate_login_uri: unlessEmpty(httpsUrl),
  require_pushed_authorization_requests: flag,
  require_signed_request_object: flag,
  dpop_bound_access_tokens: flag,
  tls_client_certificate_bound_access_tokens: flag,
  use_mtls_endpoint_aliases: flag,
  tls_client_auth_subject_dn: unlessEmpty(text(1024)),
  tls_client_auth_san_dns: maybeText,
  tls_client_auth_san_uri: maybeText,
  tls_client_auth_san_ip: maybeText,
  tls_client_auth_san_email: maybeText,
  authorization_details_types: orUnset(list(text(128), 50)),
  backchannel_token_delivery_mode: unlessEmpty(z.enum(['poll', 'ping'])),
  backchannel_client_notification_endpoint: maybeUrl,
  backchannel_authentication_request_signing_alg: maybeSigning,
  backchannel_user_code_parameter: flag,
  software_id: maybeText,
  software_version: maybeText,
};

/** The members of a record: those on the wire without the id, the times and the secret. */
export const registered = z.object({ ...always, ...lifespans, ...optional });
export type RegisteredMetadata = z.output<typeof registered>;

export const clientBody = z.object({
  client_id: unlessEmpty(clientId),
  client_secret: unlessEmpty(clientSecret),
  client_secret_hash: unlessEmpty(secretHashes).describe(
    'For clients imported from another server, instead of client_secret: the hash of the secret, or a list with the hash of the current secret and of up to 5 previous ones.',
  ),
  ...registered.shape,
});

export const lifespansBody = z.object(lifespans);
export type ClientLifespans = z.output<typeof lifespansBody>;

/** The schema of a member: of a field of requests, without the transform that adds its default. */
const beforeTransform = (field: z.core.$ZodType): z.core.$ZodType => {
  if (!(field instanceof z.ZodPipe)) return field;
  return beforeTransform(field.in instanceof z.ZodTransform ? field.out : field.in);
};

const withoutOptional = (field: z.core.$ZodType): z.ZodType => {
  const inner = beforeTransform(field);
  return (inner instanceof z.ZodOptional ? beforeTransform(inner.unwrap()) : inner) as z.ZodType;
};

type Members<Name extends string> = Readonly<Record<Name, z.ZodType>>;

/** The members of a client without defaults, and without the values that requests may send in place of a missing member. */
export const strictMembers = <Name extends string>(
  fields: Members<Name>,
  change: (member: z.ZodType, name: Name) => z.ZodType = (member) => member,
) => {
  const names = Object.keys(fields) as Name[];
  return Object.fromEntries(names.map((name) => [name, change(withoutOptional(fields[name]), name)])) as Members<Name>;
};
