import { readFileSync } from 'node:fs';
import { type Option, text, texts, UsageError, type Values } from '../command.ts';

interface Flag {
  /** The member of the client. */
  readonly member: string;
  readonly kind: 'text' | 'list' | 'words' | 'flag' | 'json';
  readonly value?: string;
  readonly summary: string;
}

const textFlag = (member: string, value: string, summary: string): Flag => ({ member, kind: 'text', value, summary });
const listFlag = (member: string, value: string, summary: string): Flag => ({ member, kind: 'list', value, summary });
const switchFlag = (member: string, summary: string): Flag => ({ member, kind: 'flag', summary });

/** Hydra's flags of a client, by name: the member that each sets, the name of its value in the help, and its summary. */
const flags: Readonly<Record<string, Flag>> = {
  name: textFlag('client_name', 'name', 'The name that users see.'),
  'grant-type': listFlag('grant_types', 'type', 'A grant type. Default of a new client: authorization_code.'),
  'response-type': listFlag('response_types', 'type', 'A response type. Default of a new client: code.'),
  scope: { member: 'scope', kind: 'words', value: 'scope', summary: 'A scope that the client may request.' },
  audience: listFlag('audience', 'audience', 'An audience that the client may request.'),
  'redirect-uri': listFlag('redirect_uris', 'url', 'A URL that users are redirected to.'),
  'post-logout-callback': listFlag(
    'post_logout_redirect_uris',
    'url',
    'A URL that users may be redirected to after logout.',
  ),
  'token-endpoint-auth-method': textFlag(
    'token_endpoint_auth_method',
    'method',
    'client_secret_basic, client_secret_post, private_key_jwt or none. Default: client_secret_basic or client_secret_post.',
  ),
  'jwks-uri': textFlag('jwks_uri', 'url', "The client's public keys, for private_key_jwt."),
  owner: textFlag('owner', 'owner', 'The owner of the client.'),
  contact: listFlag('contacts', 'email', 'The email address of a contact.'),
  metadata: { member: 'metadata', kind: 'json', value: 'json', summary: 'A JSON object for your own use.' },
  'client-uri': textFlag('client_uri', 'url', 'Its home page.'),
  'logo-uri': textFlag('logo_uri', 'url', 'Its logo.'),
  'policy-uri': textFlag('policy_uri', 'url', 'Its privacy policy.'),
  'tos-uri': textFlag('tos_uri', 'url', 'Its terms of service.'),
  'subject-type': textFlag('subject_type', 'type', 'public (default) or pairwise.'),
  'sector-identifier-uri': textFlag(
    'sector_identifier_uri',
    'url',
    'The URL that the clients of one pairwise sector share.',
  ),
  'request-uri': listFlag('request_uris', 'url', 'A request_uri that the client may use.'),
  'request-object-signing-alg': textFlag(
    'request_object_signing_alg',
    'alg',
    'The algorithm of its signed request objects.',
  ),
  'allowed-cors-origin': listFlag(
    'allowed_cors_origins',
    'origin',
    'An origin whose scripts may call the public endpoints (CORS).',
  ),
  'access-token-strategy': textFlag(
    'access_token_strategy',
    'opaque|jwt',
    "The form of its access tokens. Default: the server's.",
  ),
  'access-token-type': textFlag(
    'access_token_type',
    'at+jwt|JWT',
    "The header `typ` of its JWT access tokens. Default: the server's.",
  ),
  'skip-consent': switchFlag('skip_consent', 'Whether the consent page is skipped (`skip_consent`).'),
  'skip-logout-consent': switchFlag(
    'skip_logout_consent',
    'Whether the logout page is skipped (`skip_logout_consent`).',
  ),
  'backchannel-logout-callback': textFlag(
    'backchannel_logout_uri',
    'url',
    'The URL at which the server notifies the client of logouts.',
  ),
  'backchannel-logout-session-required': switchFlag(
    'backchannel_logout_session_required',
    'The client requires `sid` in logout tokens.',
  ),
  'frontchannel-logout-callback': textFlag(
    'frontchannel_logout_uri',
    'url',
    'The URL at which the browser notifies the client of logouts.',
  ),
  'frontchannel-logout-session-required': switchFlag(
    'frontchannel_logout_session_required',
    'The client requires `iss` and `sid` in the query.',
  ),
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
