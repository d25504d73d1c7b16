import { expect, it, onTestFinished } from 'vitest';
import { startConsole } from '../start-console.ts';
import { issuer, type RequestParameters, startRefusals, urlWith } from './start-refusals.ts';

const refusals = startRefusals();

const wrong: readonly (readonly [title: string, parameters: RequestParameters, check: string])[] = [
  ['no client_id', { client_id: undefined }, 'clientId'],
  ['an empty client_id', { client_id: '' }, 'clientId'],
  ['two client_id', { client_id: ['shop', 'spa'] }, 'clientId'],
  ['an unknown client', { client_id: 'unknown' }, 'client'],
  ['another redirect URI', { redirect_uri: 'https://evil.test/cb' }, 'redirectUri'],
  ['a redirect URI with a slash more', { redirect_uri: 'https://shop.test/cb/' }, 'redirectUri'],
  ['a redirect URI with a query more', { redirect_uri: 'https://shop.test/cb?a=1' }, 'redirectUri'],
  ['no redirect URI with openid', { redirect_uri: undefined }, 'redirectUri'],
  ['no redirect URI of two', { client_id: 'two-uris', redirect_uri: undefined, scope: 'email' }, 'redirectUri'],
  ['two redirect URIs', { redirect_uri: ['https://shop.test/cb', 'https://evil.test/cb'] }, 'limits'],
  ['a state with a control character', { state: 'a\u0000b' }, 'limits'],
  ['a state of 2,000 characters', { state: 'a'.repeat(2_000) }, 'limits'],
  ['a query of 9,000 characters', { state: 'a'.repeat(9_000) }, 'limits'],
  ['sixty scopes', { scope: Array.from({ length: 60 }, (_, at) => `s${at}`).join(' ') }, 'limits'],
  ['two states', { state: ['one', 'two'] }, 'once'],
  ['two nonces', { nonce: ['one', 'two'] }, 'once'],
  ['request and request_uri', { request: 'ey.ey.s', request_uri: 'https://shop.test/request' }, 'requestSource'],
  ['a request object that is none', { request: 'no-jwt' }, 'requestObject'],
  [
    'a request object with alg none',
    { request: `${btoa('{"alg":"none"}')}.${btoa('{"iss":"shop"}')}.` },
    'requestObject',
  ],
  ['a request_uri that is not registered', { request_uri: 'https://shop.test/request' }, 'requestObject'],
  ['a request that is not pushed', { client_id: 'pushes' }, 'pushedOnly'],
  ['a request that is not signed', { client_id: 'signs' }, 'signedOnly'],
  ['no response_type', { response_type: undefined }, 'responseType'],
  ['an unknown response_type', { response_type: 'magic' }, 'responseTypeOffered'],
  [
    'a response_type that is not registered',
    { client_id: 'code-only', response_type: 'code id_token' },
    'responseType',
  ],
  ['an unknown response_mode', { response_mode: 'carrier-pigeon' }, 'responseMode'],
  ['tokens in the query', { response_type: 'code id_token', response_mode: 'query' }, 'responseMode'],
  ['a registration in the request', { registration: '{}' }, 'registration'],
  ['no nonce for an ID token', { response_type: 'id_token', nonce: undefined }, 'replay'],
  [
    'no nonce, answered by form_post',
    { response_type: 'id_token', nonce: undefined, response_mode: 'form_post' },
    'replay',
  ],
  ['an unknown prompt', { prompt: 'please' }, 'prompt'],
  ['prompt none with another', { prompt: 'none login' }, 'prompt'],
  ['an unknown prompt, answered by a JWT', { prompt: 'please', response_mode: 'jwt' }, 'prompt'],
  ['a scope with a quote', { scope: 'openid "email"' }, 'scopeSyntax'],
  ['max_age without openid', { scope: 'email', max_age: '10' }, 'openid'],
  ['an ID token without openid', { scope: 'email', response_type: 'id_token' }, 'openid'],
  [
    'no challenge of a public client',
    { client_id: 'spa', scope: 'openid', code_challenge: undefined, code_challenge_method: undefined },
    'pkce',
  ],
  ['the method plain', { code_challenge_method: 'plain' }, 'pkce'],
  ['a challenge without a method', { code_challenge_method: undefined }, 'pkce'],
  ['a short challenge', { code_challenge: 'short' }, 'pkce'],
  ['claims that are no JSON', { claims: '{' }, 'claims'],
  ['claims of neither part', { claims: '{"other":{}}' }, 'claims'],
  ['authorization details of an unknown type', { authorization_details: '[{"type":"unknown"}]' }, 'details'],
  ['a resource that is no URI', { resource: 'api' }, 'resource'],
  ['a resource that is not registered', { resource: 'https://api.test' }, 'resource'],
  ['a hint that is no ID token', { id_token_hint: 'ey.ey.ey' }, 'hint'],
  ['a scope that is not registered', { scope: 'openid admin' }, 'scope'],
  ['an audience that is not registered', { audience: 'https://other.test' }, 'audience'],
  ['a max_age that is no number', { max_age: 'soon' }, 'maxAge'],
];

