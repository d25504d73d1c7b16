import { randomBytes } from 'node:crypto';
import type { Instance } from '../harness.ts';
import { authorizationUrl, headless, type Json } from '../login.ts';
import { sealerOf } from '../walk.ts';
import type { Random } from './random.ts';

const bigText = (length: number): string => randomBytes(length).toString('base64url').slice(0, length);

/** What a login app says. */
export const loginDecision = (random: Random): { readonly verb: 'accept' | 'reject'; readonly body: Json } => {
  if (random.oneIn(15)) {
    const error = random.pick(['access_denied', 'login_required', 'a_code_of_its_own', '']);
    return { verb: 'reject', body: { error, error_description: 'not today' } };
  }
  const body: Json = { subject: random.pick(['alice', 'bob', 'ä 😀', 'x'.repeat(300)]) };
  if (random.oneIn(4)) body.remember = true;
  if (random.oneIn(8)) body.remember_for = random.pick([0, 1, 3_600]);
  if (random.oneIn(8)) body.acr = 'urn:gold';
  if (random.oneIn(8)) body.amr = ['pwd', 'otp'];
  if (random.oneIn(8)) body.context = { note: random.pick(['x', bigText(3_000)]) };
  if (random.oneIn(12)) body.force_subject_identifier = 'forced';
  if (random.oneIn(12)) body.identity_provider_session_id = 'idp-session';
  return { verb: 'accept', body };
};

/** What a consent app says. */
export const consentDecision = (random: Random, clientId: string): ReturnType<typeof loginDecision> => {
  if (random.oneIn(15)) return { verb: 'reject', body: { error: 'access_denied', error_description: 'not really' } };
  const body: Json = {
    grant_scope: random.pick([
      ['openid'],
      ['openid', 'offline_access'],
      ['openid', 'profile', 'offline_access'],
      ['profile'],
      [],
    ]),
  };
  if (random.oneIn(4)) body.remember = true;
  if (random.oneIn(8)) body.remember_for = random.pick([0, 1, 3_600]);
  if (random.oneIn(4))
    body.session = { id_token: { bio: random.pick(['b', bigText(900), bigText(5_000)]) }, access_token: { a: 1 } };
  if (clientId === 'confidential' && random.oneIn(3)) body.grant_access_token_audience = ['https://api.test'];
  if (random.oneIn(8)) body.context = { notes: 'n' };
  return { verb: 'accept', body };
};

const requestsOfPeople: readonly Readonly<Record<string, string>>[] = [
  {},
  {},
  {},
  {},
  { audience: 'https://api.test' },
  { login_hint: 'alice', ui_locales: 'de' },
  { max_age: '1000' },
  { prompt: 'login' },
  { acr_values: 'urn:gold' },
  { response_mode: 'form_post' },
  { claims: '{"id_token":{"email":null}}' },
  { state: "it's <&> ü + 😀" },
  { state: 's'.repeat(1_200) },
];

export const requestOfPerson = (random: Random, clientId: string): Readonly<Record<string, string>> => {
  const { audience, ...params } = random.pick(requestsOfPeople);
  return audience !== undefined && clientId === 'confidential' ? { ...params, audience } : params;
};

/** The Set-Cookie lines of an answer, as a browser sends them back. */
const cookiesOf = (headers: Headers): readonly string[] =>
  headers
    .getSetCookie()
    .map((line) => line.split(';', 1)[0] ?? '')
    .filter((pair) => !pair.endsWith('='));

/** Begins a flow at an instance. */
export const beginFlow = async (
  instance: Instance,
  id: string,
  params: Readonly<Record<string, string>>,
  cookies = '',
) => {
  const headers: Record<string, string> = cookies === '' ? {} : { cookie: cookies };
  const response = await fetch(authorizationUrl(instance, { id }, params), { redirect: 'manual', headers });
  const challenge = new URL(response.headers.get('location') ?? instance.issuer).searchParams.get('login_challenge');
  if (challenge === null)
    throw new Error(
      `no flow of ${id} begins with ${JSON.stringify(params)}: ${response.status} ${response.headers.get('location')}`,
    );
  const own = cookiesOf(response.headers);
  return { challenge, cookies: own, id: /carnet(?:_[\w-]{6})?_flow_([\w-]{22})=/.exec(own.join(';'))?.[1] ?? '' };
};

