import type { ClientMetadata, OAuth2Client } from '@carnet/provider';

/** The kinds of applications that the console asks for. */
export const kinds = ['web', 'spa', 'native', 'machine', 'device', 'mcp'] as const;

export type Kind = (typeof kinds)[number];

const deviceGrant = 'urn:ietf:params:oauth:grant-type:device_code';

/** A question of the form, by the name of its field. */
export type Question =
  | 'client_name'
  | 'redirect_uris'
  | 'post_logout_redirect_uris'
  | 'backchannel_logout_uri'
  | 'audience'
  | 'scope'
  | 'refresh'
  | 'skip_consent';

interface KindOfApp {
  readonly questions: readonly Question[];
  /** The scopes that the form proposes. */
  readonly scope: string;
  readonly grantTypes: readonly string[];
  readonly responseTypes: readonly string[];
  /** Whether the program cannot keep a secret. */
  readonly isPublic: boolean;
}

const code = { grantTypes: ['authorization_code'], responseTypes: ['code'], scope: 'openid profile email' };

export const kindOfApp: Readonly<Record<Kind, KindOfApp>> = {
  web: {
    ...code,
    isPublic: false,
    questions: [
      'client_name',
      'redirect_uris',
      'post_logout_redirect_uris',
      'scope',
      'refresh',
      'backchannel_logout_uri',
      'skip_consent',
    ],
  },
  spa: {
    ...code,
    isPublic: true,
    questions: ['client_name', 'redirect_uris', 'post_logout_redirect_uris', 'scope', 'refresh', 'skip_consent'],
  },
  native: {
    ...code,
    isPublic: true,
    questions: ['client_name', 'redirect_uris', 'post_logout_redirect_uris', 'scope', 'refresh', 'skip_consent'],
  },
  machine: {
    grantTypes: ['client_credentials'],
    responseTypes: [],
    scope: '',
    isPublic: false,
    questions: ['client_name', 'scope', 'audience'],
  },
  device: {
    grantTypes: [deviceGrant],
    responseTypes: [],
    scope: 'openid profile',
    isPublic: true,
    questions: ['client_name', 'scope', 'refresh', 'audience'],
  },
  mcp: {
    ...code,
    scope: 'openid',
    isPublic: true,
    questions: ['client_name', 'redirect_uris', 'audience', 'scope', 'refresh'],
  },
};

/** The items of a field: one in each line, or separated by blanks. None of them contains white space. */
export const itemsIn = (text: string | null): readonly string[] => (text ?? '').split(/\s+/).filter(Boolean);

const originsOf = (uris: readonly string[]): readonly string[] => [
  ...new Set(uris.flatMap((uri) => (/^https?:/i.test(uri) && URL.canParse(uri) ? [new URL(uri).origin] : []))),
];

/** A redirect to a program on the machine of the user (RFC 8252): any port of the loopback interface is accepted. */
const isOnMachine = (uri: string): boolean =>
  !/^https?:/i.test(uri) || /^http:\/\/(?:127\.0\.0\.1|\[::1\]|localhost)(?:[:/?]|$)/i.test(uri);

/** The rest of the metadata, which follows from the kind and the redirect URIs. */
const impliedBy = (kind: Kind, redirectUris: readonly string[]): ClientMetadata => ({
  // Without a method, Carnet accepts the secret in the header and in the body: libraries differ in their default.
  ...(kindOfApp[kind].isPublic && { token_endpoint_auth_method: 'none' }),
  ...(kind === 'spa' && { allowed_cors_origins: originsOf(redirectUris) }),
  ...((kind === 'native' || kind === 'device') && { application_type: 'native' }),
  ...(kind === 'mcp' && { application_type: redirectUris.some(isOnMachine) ? 'native' : 'web' }),
});

const scopeOf = (kind: Kind, form: URLSearchParams): string => {
  const scopes = new Set(itemsIn(form.get('scope')));
  if (form.get('refresh') === 'true') scopes.add('offline_access');
  // A registration without scopes gets those of Hydra, with `offline_access`.
  if (scopes.size === 0 && kind !== 'machine') scopes.add('openid');
  return [...scopes].join(' ');
};

/** The metadata of a new client, from the answers in the form. Carnet validates them. */
export const metadataOf = (kind: Kind, form: URLSearchParams): ClientMetadata => {
  const { questions, grantTypes, responseTypes } = kindOfApp[kind];
  // Answers to questions that the form of this kind does not ask are ignored.
  const given = new URLSearchParams([...form].filter(([name]) => questions.some((question) => question === name)));
  const redirectUris = itemsIn(given.get('redirect_uris'));
  const hasRefresh = given.get('refresh') === 'true';
  const logoutUri = given.get('backchannel_logout_uri')?.trim();
  return {
    client_name: given.get('client_name')?.trim() ?? '',
    grant_types: [...grantTypes, ...(hasRefresh ? ['refresh_token'] : [])],
    response_types: responseTypes,
    redirect_uris: redirectUris,
    scope: scopeOf(kind, given),
    audience: itemsIn(given.get('audience')),
    ...(questions.includes('post_logout_redirect_uris') && {
      post_logout_redirect_uris: itemsIn(given.get('post_logout_redirect_uris')),
    }),
    ...(logoutUri && { backchannel_logout_uri: logoutUri, backchannel_logout_session_required: true }),
    skip_consent: given.get('skip_consent') === 'true',
    ...impliedBy(kind, redirectUris),
  };
};

type Described = Pick<
  OAuth2Client,
  'grant_types' | 'token_endpoint_auth_method' | 'application_type' | 'redirect_uris'
>;

/** The kind of app that a registered client most likely is. */
export const kindOf = (client: Described): Exclude<Kind, 'mcp'> => {
  const { grant_types: grants, application_type: type, redirect_uris: uris } = client;
  if (grants.includes(deviceGrant)) return 'device';
  if (uris.length === 0 && grants.includes('client_credentials')) return 'machine';
  if (client.token_endpoint_auth_method !== 'none') return 'web';
  return type === 'native' || uris.some((uri) => !/^https?:/i.test(uri)) ? 'native' : 'spa';
};
