import { codeChallenge } from '../login.ts';
import type { RawHttp } from '../raw-http.ts';
import type { Random } from './random.ts';

export type Parameter = readonly [name: string, value: string];
type Header = readonly [name: string, value: string];

/** What the clients of the tests are registered for; each is one that some rule is about. */
export const clientsOfTests: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  confidential: { audience: ['https://api.test', 'urn:api:two'] },
  public: { token_endpoint_auth_method: 'none' },
  'native-loopback': {
    token_endpoint_auth_method: 'none',
    application_type: 'native',
    redirect_uris: ['http://127.0.0.1/callback', 'com.example.app:/oauth2redirect', 'http://[::1]:7000/cb'],
  },
  'odd-redirects': {
    redirect_uris: [
      'https://app.test/callback?tenant=1',
      'https://app.test/a%20b/c',
      "https://app.test/it's/{x}",
      'https://APP.test:443/upper',
      'https://app.test/?',
      'https://app.test',
    ],
  },
  'no-refresh': { grant_types: ['authorization_code'] },
  wildcard: { scope: 'openid photos.* offline' },
  'no-openid': { scope: 'profile photos.read' },
  'default-age': { default_max_age: 600 },
  'auth-time': { require_auth_time: true },
  'default-acr': { default_acr_values: ['urn:gold'] },
  'pushed-only': { require_pushed_authorization_requests: true },
  'signed-only': {
    require_signed_request_object: true,
    token_endpoint_auth_method: 'private_key_jwt',
    jwks: { keys: [] },
  },
  pairwise: { subject_type: 'pairwise' },
  implicit: { grant_types: ['implicit'], response_types: ['id_token'] },
  'no-redirects': { redirect_uris: [], grant_types: ['client_credentials'], response_types: [] },
  constructor: {},
  'with space & more': {},
};

const redirectsOf = (id: string): readonly string[] =>
  (clientsOfTests[id]?.redirect_uris as readonly string[] | undefined) ?? ['https://app.test/callback'];

const scopes = ['openid', 'offline_access', 'offline', 'profile', 'email', 'photos.read', 'photos.*', 'photos'];

const pkce: readonly Parameter[] = [
  ['code_challenge', codeChallenge],
  ['code_challenge_method', 'S256'],
];

const plainRequest = (random: Random): Parameter[] => {
  const id = random.pick(Object.keys(clientsOfTests));
  return [
    ['client_id', id],
    ['response_type', 'code'],
    ['scope', ['openid', ...random.shuffled(scopes).slice(0, random.whole(3))].join(' ')],
    ['redirect_uri', random.pick([...redirectsOf(id), 'https://app.test/callback'])],
    ['state', random.text(1 + random.whole(40), 'abcXYZ019-_')],
    ['nonce', random.text(1 + random.whole(40), 'abcXYZ019-_')],
    ...(random.oneIn(8) ? [] : pkce),
  ];
};

/** What each parameter may be that it should not be, or need not be. */
const hostile: Readonly<Record<string, readonly string[]>> = {
  client_id: ['', 'unknown', '__proto__', 'CONFIDENTIAL', 'confidential ', 'x'.repeat(4_097)],
  response_type: ['token', 'id_token', 'code id_token', 'code code', ' code', 'none', 'CODE', ''],
  scope: [
    '',
    ' ',
    'openid  profile',
    ' openid',
    'openid ',
    'profile',
    'openid openid',
    'openid unknown',
    'openid offline_access offline',
    'openid "quoted"',
    'openid back\\slash',
    'openid ü',
    `openid ${'x '.repeat(60)}y`,
    'openid\tprofile',
    'OPENID',
  ],
  redirect_uri: [
    '',
    'https://evil.test/callback',
    'https://app.test/callback/',
    'https://app.test/callback#fragment',
    'https://app.test/callback?x=1',
    'https://app.test:443/callback',
    'https://APP.test/callback',
    'http://127.0.0.1:50123/callback',
    'http://localhost:50123/callback',
    'http://[::1]:9/cb',
    'com.example.app:/oauth2redirect',
    'javascript:alert(1)',
    '//app.test/callback',
  ],
  state: ['', 'a b', 'ä€😀', '"<>&\'', 'x'.repeat(1_536), 'x'.repeat(1_537), 'a%20b', 'a+b', '=&=', '\u0000', '\u007f'],
  nonce: ['', 'ü', 'n'.repeat(512), 'n'.repeat(513)],
  code_challenge: ['', 'short', 'c'.repeat(42), 'c'.repeat(43), 'c'.repeat(128), 'c'.repeat(129), `${'c'.repeat(42)}+`],
  code_challenge_method: ['', 'plain', 's256', 'S512'],
  audience: ['', 'https://api.test', 'https://api.test urn:api:two', 'https://other.test', '  https://api.test  '],
  prompt: ['none', 'login', 'consent', 'create', 'select_account', 'none login', 'unheard', ''],
  max_age: ['0', '100', '-1', 'x', ''],
  login_hint: ['alice@example.test', 'ä', ''],
  ui_locales: ['de en', ''],
  id_token_hint: ['x.y.z', ''],
  acr_values: ['urn:gold urn:silver', ''],
  display: ['page', 'popup'],
  claims_locales: ['de'],
  claims: ['{"id_token":{"acr":{"essential":true,"value":"gold"}}}', '{', '[]', '[['],
  resource: ['https://api.test', 'not a uri'],
  response_mode: ['query', 'fragment', 'form_post', 'jwt', 'unheard'],
  request: ['x.y.z', ''],
  request_uri: ['urn:ietf:params:oauth:request_uri:x', 'https://app.test/request'],
  registration: ['{}'],
  authorization_details: ['[]', '[{"type":"payment"}]'],
  dpop_jkt: ['x'.repeat(43)],
  login_challenge: ['x'],
  consent_verifier: ['', 'x', 'a.b.c.d.e'],
  login_verifier: ['', 'x', 'a..c.d.e'],
  __proto__: ['x'],
  unknown: ['', 'x'],
};