/** Decides; the query that the browser comes back with. */
export const decide = async (
  instance: Instance,
  what: 'login' | 'consent',
  challenge: string,
  { verb, body }: ReturnType<typeof loginDecision>,
): Promise<string> => {
  const answer = await headless(instance, 'PUT', `${what}/${verb}?${what}_challenge=${challenge}`, body);
  if (answer.status !== 200) throw new Error(`the decision was refused: ${answer.text}`);
  return new URL(String(answer.body.redirect_to)).search.slice(1);
};

/** A way of spoiling a query that has a verifier, or of putting something beside it. */
export const spoiling = (random: Random): ((query: string) => string) => {
  const part = random.whole(1_000) / 1_000;
  const partsOf = (query: string): readonly [string, string] => [
    query.slice(0, query.indexOf('=')),
    query.slice(query.indexOf('=') + 1),
  ];
  return random.pick<(query: string) => string>([
    (query) => `${query}&state=x&unknown=`,
    (query) => `${query}&${query}`,
    (query) => `login_verifier=x&${query}`,
    (query) => `consent_verifier=x&${query}`,
    (query) => `${query}&login_verifier=`,
    (query) => `client_id=public&${query}`,
    (query) => `${query}&${'p=1&'.repeat(60)}q=1`,
    (query) => `${query}&${Array.from({ length: 60 }, (_, index) => `p${index}=1`).join('&')}`,
    (query) => `${query}&state=${'x'.repeat(1_537)}`,
    (query) => `${query}&scope=%00`,
    (query) => query.slice(0, -1),
    (query) => {
      const [name, token] = partsOf(query);
      const at = Math.floor(part * token.length);
      return `${name}=${token.slice(0, at)}${token[at] === 'A' ? 'B' : 'A'}${token.slice(at + 1)}`;
    },
    (query) => query.replace(/^\w+_verifier/, (name) => (name[0] === 'l' ? 'consent_verifier' : 'login_verifier')),
    (query) => query.replace('verifier', 'challenge'),
    (query) => `${query}#x`,
    (query) => `${query}%`,
    (query) => `${partsOf(query)[0]}=`,
  ]);
};

/** Cookies that are not, or not quite, those of the flow. */
export const cookiesAround = (random: Random, right: readonly string[], issuer: string): readonly string[] => {
  const { keys } = sealerOf(issuer);
  const other = random.text(21, 'abcXYZ019-_') + random.pick(['A', 'Q', 'g', 'w']);
  const foreign = `carnet_flow_${other}=${keys.mac('flow_cookie', other)}`;
  const session = '01234567-89ab-8cde-8123-456789abcdef';
  const [first = foreign] = right;
  return random.pick<readonly string[]>([
    right,
    [],
    [foreign],
    [foreign, ...right],
    [...right, ...right],
    right.map((pair) => `${pair.slice(0, -1)}A`),
    right.map((pair) => pair.replace('=', '= ')),
    [`${first.split('=', 1)[0]}=${keys.mac('flow_cookie', other)}`],
    [...right, 'carnet_consent=1'],
    [...right, `carnet_session=${session}.${keys.mac('session_cookie', session)}`],
    [...right, 'carnet_session=forged.mac'],
    [...right, 'carnet_session='],
    [...right, 'a=b; ;=; c'],
    [
      ...right,
      ...Array.from({ length: 30 }, (_, at) => `carnet_flow_${other.slice(0, 19)}${String(at).padStart(2, '0')}A=x`),
    ],
  ]);
};
