import { randomBytes } from 'node:crypto';
import { createServer } from 'node:http';
import { bindAdapter, type StorageAdapter } from '@carnet/adapter-contract';
import type { ConfigInput } from '@carnet/provider';
import { listen } from '@carnet/test-servers/listen';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type AssertionIssuer, bearerGrant, createAssertionIssuer, trust } from '../assertions.ts';
import { type Browser, createBrowser, locationOf } from '../browser.ts';
import { type Answer, call, type Json, postForm, sendJson, userinfo } from '../call.ts';
import { basicOf, redirectUri, registerClient, type TestClient } from '../clients.ts';
import { acceptUserCode, askForCodes, beginDevice, type DeviceCodes, devicePages, letIn, poll } from '../device.ts';
import { consentPage, type Instance, loginPage, start } from '../harness.ts';
import {
  authorizationUrl,
  begin,
  codeFor,
  credentialsFor,
  errorAt,
  headless,
  introspect,
  logIn,
  login,
  push,
  pushedUrl,
  redeem,
  refresh,
  token,
} from '../login.ts';
import { logoutUrl } from '../sign-out.ts';

const exchangeGrant = 'urn:ietf:params:oauth:grant-type:token-exchange';
const cibaGrant = 'urn:openid:params:grant-type:ciba';
const deviceGrant = 'urn:ietf:params:oauth:grant-type:device_code';
const jwtResource = 'https://jwt.test';

/** A client with every grant. The same one, with the same secret, at every issuer. */
const metadata = {
  grant_types: [
    ...['authorization_code', 'refresh_token', 'client_credentials', exchangeGrant, cibaGrant, deviceGrant],
    bearerGrant,
  ],
  scope: 'openid offline_access profile read write',
  audience: [jwtResource],
};

const configWith = (backchannelAuthentication: string): Partial<ConfigInput> => ({
  features: {
    ciba: { enabled: true, pollingIntervalSeconds: 1 },
    device: { pollingIntervalSeconds: 1 },
    tokenExchange: { enabled: true },
  },
  oidc: { dynamicClientRegistration: { enabled: true, access: 'token' } },
  urls: {
    login: loginPage,
    consent: consentPage,
    logout: 'http://login.test/logout',
    error: 'http://login.test/error',
    device: devicePages,
    backchannelAuthentication,
  },
  resources: [{ identifier: jwtResource, scope: 'openid profile read', accessTokenStrategy: 'jwt' }],
});

const startIssuer = (store: StorageAdapter, name: string | undefined, notify: string): Promise<Instance> =>
  start({ adapter: bindAdapter(store, name), config: configWith(notify), path: name && `/${name}` });

/** Everything that an attacker may know of the victim's issuer, in use and unused. */
interface Spoils {
  readonly app: TestClient;
  readonly browser: Browser;
  readonly tokens: Json;
  readonly jwt: string;
  readonly ofClient: string;
  readonly code: string;
  readonly loginChallenge: string;
  readonly consentChallenge: string;
  readonly logoutChallenge: string;
  readonly deviceChallenge: string;
  readonly pushed: Answer;
  readonly device: DeviceCodes;
  readonly deviceWaiting: DeviceCodes;
  readonly authRequestId: string;
  readonly backchannelChallenge: string;
  readonly initialToken: { readonly id: string; readonly token: string };
  readonly registered: Json;
  readonly assertions: AssertionIssuer;
  readonly trusted: Json;
  readonly sid: string;
  readonly keySet: string;
}

const logoutChallengeOf = async (victim: Instance, browser: Browser): Promise<string> =>
  locationOf(await browser.get(logoutUrl(victim))).searchParams.get('logout_challenge') ?? '';

/** The requests that wait for a decision at the victim's issuer. */
const collectRequests = async (victim: Instance, app: TestClient, browser: Browser, challengeOf: () => string) => {
  const device = (await askForCodes(victim, app)).body as unknown as DeviceCodes;
  await letIn(victim, device);
  const asked = await postForm(
    `${victim.issuer}/oauth2/bc-authorize`,
    { scope: 'openid profile', login_hint: 'alice' },
    basicOf(app),
  );
  return {
    code: await codeFor(victim, app),
    loginChallenge: await begin(createBrowser(), authorizationUrl(victim, app)),
    consentChallenge: await logIn(victim, app, { browser: createBrowser() }),
    logoutChallenge: await logoutChallengeOf(victim, browser),
    deviceChallenge: await beginDevice(victim, createBrowser()),
    pushed: await push(victim, app),
    device,
    deviceWaiting: (await askForCodes(victim, app)).body as unknown as DeviceCodes,
    authRequestId: String(asked.body.auth_req_id),
    backchannelChallenge: challengeOf(),
  };
};