it.each(wrong)('a request with %s names the check', async (_title, parameters, check) => {
  const { failed, status } = await refusals.diagnose(urlWith(parameters));
  expect([failed, status]).toEqual([check, 200]);
});

it.each([
  ['another path', urlWith({}, `${issuer}/oauth2/token`), 'endpoint'],
  ['another host', urlWith({}, 'https://other.test/oauth2/auth'), 'endpoint'],
  ['a verifier of a flow', urlWith({ login_verifier: 'x' }), 'flow'],
  ['a text that is none', 'hello', 'kind'],
])('%s is refused before a request is sent', async (_title, text, check) => {
  expect((await refusals.diagnose(text)).failed).toBe(check);
});

it.each([
  ['as a URL', (url: string) => url],
  ['as a query', (url: string) => new URL(url).search],
  ['as a query without a question mark', (url: string) => new URL(url).search.slice(1)],
])('a valid request passes each check %s, and begins no flow', async (_title, pastedOf) => {
  for (const parameters of [
    {},
    { prompt: 'login' },
    { prompt: 'none' },
    { response_mode: 'form_post' },
    { max_age: '0' },
  ]) {
    const { failed, page } = await refusals.diagnose(pastedOf(urlWith(parameters)));
    expect([failed, page.includes('Every check passes')]).toEqual([undefined, true]);
    expect(page).not.toContain('login_challenge');
  }
  expect(JSON.stringify(refusals.answers)).not.toContain('login_challenge');
});

it('a signed request is checked, and a pushed one is not used up', async () => {
  const { console: at, keys, diagnose } = refusals;
  const claims = {
    iss: 'signs',
    aud: issuer,
    client_id: 'signs',
    ...Object.fromEntries(new URL(urlWith({ client_id: 'signs' })).searchParams),
  };
  const request = await keys.sign(claims);
  expect((await diagnose(request)).page).toContain('Every check passes');
  expect((await diagnose(await keys.sign({ ...claims, scope: 'openid admin' }))).failed).toBe('scope');
  expect((await diagnose(`${request.slice(0, -8)}AAAAAAAA`)).failed).toBe('requestObject');
  const pushed = await at.carnet.fetch(
    new Request(`${issuer}/oauth2/par`, {
      method: 'POST',
      body: new URLSearchParams([...new URL(urlWith({ client_secret: 'a-secret-of-shop' })).searchParams]),
    }),
  );
  const { request_uri: uri } = (await pushed.json()) as { request_uri: string };
  const url = `${issuer}/oauth2/auth?${new URLSearchParams({ client_id: 'shop', request_uri: uri })}`;
  expect((await diagnose(url)).page).toContain('is not opened here');
  const answer = await at.carnet.fetch(new Request(url, { redirect: 'manual' }));
  expect(answer.headers.get('location')).toContain('login_challenge');
});

