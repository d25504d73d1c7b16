import { readFileSync } from 'node:fs';
import { type Option, text, texts, UsageError, type Values } from '../command.ts';

interface Flag {
  /** The member of the client. */
  readonly member: string;
  readonly kind: 'text' | 'list' | 'words' | 'flag' | 'json';
  readonly value?: string;
  readonly summary: string;
}

/** Hydra's flags of a client, by name. */
const flags: Readonly<Record<string, Flag>> = {
  name: { member: 'client_name', kind: 'text', value: 'name', summary: 'The name that users see.' },
  'grant-type': {
    member: 'grant_types',
    kind: 'list',
    value: 'type',
    summary: 'A grant type. Default of a new client: authorization_code.',
  },
  'response-type': {
    member: 'response_types',
    kind: 'list',
    value: 'type',
    summary: 'A response type. Default of a new client: code.',
  },
  scope: { member: 'scope', kind: 'words', value: 'scope', summary: 'A scope that the client may request.' },
  audience: {
    member: 'audience',
    kind: 'list',
    value: 'audience',
    summary: 'An audience that the client may request.',
  },
  'redirect-uri': {
    member: 'redirect_uris',
    kind: 'list',
    value: 'url',
    summary: 'A URL that users are redirected to.',
  },
  'post-logout-callback': {
    member: 'post_logout_redirect_uris',
    kind: 'list',
    value: 'url',
    summary: 'A URL that users may be redirected to after logout.',
  },
  'token-endpoint-auth-method': {
    member: 'token_endpoint_auth_method',
    kind: 'text',
    value: 'method',
    summary:
      'client_secret_basic, client_secret_post, private_key_jwt or none. Default: client_secret_basic or client_secret_post.',
  },
  'jwks-uri': {
    member: 'jwks_uri',
    kind: 'text',
    value: 'url',
    summary: "The client's public keys, for private_key_jwt.",
  },
  owner: { member: 'owner', kind: 'text', value: 'owner', summary: 'The owner of the client.' },
  contact: { member: 'contacts', kind: 'list', value: 'email', summary: 'The email address of a contact.' },
  metadata: { member: 'metadata', kind: 'json', value: 'json', summary: 'A JSON object for your own use.' },
  'client-uri': { member: 'client_uri', kind: 'text', value: 'url', summary: 'Its home page.' },
  'logo-uri': { member: 'logo_uri', kind: 'text', value: 'url', summary: 'Its logo.' },
  'policy-uri': { member: 'policy_uri', kind: 'text', value: 'url', summary: 'Its privacy policy.' },
  'tos-uri': { member: 'tos_uri', kind: 'text', value: 'url', summary: 'Its terms of service.' },
  'subject-type': { member: 'subject_type', kind: 'text', value: 'type', summary: 'public (default) or pairwise.' },
  'sector-identifier-uri': {
    member: 'sector_identifier_uri',
    kind: 'text',
    value: 'url',
    summary: 'The URL that the clients of one pairwise sector share.',
  },
  'request-uri': {
    member: 'request_uris',
    kind: 'list',
    value: 'url',
    summary: 'A request_uri that the client may use.',
  },
  'request-object-signing-alg': {
    member: 'request_object_signing_alg',
    kind: 'text',
    value: 'alg',
    summary: 'The algorithm of its signed request objects.',
  },
  'allowed-cors-origin': {
    member: 'allowed_cors_origins',
    kind: 'list',
    value: 'origin',
    summary: 'An origin whose scripts may call the public endpoints (CORS).',
  },
  'access-token-strategy': {
    member: 'access_token_strategy',
    kind: 'text',
    value: 'opaque|jwt',
    summary: "The form of its access tokens. Default: the server's.",
  },
  'access-token-type': {
    member: 'access_token_type',
    kind: 'text',
    value: 'at+jwt|JWT',
    summary: "The header `typ` of its JWT access tokens. Default: the server's.",
  },
  'skip-consent': {
    member: 'skip_consent',
    kind: 'flag',
    summary: 'Whether the consent page is skipped (`skip_consent`).',
  },
  'skip-logout-consent': {
    member: 'skip_logout_consent',
    kind: 'flag',
    summary: 'Whether the logout page is skipped (`skip_logout_consent`).',
  },
  'backchannel-logout-callback': {
    member: 'backchannel_logout_uri',
    kind: 'text',
    value: 'url',
    summary: 'The URL at which the server notifies the client of logouts.',
  },
  'backchannel-logout-session-required': {
    member: 'backchannel_logout_session_required',
    kind: 'flag',
    summary: 'The client requires `sid` in logout tokens.',
  },
  'frontchannel-logout-callback': {
    member: 'frontchannel_logout_uri',
    kind: 'text',
    value: 'url',
    summary: 'The URL at which the browser notifies the client of logouts.',
  },
  'frontchannel-logout-session-required': {
    member: 'frontchannel_logout_session_required',
    kind: 'flag',
    summary: 'The client requires `iss` and `sid` in the query.',
  },
};

const optionOf = ({ kind, value, summary }: Flag): Option => ({
  type: kind === 'flag' ? 'boolean' : 'string',
  ...((kind === 'list' || kind === 'words') && { multiple: true }),
  ...(value !== undefined && { value }),
  summary,
});

/** The options that set members of a client. */
export const clientOptions: Readonly<Record<string, Option>> = {
  ...Object.fromEntries(Object.entries(flags).map(([name, flag]) => [name, optionOf(flag)])),
  secret: {
    type: 'string',
    value: 'secret',
    summary: 'Visible to other programs while the command runs; prefer --secret-file.',
  },
  'secret-file': {
    type: 'string',
    value: 'file',
    summary: 'A file with the secret. Default: the server generates one, which is shown once.',
  },
};

const readers: Readonly<Record<Flag['kind'], (values: Values, name: string) => unknown>> = {
  text: text,
  list: texts,
  words: (values, name) => texts(values, name).join(' '),
  flag: (values, name) => values[name] === true,
  json: (values, name) => {
    try {
      return JSON.parse(text(values, name) ?? '{}');
    } catch {
      throw new UsageError(`--${name} must be JSON.`);
    }
  },
};

const secretOf = (values: Values): Record<string, string> => {
  const file = text(values, 'secret-file');
  const secret = file === undefined ? text(values, 'secret') : readFileSync(file, 'utf8').trim();
  return secret === undefined ? {} : { client_secret: secret };
};

/** The members of a client that its options set, and no others. */
export const clientFromOptions = (values: Values): Record<string, unknown> => ({
  ...Object.fromEntries(
    Object.entries(flags)
      .filter(([name]) => values[name] !== undefined)
      .map(([name, { member, kind }]) => [member, readers[kind](values, name)]),
  ),
  ...secretOf(values),
});