const collect = async (victim: Instance, challengeOf: () => string): Promise<Spoils> => {
  const app = await registerClient(victim, 'app', metadata);
  const browser = createBrowser();
  const tokens = await login(victim, app, {
    browser,
    login: { remember: true },
    consent: { remember: true },
  });
  const initialToken = await victim.carnet.registrationTokens.create({ reusable: true });
  const registered = await sendJson(
    'POST',
    `${victim.issuer}/oauth2/register`,
    { redirect_uris: [redirectUri] },
    initialToken.token,
  );
  const assertions = await createAssertionIssuer();
  const trusted = (await (await trust(victim, assertions)).json()) as Json;
  const jwt = await credentialsFor(victim, app, { audience: jwtResource, scope: 'read' });
  await victim.carnet.keys.generate('own', { alg: 'ES256', kid: 'own-key' });
  const [session] = (await victim.carnet.sessions.list({ subject: 'alice' })).items;
  return {
    app,
    browser,
    tokens,
    jwt: String(jwt.body.access_token),
    ofClient: String((await credentialsFor(victim, app, { scope: 'read' })).body.access_token),
    ...(await collectRequests(victim, app, browser, challengeOf)),
    initialToken,
    registered: registered.body,
    assertions,
    trusted,
    sid: session?.sid ?? '',
    keySet: 'own',
  };
};

/** Where an attacker is, what it has, and its own client with the id and the secret of the victim's. */
interface Attack extends Spoils {
  readonly at: Instance;
  /** Before the ids of the victim's records in the store. */
  readonly prefix: string;
}

type Check = (attack: Attack) => Promise<unknown>;

const refused = async (answer: Promise<{ readonly status: number; readonly body: Json }>, ...errors: unknown[]) => {
  const { status, body } = await answer;
  expect({ status, body }).toEqual({ status: expect.toBeOneOf([400, 401, 403, 404, 410]), body: expect.anything() });
  if (errors.length > 0) expect(errors).toContain(body.error);
};

const notFound = (work: Promise<unknown>) => expect(work).rejects.toMatchObject({ code: 'not_found' });

const requestChecks: Readonly<Record<string, Check>> = {
  'a code is not redeemed': ({ at, app, code }) => refused(redeem(at, app, code), 'invalid_grant'),
  'a refresh token is not used': ({ at, app, tokens }) =>
    refused(refresh(at, app, tokens.refresh_token), 'invalid_grant'),
  'an approved device code gets no tokens': ({ at, app, device }) => refused(poll(at, app, device.device_code)),
  'a backchannel request gets no tokens': ({ at, app, authRequestId }) =>
    refused(token(at, app, { grant_type: cibaGrant, auth_req_id: authRequestId }), 'invalid_grant'),
  'an assertion of an issuer that only another trusts is refused': async ({ at, app, assertions }) =>
    refused(
      token(at, app, { grant_type: bearerGrant, assertion: await assertions.sign(`${at.issuer}/oauth2/token`) }),
      'invalid_grant',
    ),
  'no token is exchanged': async ({ at, app, tokens, jwt }) => {
    for (const [type, value] of [
      ['access_token', tokens.access_token],
      ['access_token', jwt],
      ['id_token', tokens.id_token],
      ['refresh_token', tokens.refresh_token],
    ] as const) {
      const subject_token_type = `urn:ietf:params:oauth:token-type:${type}`;
      await refused(token(at, app, { grant_type: exchangeGrant, subject_token: String(value), subject_token_type }));
    }
  },
  'a pushed request is unknown': async ({ at, app, pushed }) =>
    expect(await errorAt(pushedUrl(at, app, pushed))).toBeTruthy(),
  'a user code is unknown': async ({ at, deviceWaiting }) => {
    const challenge = await beginDevice(at, createBrowser());
    await refused(acceptUserCode(at, challenge, deviceWaiting.user_code));
  },
  'no challenge can be read or decided': async (attack) => {
    const { at, loginChallenge, consentChallenge, logoutChallenge, deviceChallenge, backchannelChallenge } = attack;
    const all = { login: loginChallenge, consent: consentChallenge, logout: logoutChallenge };
    for (const [what, challenge] of Object.entries({ ...all, backchannel: backchannelChallenge })) {
      expect(challenge).not.toBe('');
      await refused(headless(at, 'GET', `${what}?${what}_challenge=${challenge}`));
      for (const decision of ['accept', 'reject'])
        await refused(headless(at, 'PUT', `${what}/${decision}?${what}_challenge=${challenge}`, { subject: 'alice' }));
    }
    await refused(acceptUserCode(at, deviceChallenge, attack.deviceWaiting.user_code));
  },
  'a browser that is signed in there is not signed in here': async ({ at, app, browser }) =>
    expect(await errorAt(authorizationUrl(at, app, { prompt: 'none' }), browser)).toBe('login_required'),
  'an ID token of it is no hint for a logout': async ({ at, browser, tokens }) =>
    expect(await errorAt(logoutUrl(at, { id_token_hint: String(tokens.id_token) }), browser)).toBe('invalid_request'),
};