it('nothing that is pasted is on the page, in a record or in a redirect', async () => {
  const secret = 'a-very-secret-state';
  const { page } = await refusals.diagnose(urlWith({ state: secret, login_hint: secret, scope: 'openid admin' }));
  expect(page).not.toContain(secret);
  expect(JSON.stringify(refusals.console.records)).not.toContain(secret);
  expect(refusals.answers.map(({ url }) => url).join()).not.toContain(secret);
});

it.each<readonly [string, RequestParameters, string, RegExp]>([
  [
    'redirect URI',
    { redirect_uri: 'https://shop.test/cb/?a=1' },
    'redirect_uri is registered',
    /shop\.test\/cb\/\?a=1 https:\/\/shop\.test\/cb /,
  ],
  ['scope', { scope: 'openid admin' }, 'registered for the scopes', /openid admin openid email offline_access/],
  ['audience', { audience: 'https://other.test' }, 'registered for the audience', /https:\/\/other\.test/],
  [
    'response type',
    { client_id: 'code-only', response_type: 'id_token' },
    'response_type is registered',
    /id_token code /,
  ],
  ['unknown response type', { response_type: 'magic' }, 'server enables response_type', /magic code .*code id_token/],
  ['prompt', { prompt: 'please' }, 'prompt is known', /please none login/],
  ['challenge', { code_challenge_method: 'plain' }, 'PKCE challenge', /plain code_challenge: 43 S256/],
])('the %s is shown beside what the server accepts', async (_title, parameters, check, values) => {
  const { row } = await refusals.diagnose(urlWith(parameters));
  expect(row(check)).toMatch(values);
});

it('a response type that is registered, and that the server does not enable, names the settings', async () => {
  const { carnet, post } = await startConsole();
  onTestFinished(() => carnet.close());
  const registered = { response_types: ['code', 'id_token'], grant_types: ['authorization_code', 'implicit'] };
  await carnet.clients.create({ client_id: 'shop', redirect_uris: ['https://shop.test/cb'], ...registered });
  const page = await (await post('/refusals', { text: urlWith({ response_type: 'id_token' }) })).text();
  expect(page).toContain('data-failed="responseTypeOffered"');
  expect(page).toContain('set features.implicit.enabled or features.hybrid.enabled');
});

it('the values of a request object are those that the server compares', async () => {
  const { keys, diagnose } = refusals;
  const claims = { iss: 'other', aud: issuer, client_id: 'signs', response_type: 'code' };
  const { row, failed } = await diagnose(await keys.sign({ ...claims, redirect_uri: 'https://evil.test/cb' }));
  expect(failed).toBe('requestObject');
  expect(row('request object is accepted')).toContain('alg=ES256 iss=other');
});

it('codes, tokens, passwords and long texts in a value are not on the page', async () => {
  const token = `carnet_rt_${'a'.repeat(22)}.${'b'.repeat(43)}`;
  const secrets = [
    `?code=c-secret`,
    `?next=${encodeURIComponent('/in?code=c-secret')}`,
    `?next=${encodeURIComponent(`/in?next=${encodeURIComponent('/in?x=1&id_token=c-secret')}`)}`,
    `?x=my_${token}`,
    `?x=${token}`,
    `?access_token=c-secret`,
    `?j=eyJhbGciOiJub25lIn0.eyJzdWIiOiIxIn0.c-secret`,
  ];
  for (const query of secrets) {
    const { page, row } = await refusals.diagnose(urlWith({ redirect_uri: `https://shop.test/cb${query}` }));
    expect(row('redirect_uri is registered')).toContain('***');
    expect(page).not.toMatch(/c-secret|carnet_rt_/);
  }
  const user = await refusals.diagnose(urlWith({ redirect_uri: 'https://ada:c-secret@shop.test/cb' }));
  expect(user.page).not.toContain('c-secret');
  const long = await refusals.diagnose(urlWith({ redirect_uri: `https://shop.test/${'x'.repeat(1_000)}` }));
  expect(long.page).not.toContain('x'.repeat(200));
});
