import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createFlowId } from '../../src/flow/flow-id.ts';
import type { FlowState } from '../../src/flow/flow-state.ts';
import { redirectUri, registerClient, testRegistration } from '../clients.ts';
import type { Json } from '../login.ts';
import { dpopProof } from '../signed-requests.ts';
import { createMint } from './minted-codes.ts';
import { type BothAnswers, type Pair, type Side, startPair } from './pair.ts';
import { formPost, type RawHttp } from './raw-http.ts';

const photos = 'https://photos.test/api';

type Params = Readonly<Record<string, string>>;

/** Both entrances call one implementation of each grant. They differ in how a request reaches it: keys and parameters. */
describe('token requests with DPoP proofs, resources, narrowed scopes and hooks', () => {
  let pair: Pair;
  let mint: ReturnType<typeof createMint>;
  beforeAll(async () => {
    pair = await startPair({
      config: {
        resources: [{ identifier: photos, scope: 'read write', accessTokenStrategy: 'jwt', accessTokenTtl: '5m' }],
      },
      hooks: { token: ({ claims }) => ({ claims: { accessToken: { ...claims.accessToken, hooked: true } } }) },
    });
    mint = createMint(pair.issuer);
    const scope = 'openid offline_access read write';
    const app = { token_endpoint_auth_method: 'none', audience: [photos], scope };
    await pair.arrange((at) => registerClient(at, 'app', app));
    await pair.arrange((at) => registerClient(at, 'bound', { ...app, dpop_bound_access_tokens: true }));
  });
  afterAll(() => pair.stop());

  const codeOf = (clientId: string, params: Params = {}): string => {
    const now = Math.floor(Date.now() / 1000);
    const flow: FlowState = {
      id: createFlowId(Date.now()),
      expiresAt: now + 600,
      params: { client_id: clientId, redirect_uri: redirectUri, response_type: 'code', ...params },
      login: { subject: 'alice', authTime: now, remember: false },
      consent: {
        scopes: ['openid', 'offline_access', 'read'],
        audience: [photos],
        remember: false,
        handledAt: now,
        registration: testRegistration,
        accessToken: { tenant: 7 },
        authorizationDetails: [{ type: 'payment' }],
      },
    };
    return mint(flow);
  };

  const post = (params: Params, proof?: string): RawHttp =>
    formPost('/oauth2/token', new URLSearchParams(params).toString(), proof === undefined ? [] : [['DPoP', proof]]);
  const redemption = (clientId: string, params: Params = {}): Params => ({
    grant_type: 'authorization_code',
    code: codeOf(clientId, params),
    redirect_uri: redirectUri,
    client_id: clientId,
  });
  const newProof = () => dpopProof(`${pair.issuer}/oauth2/token`);

  /** The status and `error` of a request that both sides answer alike, the fast side by the fast path. */
  const outcomeOf = async (request: RawHttp | ((side: Side) => RawHttp)) => {
    const answers = await pair.bothAnswer(request);
    expect([answers.difference, answers.isFast]).toEqual([undefined, true]);
    const body = JSON.parse(answers.fast.text) as Json;
    return { answers, body, outcome: [answers.fast.status, body.error] };
  };

  const refreshOf = (
    from: BothAnswers,
    clientId: string,
    { params = {}, proof }: { params?: Params; proof?: string },
  ) =>
    outcomeOf((side) => {
      const { refresh_token } = JSON.parse(from[side].text) as Json;
      const own = { grant_type: 'refresh_token', refresh_token: String(refresh_token), client_id: clientId };
      return post({ ...own, ...params }, proof);
    });

  it('bind codes and refresh tokens to a key', async () => {
    const { answers, body } = await outcomeOf(post(redemption('bound'), await newProof()));
    expect(body).toMatchObject({ token_type: 'DPoP', authorization_details: [{ type: 'payment' }] });
    const without = await refreshOf(answers, 'bound', {});
    const refreshed = await refreshOf(answers, 'bound', { proof: await newProof() });
    expect([without.outcome, refreshed.body.token_type]).toEqual([[400, 'invalid_grant'], 'DPoP']);
  });

  it('use a proof once', async () => {
    const proof = await newProof();
    const [first, second] = [redemption('app'), redemption('app')];
    expect((await outcomeOf(post(first, proof))).outcome).toEqual([200, undefined]);
    expect((await outcomeOf(post(second, proof))).outcome).toEqual([400, 'invalid_dpop_proof']);
    // The code was not used up.
    expect((await outcomeOf(post(second, await newProof()))).outcome).toEqual([200, undefined]);
  });

  it.each([
    ['a client that needs a key', 'bound', {}, undefined],
    ['a malformed proof', 'app', {}, 'ey.ey.ey'],
    ['a code for another key', 'app', { dpop_jkt: 'x'.repeat(43) }, 'new'],
    ['an expired code', 'app', { code: 'carnet_ac_x' }, 'new'],
  ])('are refused alike: %s', async (_title, clientId, more, proof) => {
    const { code, ...params } = more as { code?: string };
    const request = { ...redemption(clientId, params), ...(code ? { code } : {}) };
    const { outcome } = await outcomeOf(post(request, proof === 'new' ? await newProof() : proof));
    expect(outcome).toEqual([400, proof === 'ey.ey.ey' ? 'invalid_dpop_proof' : 'invalid_grant']);
  });

  it('name resources and fewer scopes', async () => {
    const { answers, body } = await outcomeOf(post({ ...redemption('app', { resource: photos }), resource: photos }));
    expect(body).toMatchObject({ expires_in: 300, scope: 'read', access_token: expect.stringMatching(/^ey/) });
    const beyond = await refreshOf(answers, 'app', { params: { scope: 'openid write' } });
    const unknown = await refreshOf(answers, 'app', { params: { resource: 'https://other.test' } });
    expect([beyond.outcome, unknown.outcome]).toEqual([
      [400, 'invalid_scope'],
      [400, 'invalid_target'],
    ]);
    const fewer = await refreshOf(answers, 'app', { params: { scope: 'read' } });
    expect([fewer.body.scope, fewer.body.id_token]).toEqual(['read', undefined]);
  });
});
