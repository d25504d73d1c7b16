import { beforeTests } from '@carnet/test-servers/before-tests';
import { describe, expect, it } from 'vitest';
import { redirectUri, registerClient } from '../clients.ts';
import type { Faults } from '../faults.ts';
import { faultyAdapter } from '../faulty-adapter.ts';
import { codeVerifier } from '../login.ts';
import { beginFlow, decide } from './authorization-journeys.ts';
import { createFlowMask } from './flow-mask.ts';
import { type BothAnswers, type Side, startPair } from './pair.ts';
import { formPost, type RawHttp } from './raw-http.ts';

const secret = 'a plain secret of sixteen';

/** What an operator does: method, path below `/admin` and body. */
type Call = readonly [method: string, path: string, body?: unknown];

const patch =
  (name: string, value: unknown) =>
  (id: string): readonly Call[] => [['PATCH', `clients/${id}`, [{ op: 'add', path: `/${name}`, value }]]];

const client = {
  client_secret: secret,
  audience: ['https://api.test'],
  redirect_uris: [redirectUri],
  grant_types: ['authorization_code', 'refresh_token', 'client_credentials'],
  scope: 'openid offline_access profile email',
};

const lifespan = 'authorization_code_grant_access_token_lifespan';

/** What may happen to a client, or to what it was given, while somebody is on their way. */
const changes: Readonly<Record<string, (id: string) => readonly Call[]>> = {
  'nothing happens': () => [],
  'the client is deleted': (id) => [['DELETE', `clients/${id}`]],
  'its redirect URI is gone': patch('redirect_uris', ['https://app.test/other']),
  'it loses a scope': patch('scope', 'openid offline_access'),
  'it loses openid': patch('scope', 'profile offline_access'),
  'it loses all it was given': patch('scope', 'photos'),
  'it loses its audience': patch('audience', []),
  'it loses refresh tokens': patch('grant_types', ['authorization_code', 'client_credentials']),
  'it loses codes': patch('grant_types', ['client_credentials', 'refresh_token']),
  'it has to post its secret': patch('token_endpoint_auth_method', 'client_secret_post'),
  'it is a public client': (id) => [
    ...patch('grant_types', ['authorization_code', 'refresh_token'])(id),
    ...patch('token_endpoint_auth_method', 'none')(id),
  ],
  'it has another secret': patch('client_secret', 'another plain secret'),
  'its secret is rotated': (id) => [['POST', `clients/${id}/secrets/rotate`]],
  'its secret is withdrawn': (id) => [
    ['POST', `clients/${id}/secrets/rotate`],
    ['DELETE', `clients/${id}/secrets/rotate`],
  ],
  'it gets JWTs': patch('access_token_strategy', 'jwt'),
  'it sees pairwise subjects': patch('subject_type', 'pairwise'),
  'its ID tokens are signed otherwise': patch('id_token_signed_response_alg', 'RS256'),
  'its tokens live for a minute': patch(lifespan, '1m'),
  'its tokens are bound': patch('dpop_bound_access_tokens', true),
  'its requests are to be pushed': patch('require_pushed_authorization_requests', true),
  'people are to be recent': patch('default_max_age', 1),
  'its access tokens are taken back': (id) => [['DELETE', `oauth2/tokens?client_id=${id}`]],
  'its consents are taken back': (id) => [['DELETE', `oauth2/auth/sessions/consent?subject=alice&client=${id}`]],
  'all sessions end': () => [['DELETE', 'oauth2/auth/sessions/login?subject=alice']],
};

const steps = ['login', 'consent', 'code', 'refresh'] as const;

interface Change {
  /** What is taken back to the provider next. */
  readonly at: (typeof steps)[number];
  readonly change: () => Promise<void>;
  readonly remember: boolean;
}

const form = (id: string, params: Readonly<Record<string, string>>): RawHttp =>
  formPost('/op/oauth2/token', new URLSearchParams(params).toString(), [
    ['Authorization', `Basic ${Buffer.from(`${id}:${encodeURIComponent(secret)}`).toString('base64')}`],
  ]);