const tokenChecks: Readonly<Record<string, Check>> = {
  'no token is active': async ({ at, tokens, jwt, ofClient }) => {
    for (const value of [tokens.access_token, tokens.refresh_token, jwt, ofClient]) {
      expect(await introspect(at, value)).toEqual({ active: false });
      expect(await at.carnet.tokens.introspect(String(value))).toEqual({ active: false });
    }
  },
  'no token opens userinfo': async ({ at, tokens, jwt }) => {
    for (const value of [tokens.access_token, jwt]) expect((await userinfo(at, value)).status).toBe(401);
  },
  'a revocation revokes nothing': async ({ at, app, tokens, jwt, ofClient }) => {
    for (const value of [tokens.access_token, tokens.refresh_token, jwt, ofClient]) {
      await postForm(`${at.issuer}/oauth2/revoke`, { token: String(value) }, basicOf(app));
      await at.carnet.tokens.revoke(String(value));
    }
    await at.carnet.tokens.revokeAccessTokens(app.id);
  },
  'an initial access token registers no client': ({ at, initialToken }) =>
    refused(sendJson('POST', `${at.issuer}/oauth2/register`, { redirect_uris: [redirectUri] }, initialToken.token)),
  'a registration access token manages no client': async ({ at, registered }) => {
    const url = `${at.issuer}/oauth2/register/${registered.client_id}`;
    for (const [method, body] of [['GET'], ['PUT', registered], ['DELETE']] as const)
      await refused(sendJson(method, url, body, registered.registration_access_token));
  },
};

const adminChecks: Readonly<Record<string, Check>> = {
  'a client is unknown': async ({ at, registered }) => {
    const id = String(registered.client_id);
    const { clients } = at.carnet;
    await notFound(clients.get(id));
    await notFound(clients.update(id, { client_name: 'changed' }));
    await notFound(clients.replace(id, { redirect_uris: [redirectUri] }));
    await notFound(clients.patch(id, [{ op: 'replace', path: '/client_name', value: 'changed' }]));
    await notFound(clients.rotateSecret(id));
    await notFound(clients.revokeRotatedSecrets(id));
    await notFound(clients.delete(id));
    expect((await call(authorizationUrl(at, { id }))).status).not.toBe(200);
  },
  'a list has its own records alone, whatever its cursor': async ({ at, prefix }) => {
    for (const after of [undefined, '', '~', prefix, `${prefix}0`, '~~', prefix.slice(0, -1), `${prefix}~`]) {
      const page = { after, limit: 500 };
      const clients = (await at.carnet.clients.list(page)).items;
      expect(clients.filter(({ client_id }) => client_id !== 'app')).toEqual([]);
      expect((await at.carnet.trustedIssuers.list(page)).items).toEqual([]);
      const query = new URLSearchParams({ page_token: String(after ?? '') });
      const listed = await call(`${at.admin}/admin/clients?${query}`);
      expect(JSON.stringify(listed.body)).not.toContain('carnet_rat');
    }
  },
  'a user has no sessions and no consents, and none is revoked': async ({ at, sid, app, prefix }) => {
    const { sessions, consents } = at.carnet;
    for (const subject of ['alice', `${prefix}alice`]) {
      expect((await sessions.list({ subject })).items).toEqual([]);
      expect((await consents.list({ subject })).items).toEqual([]);
      await sessions.revoke({ subject });
      await consents.revoke({ subject, all: true });
      await consents.revoke({ subject, clientId: app.id });
    }
    await sessions.revoke({ sid }).catch(() => undefined);
  },
  'a trusted issuer is unknown, and stays': async ({ at, trusted, prefix }) => {
    for (const id of [String(trusted.id), `${prefix}${trusted.id}`]) {
      await notFound(at.carnet.trustedIssuers.get(id));
      await notFound(at.carnet.trustedIssuers.delete(id));
      expect((await call(`${at.admin}/admin/trust/grants/jwt-bearer/issuers/${encodeURIComponent(id)}`)).status).toBe(
        404,
      );
    }
  },
  'a registration token stays': async ({ at, initialToken, prefix }) => {
    for (const id of [initialToken.id, `${prefix}${initialToken.id}`])
      await at.carnet.registrationTokens.delete(id).catch(() => undefined);
  },
  'a set of keys is unknown': async ({ at, keySet }) => {
    await notFound(at.carnet.keys.get(keySet, 'own-key'));
    await notFound(at.carnet.keys.list(keySet));
    await at.carnet.keys.deleteSet(keySet).catch(() => undefined);
    await at.carnet.keys.delete(keySet, 'own-key').catch(() => undefined);
  },
};

