import type { ClientRecord } from '../clients/client-record.ts';
import type { ClientLifespans } from '../clients/client-schema.ts';
import { type ClientInput, parseClient, parseLifespans } from '../clients/parse-client.ts';
import { CarnetError, fieldError } from '../errors.ts';
import { spaceDelimited } from '../text/space-delimited.ts';
import type { RegistrationTerms } from './policy.ts';

const lifespans = Object.keys(parseLifespans({})) as (keyof ClientLifespans)[];

/** The members of a client that only an administrator sets. */
const administrators = [
  'metadata',
  'skip_consent',
  'skip_logout_consent',
  'access_token_strategy',
  'access_token_type',
  ...lifespans,
] as const;

type Sent = Readonly<Record<string, unknown>>;
type Defaults = RegistrationTerms['defaults'];

/** Whether a value means that the member is absent. SDKs send back the empty values of an earlier answer. */
const isUnset = (value: unknown): boolean =>
  value === undefined ||
  value === null ||
  value === '' ||
  value === false ||
  (typeof value === 'object' && Object.keys(value).length === 0);

/** The members that a client sends about itself. Those of administrators must be unset. */
const ownMembers = (value: unknown): Sent => {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new CarnetError('invalid_client_metadata', 'The client must be a JSON object.');
  const sent = value as Sent;
  const field = [...administrators, 'client_secret_hash'].find((name) => !isUnset(sent[name]));
  if (field !== undefined) throw fieldError(field, 'cannot be set for dynamic client registration.');
  return sent;
};

/**
 * Front-Channel Logout 1.0, section 2: the URI must have the origin of a redirect URI. Otherwise a client could load
 * another application of the provider's site in the frame, with its cookies.
 */
const assertFrontchannelIsOwn = ({
  frontchannel_logout_uri: uri,
  redirect_uris: redirectUris,
}: ClientInput['metadata']) => {
  if (uri === undefined) return;
  const { origin } = new URL(uri);
  if (redirectUris.some((each) => URL.parse(each)?.origin === origin)) return;
  throw fieldError('frontchannel_logout_uri', 'must have the scheme, host and port of one of redirect_uris.');
};

const parse = (sent: Sent, current?: ClientRecord): ClientInput => {
  const input = parseClient({
    ...sent,
    ...Object.fromEntries(administrators.map((name) => [name, current?.metadata[name]])),
    client_secret: undefined,
    client_secret_hash: undefined,
    client_id: undefined,
  });
  const { response_types: responseTypes, redirect_uris: redirectUris } = input.metadata;
  // RFC 7591, section 2; OpenID Connect Registration 1.0, section 2.
  if (responseTypes.length > 0 && redirectUris.length === 0) {
    throw fieldError(
      'redirect_uris',
      'is missing: register at least one redirect URI, or an empty list of response_types.',
    );
  }
  assertFrontchannelIsOwn(input.metadata);
  return input;
};

/** The defaults of omitted lists (RFC 7591, section 2). */
const defaults = { grant_types: ['authorization_code'], response_types: ['code'] };

/** A client that names no audience gets the default one, with the scopes that belong to it. */
const withDefaultAudience = (sent: Sent, { audience, audienceScopes }: Defaults): Sent => {
  if (!isUnset(sent.audience) || typeof sent.scope !== 'string') return sent;
  return { ...sent, audience, scope: [...new Set([...spaceDelimited(sent.scope), ...audienceScopes])].join(' ') };
};

const withDefaults = (sent: Sent, registered: Defaults): Sent => {
  const grantTypes = sent.grant_types ?? defaults.grant_types;
  const usesCode = Array.isArray(grantTypes) && grantTypes.includes('authorization_code');
  const whole = {
    ...sent,
    grant_types: grantTypes,
    response_types: sent.response_types ?? (usesCode ? defaults.response_types : []),
    scope: isUnset(sent.scope) ? registered.scope.join(' ') : sent.scope,
  };
  return withDefaultAudience(whole, registered);
};

/**
 * Parses the metadata of a client that registers itself. Carnet generates its id and secret.
 * @throws CarnetError `invalid_client_metadata`
 */
export const parseNewClient = (value: unknown, registered: Defaults): ClientInput => {
  const sent = ownMembers(value);
  if (!isUnset(sent.client_secret)) {
    throw new CarnetError(
      'invalid_client_metadata',
      'It is not allowed to choose your own OAuth2 Client secret: leave out client_secret.',
    );
  }
  return parse(withDefaults(sent, registered));
};

/**
 * Parses the new metadata of a client (RFC 7592, section 2.2). Members that only administrators set do not change.
 * @throws CarnetError `invalid_client_metadata`
 */
export const parseChangedClient = (value: unknown, current: ClientRecord, registered: Defaults) => {
  const sent = ownMembers(value);
  if (!isUnset(sent.client_id) && sent.client_id !== current.id) {
    throw fieldError('client_id', 'is that of another client.');
  }
  return {
    input: parse(withDefaults(sent, registered), current),
    /** It must equal the present one. */
    secret: typeof sent.client_secret === 'string' && sent.client_secret !== '' ? sent.client_secret : undefined,
  };
};

/** Members whose empty list differs from their absence, for which RFC 7591, section 2, has defaults. */
const meaningfulLists: ReadonlySet<string> = new Set(['redirect_uris', 'grant_types', 'response_types']);

/**
 * RFC 7591, section 3.2.1: only values that are registered are returned. SDKs refuse an empty string in place of a URL.
 */
const isShown = ([name, value]: readonly [string, unknown]): boolean => {
  if (value === undefined || value === null || value === '' || administrators.includes(name as never)) return false;
  return typeof value !== 'object' || meaningfulLists.has(name) || Object.keys(value).length > 0;
};

/** A client as it may see itself. */
export const publicMetadata = ({ metadata }: ClientRecord): object => ({
  ...Object.fromEntries(Object.entries(metadata).filter(isShown)),
  client_id_issued_at: Math.floor(Date.parse(metadata.created_at) / 1000),
});