describe('what changes while a person is on the way', () => {
  const pair = beforeTests(() =>
    startPair({
      mask,
      path: '/op',
      openAdapter: () => {
        const faulty = faultyAdapter();
        faults.push(faulty.faults);
        return faulty.adapter;
      },
      config: {
        oidc: { subjectIdentifiers: { supportedTypes: ['public', 'pairwise'], pairwise: { salt: 'x'.repeat(16) } } },
      },
    }),
  );
  const faults: Faults[] = [];
  let failing: ((each: Faults) => void) | undefined;
  const failures: BothAnswers[] = [];
  let fast = 0;
  let count = 0;
  const mask = createFlowMask(() => pair.issuer);

  const ask = async (request: RawHttp | ((side: Side) => RawHttp)): Promise<BothAnswers> => {
    if (failing) {
      faults.forEach(failing);
      failing = undefined;
      const failed = await pair.bothAnswer(request);
      for (const each of faults) each.down = false;
      expect(failed.difference).toBeUndefined();
      failures.push(failed);
    }
    const answers = await pair.bothAnswer(request);
    expect(answers.difference).toBeUndefined();
    if (answers.isFast) fast++;
    return answers;
  };

  const carryOut = async (calls: readonly Call[]): Promise<void> => {
    for (const [method, path, body] of calls)
      for (const { admin } of Object.values(pair.sides)) {
        const response = await fetch(`${admin}/admin/${path}`, {
          method,
          body: body === undefined ? undefined : JSON.stringify(body),
          headers: body === undefined ? {} : { 'Content-Type': 'application/json' },
        });
        if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`);
      }
    // What clients are told of ended sessions is carried out beside requests, on each side in its own time.
    for (const { adapter } of Object.values(pair.sides))
      await expect.poll(async () => (await adapter.list({ kind: 'delivery', limit: 1 })).records.length).toBe(0);
  };

  const both = async <T>(of: (side: Side) => Promise<T>): Promise<Record<Side, T>> => ({
    fast: await of('fast'),
    library: await of('library'),
  });

  const valueIn = (answers: BothAnswers, side: Side, name: string): string =>
    URL.parse(answers[side].headers.location ?? '')?.searchParams.get(name) ?? '';

  /** One person on their way, as far as they get. */
  const travel = async (id: string, { at, change, remember }: Change): Promise<void> => {
    const before = (step: (typeof steps)[number]): Promise<void> | undefined => (step === at ? change() : undefined);
    const flow = await pair.arrange((instance) => beginFlow(instance, id, { audience: 'https://api.test' }));
    mask.known.add(flow.id);
    const login = await pair.arrange((instance) =>
      decide(instance, 'login', flow.challenge, { verb: 'accept', body: { subject: 'alice', remember } }),
    );
    const visit = (queries: Readonly<Record<Side, string>>) =>
      ask((side) => ({
        target: `/op/oauth2/auth?${queries[side]}`,
        headers: [['Cookie', flow.cookies.join('; ')]],
      }));
    await before('login');
    const toConsent = await visit({ fast: login, library: login });
    if (valueIn(toConsent, 'fast', 'consent_challenge') === '') return;
    const body = {
      grant_scope: ['openid', 'offline_access', 'profile'],
      grant_access_token_audience: ['https://api.test'],
      session: { id_token: { a: 1 }, access_token: { b: 2 } },
    };
    const decided = await both(async (side) =>
      decide(pair.sides[side], 'consent', valueIn(toConsent, side, 'consent_challenge'), {
        verb: 'accept',
        body,
      }).catch(String),
    );
    if (decided.fast.startsWith('Error')) {
      expect(decided.fast).toBe(decided.library);
      return;
    }
    await before('consent');
    const toClient = await visit(decided);
    await before('code');
    const redeemed = await ask((side) =>
      form(id, {
        grant_type: 'authorization_code',
        code: valueIn(toClient, side, 'code') || 'none',
        redirect_uri: redirectUri,
        code_verifier: codeVerifier,
      }),
    );
    if (redeemed.fast.status !== 200) return;
    const refreshOf = (side: Side): string =>
      (JSON.parse(redeemed[side].text) as { refresh_token?: string }).refresh_token ?? 'none';
    await before('refresh');
    const refresh = (side: Side) => form(id, { grant_type: 'refresh_token', refresh_token: refreshOf(side) });
    await ask(refresh);
    await ask(form(id, { grant_type: 'client_credentials', scope: 'openid' }));
  };

  const register = async (): Promise<string> => {
    const id = `shop-${count++}`;
    await pair.arrange((instance) => registerClient(instance, id, client));
    await ask(form(id, { grant_type: 'client_credentials' }));
    return id;
  };

  it.each(Object.keys(changes))('makes no difference: %s', async (name) => {
    for (const [index, step] of steps.entries()) {
      const id = await register();
      await travel(id, { at: step, change: () => carryOut(changes[name]?.(id) ?? []), remember: index % 2 === 0 });
    }
  });

  it('makes no difference: the client is another of the same id', async () => {
    for (const step of steps) {
      const id = await register();
      const replace = async (): Promise<void> => {
        await carryOut([['DELETE', `clients/${id}`]]);
        pair.passTime(1);
        await pair.arrange((instance) => registerClient(instance, id, client, 'reg-next'));
      };
      await travel(id, { at: step, change: replace, remember: true });
    }
  });

  // Codes live for ten minutes, challenges for thirty, access tokens for an hour, refresh tokens for thirty days.
  it.each([599, 600, 1_829, 1_830, 3_600, 2_591_999, 2_592_000])('makes no difference: %i s pass', async (seconds) => {
    const id = await register();
    for (const step of steps) {
      await travel(id, { at: step, change: async () => pair.passTime(seconds), remember: false });
    }
  });

  it('makes no difference: the store fails', async () => {
    const stop = async (): Promise<void> => {
      failing = (each) => {
        each.down = true;
      };
    };
    for (const step of steps) await travel(await register(), { at: step, change: stop, remember: true });
    // The login is to be remembered, and is written when the user has signed in.
    expect(failures.map(({ isFast, fast: { status } }) => [isFast, status])).toEqual([
      [true, 503],
      [true, 503],
      [true, 503],
      [true, 503],
    ]);
  });

  it('the fast path answers most of the requests', () => {
    expect(fast).toBeGreaterThan(250);
  });
});
