import { createHash, randomBytes } from 'node:crypto';
import { decodeJwt } from 'jose';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type LogoutReceiver, startLogoutReceiver } from '../../../provider/test/logout-receiver.ts';
import { createBrowser, signIn } from '../browser.ts';
import { issuer, startRefusals } from './start-refusals.ts';

const refusals = startRefusals();
const { verdict } = refusals;
const redirectUri = 'https://rp.test/cb';

/** A client whose server receives logout tokens. */
const startClient = async () => {
  const receiver = await startLogoutReceiver();
  await refusals.console.carnet.clients.create({
    client_id: 'rp',
    client_secret: 'a-secret-of-rp',
    token_endpoint_auth_method: 'client_secret_post',
    redirect_uris: [redirectUri],
    scope: 'openid offline_access',
    grant_types: ['authorization_code', 'refresh_token'],
    access_token_strategy: 'jwt',
    backchannel_logout_uri: receiver.url,
  });
  return receiver;
};

const toTokens = async (parameters: Record<string, string>) => {
  const fields = { ...parameters, client_id: 'rp', client_secret: 'a-secret-of-rp' };
  const request = new Request(`${issuer}/oauth2/token`, { method: 'POST', body: new URLSearchParams(fields) });
  return (await (await refusals.console.carnet.fetch(request)).json()) as Readonly<Record<string, string>>;
};

/** The code of a sign-in, and the parameters that redeem it. */
const codeOf = async (subject: string) => {
  const { carnet } = refusals.console;
  const verifier = randomBytes(32).toString('base64url');
  const request = {
    client_id: 'rp',
    response_type: 'code',
    redirect_uri: redirectUri,
    scope: 'openid offline_access',
    state: 'a-state-of-the-client',
    code_challenge: createHash('sha256').update(verifier).digest('base64url'),
    code_challenge_method: 'S256',
  };
  const browser = createBrowser({ [issuer]: carnet.fetch, 'https://rp.test': async () => new Response() });
  const begin = new URL(`${issuer}/oauth2/auth?${new URLSearchParams(request)}`);
  const { url } = await signIn(browser, carnet, begin, { subject, remember: true });
  const code = url.searchParams.get('code') ?? '';
  return { code, grant_type: 'authorization_code', redirect_uri: redirectUri, code_verifier: verifier };
};

let client: LogoutReceiver;
beforeAll(async () => {
  client = await startClient();
});
afterAll(() => client.close());

it('the tokens of a user pass each check, and fail the check of what ends them', async () => {
  const tokens = await toTokens(await codeOf('ada'));
  const { access_token: access, id_token: id, refresh_token: refresh } = tokens;
  for (const token of [access, id, refresh]) expect(await verdict(token)).toBe('accepted');
  const { page } = await refusals.diagnose(id ?? '');
  expect(page).toContain('<p>ID token</p>');
  expect(page).toContain('href="/console/users/ada"');
  await refusals.console.carnet.consents.revoke({ subject: 'ada', all: true });
  for (const token of [access, refresh]) expect(await verdict(token)).toBe('active');
  expect((await refusals.diagnose(access ?? '')).page).toContain('/console/events?type=token.refused&amp;client_id=rp');
});

it('a logout token passes each check, and its claims are compared', async () => {
  await toTokens(await codeOf('bob'));
  await refusals.console.carnet.sessions.revoke({ subject: 'bob' });
  const [{ token } = { token: '' }] = await client.until(1);
  expect(decodeJwt(token)).toHaveProperty('events');
  expect(await verdict(token)).toBe('accepted');
  const { row, page } = await refusals.diagnose(token);
  expect(page).toContain('<p>Logout token</p>');
  expect(row('The issuer')).toContain(`${issuer} ${issuer}`);
  expect(row('The times')).toMatch(/exp: 20\S+Z iat: 20\S+Z now: 20\S+Z/);
  expect(row('claims of this type')).toContain('backchannel-logout sid');
});

it('a code is not redeemed by its diagnosis', async () => {
  const redemption = await codeOf('eve');
  expect(await verdict(redemption.code)).toBe('undecided');
  expect(await toTokens(redemption)).toHaveProperty('access_token');
});