/** Three in a row are rare, so that most requests are unusual in one respect. */
const change = (random: Random, params: readonly Parameter[]): readonly Parameter[] => {
  const at = random.whole(params.length);
  const [name = '', value = ''] = params[at] ?? [];
  switch (random.whole(6)) {
    case 0:
      return params.toSpliced(at, 1);
    case 1:
      return [...params, [name, random.pick([value, value, ...(hostile[name] ?? [''])])]];
    case 2:
      return random.shuffled(params);
    case 3:
      return params.toSpliced(at, 1, [name, random.pick(hostile[name] ?? [''])]);
    default: {
      const other = random.pick(Object.keys(hostile));
      return [...params.filter(([given]) => given !== other), [other, random.pick(hostile[other] ?? [''])]];
    }
  }
};

const escapeAll = (text: string): string =>
  [...Buffer.from(text)].map((byte) => `%${byte.toString(16).padStart(2, '0')}`).join('');

/** Ways of writing a parameter down, right ones and wrong ones. */
const spellings: readonly ((text: string) => string)[] = [
  escapeAll,
  (text) => encodeURIComponent(text).replaceAll('%20', '+'),
  (text) => encodeURIComponent(text).toLowerCase(),
  (text) => `${encodeURIComponent(text)}%`,
  (text) => `${encodeURIComponent(text)}%zz`,
  (text) => `${encodeURIComponent(text)}%ff`,
  (text) => `${encodeURIComponent(text)}%00`,
  (text) => `${encodeURIComponent(text)}#`,
  (text) => `${encodeURIComponent(text)};`,
  (text) => `${encodeURIComponent(text)}\u00e9`,
];

export const queryOf = (random: Random, params: readonly Parameter[]): string => {
  const odd = random.oneIn(6) ? random.whole(params.length) : -1;
  const spell = random.pick(spellings);
  const query = params
    .map(([name, value], at) => `${encodeURIComponent(name)}=${(at === odd ? spell : encodeURIComponent)(value)}`)
    .join('&');
  return random.oneIn(20)
    ? random.pick([`&${query}`, `${query}&`, query.replace('=', ''), query.replace('&', '&&')])
    : query;
};

const oddHeaders: readonly Header[] = [
  ['Accept', 'text/html'],
  ['Accept', 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8'],
  ['Accept', '*/*'],
  ['Accept', '*/*,text/html;q=0'],
  ['Accept', 'application/json'],
  ['Accept', 'text/plain'],
  ['Accept', ''],
  ['Origin', 'https://app.test'],
  ['Authorization', 'Basic eDp5'],
  ['X-Forwarded-Host', 'evil.test'],
  ['Content-Type', 'application/x-www-form-urlencoded'],
];

/** Requests to the authorization endpoint, with something odd about their form once in a while. */
export const requestFor = (random: Random, cookies: readonly string[]): ((query: string) => RawHttp) => {
  const headers: Header[] = cookies.length > 0 ? [['Cookie', cookies.join('; ')]] : [];
  if (random.oneIn(6)) headers.push(random.pick(oddHeaders));
  const method = random.oneIn(40) ? random.pick(['POST', 'HEAD', 'PUT', 'OPTIONS']) : 'GET';
  const path = random.oneIn(60) ? random.pick(['/oauth2//auth', '/oauth2/auth/', '/oauth2/auth/x']) : '/oauth2/auth';
  const body = random.oneIn(60) ? 'a=b' : undefined;
  return (query) => ({ method, target: `${path}?${query}`, headers, body });
};

/** The parameters of a request, of which some are wrong. */
export const generateParameters = (random: Random): readonly Parameter[] => {
  let params: readonly Parameter[] = plainRequest(random);
  while (random.oneIn(2)) params = change(random, params);
  return params;
};