/** The victim's issuer has everything that it had. */
const expectUnharmed = async (victim: Instance, spoils: Spoils): Promise<void> => {
  const { app, tokens, jwt, ofClient, registered, trusted, keySet, browser } = spoils;
  for (const value of [tokens.access_token, tokens.refresh_token, jwt, ofClient])
    expect(await introspect(victim, value)).toMatchObject({ active: true });
  expect((await userinfo(victim, tokens.access_token)).status).toBe(200);
  expect(await victim.carnet.clients.get(String(registered.client_id))).not.toHaveProperty('client_name', 'changed');
  expect((await victim.carnet.sessions.list({ subject: 'alice' })).items).toHaveLength(1);
  expect((await victim.carnet.consents.list({ subject: 'alice' })).items).toHaveLength(1);
  expect(await victim.carnet.trustedIssuers.get(String(trusted.id))).toBeDefined();
  expect(await victim.carnet.keys.get(keySet, 'own-key')).toBeDefined();
  expect(await errorAt(authorizationUrl(victim, app, { prompt: 'none', scope: 'openid' }), browser)).toBeNull();
  expect(await redeem(victim, app, spoils.code)).toMatchObject({ status: 200 });
  expect(await refresh(victim, app, tokens.refresh_token)).toMatchObject({ status: 200 });
  expect(await poll(victim, app, spoils.device.device_code)).toMatchObject({ status: 200 });
  for (const what of ['login', 'consent', 'logout'] as const) {
    const asked = await headless(victim, 'GET', `${what}?${what}_challenge=${spoils[`${what}Challenge`]}`);
    expect(asked.status).toBe(200);
  }
  const again = { redirect_uris: [redirectUri] };
  const url = `${victim.issuer}/oauth2/register`;
  expect(await sendJson('POST', url, again, spoils.initialToken.token)).toMatchObject({ status: 201 });
};

const checks = Object.entries({ ...requestChecks, ...tokenChecks, ...adminChecks });

/**
 * An attack on one issuer from two others in the same store: one by a name, and the first. All have the same signing keys and
 * the same secrets, the attackers a client with the same id and secret, and everything that was issued to the victim.
 */
export const attackIssuers = (storeName: string, open: () => Promise<StorageAdapter>) =>
  describe(`on ${storeName}, what belongs to one issuer is nothing at another`, () => {
    // A server may be shared with other tests.
    const victim = `acme-${randomBytes(4).toString('hex')}`;
    let store: StorageAdapter;
    let notified: Awaited<ReturnType<typeof listen>>;
    let challenge = '';
    const instances: Instance[] = [];
    let spoils: Spoils;

    beforeAll(async () => {
      store = await open();
      const app = createServer(async (request, response) => {
        const chunks = await request.toArray();
        challenge = JSON.parse(Buffer.concat(chunks).toString()).backchannel_challenge;
        response.writeHead(204).end();
      });
      notified = await listen(app);
      for (const name of [victim, 'shop', undefined]) instances.push(await startIssuer(store, name, notified.origin));
      spoils = await collect(instances[0] as Instance, () => challenge);
      for (const other of instances.slice(1)) await registerClient(other, 'app', metadata);
    }, 60_000);
    afterAll(async () => {
      for (const instance of instances) await instance.stop();
      await notified?.close();
      await store?.close();
    });

    describe.each([
      ['a named issuer', 1],
      ['the first issuer', 2],
    ] as const)('by %s', (_name, index) => {
      test.for(checks)('%s', async ([, check]) => {
        await check({ ...spoils, at: instances[index] as Instance, prefix: `~${victim}~` });
      });
    });

    test('afterwards its issuer has everything that it had', () => expectUnharmed(instances[0] as Instance, spoils));
  });
