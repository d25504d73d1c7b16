import { openMemoryAdapter } from '@carnet/adapter-memory';
import { describe, expect, test } from 'vitest';
import { CarnetError } from '../errors.ts';
import { createEnvelope, type Envelope } from './envelope.ts';
import { createFlowId } from './flow-id.ts';
import type { FlowState } from './flow-state.ts';
import { createFlowTokens } from './flow-tokens.ts';
import { createKeyRing } from './key-ring.ts';
import { encodeState } from './state-codec.ts';

const noon = Date.UTC(2026, 6, 1, 12);
const lifetime = 1_800;

/** Tokens, what was written and decrypted for them, and a clock to turn. */
const setUp = () => {
  let time = noon;
  const now = () => time;
  const adapter = openMemoryAdapter({ now });
  let commits = 0;
  const counted = {
    read: adapter.read,
    commit: (...args: Parameters<typeof adapter.commit>) => {
      commits += 1;
      return adapter.commit(...args);
    },
  };
  let decrypted = 0;
  const ring = createKeyRing({ issuer: 'https://id.test', secrets: ['a secret of the tests'], now });
  const envelope = createEnvelope(ring);
  const open: Envelope['open'] = (purpose, token) => {
    decrypted += 1;
    return envelope.open(purpose, token);
  };
  const createTokens = () => createFlowTokens({ envelope: { ...envelope, open }, adapter: counted, now });
  return {
    envelope,
    tokens: createTokens(),
    /** The tokens of another process. */
    otherTokens: createTokens(),
    decrypted: () => decrypted,
    commits: () => commits,
    later: (seconds: number) => {
      time = noon + seconds * 1000;
    },
  };
};

const stateWith = (contextLength = 0): FlowState => ({
  id: createFlowId(noon),
  expiresAt: noon / 1000 + lifetime,
  params: { client_id: 'app', response_type: 'code' },
  login: { subject: 'alice', authTime: 1, remember: false, context: { notes: '.'.repeat(contextLength) } },
});

describe('a flow token', () => {
  test('a small state never reaches the store', async () => {
    const { tokens, commits } = setUp();
    const state = stateWith();
    const token = await tokens.seal('login_verifier', state);
    expect(await tokens.open('login_verifier', token)).toEqual({ status: 'open', state });
    expect(commits()).toBe(0);
  });

  test('never gets longer than 1,600 characters: what is larger goes to the store, in one commit', async () => {
    for (let length = 0; length < 20_000; length += 500) {
      const { tokens, commits } = setUp();
      const state = stateWith(length);
      const token = await tokens.seal('login_verifier', state);
      expect(token.length).toBeLessThanOrEqual(1_600);
      expect(await tokens.open('login_verifier', token)).toEqual({ status: 'open', state });
      expect(commits()).toBe(length < 1_000 ? 0 : 1);
    }
  });

  test('a state too large even for the store is refused when it is sealed, before it could be opened', async () => {
    const { tokens, commits } = setUp();
    const state = stateWith(65_000);
    const opened = await tokens.open('login_verifier', await tokens.seal('login_verifier', state));
    expect(opened).toEqual({ status: 'open', state });
    await expect(tokens.seal('login_verifier', stateWith(66_000))).rejects.toMatchObject({ error: 'invalid_request' });
    await expect(tokens.seal('login_verifier', stateWith(66_000))).rejects.toThrow(CarnetError);
    expect(commits()).toBe(1);
  });

  test.each([0, 5_000])(
    'expires by what is sealed in it, 30 seconds being granted to slow clocks (context of %i)',
    async (length) => {
      const { tokens, later } = setUp();
      const state = stateWith(length);
      const token = await tokens.seal('consent_challenge', state);
      const statusAfter = async (seconds: number) => {
        later(seconds);
        return (await tokens.open('consent_challenge', token)).status;
      };
      expect(await statusAfter(-30)).toBe('open');
      expect(await statusAfter(lifetime + 29)).toBe('open');
      expect(await statusAfter(lifetime + 30)).toBe('expired');
      expect(await tokens.open('consent_challenge', token)).toEqual({ status: 'expired', state });
    },
  );

  test('of another purpose, or no token at all, is invalid', async () => {
    const { tokens } = setUp();
    const token = await tokens.seal('login_challenge', stateWith());
    for (const purpose of ['login_verifier', 'consent_challenge', 'consent_verifier'] as const) {
      expect(await tokens.open(purpose, token)).toEqual({ status: 'invalid' });
    }
    for (const text of ['', 'x', '....', token.slice(1)]) {
      expect(await tokens.open('login_challenge', text)).toEqual({ status: 'invalid' });
    }
  });

  test('a token opens repeatedly with the same content, for its purpose alone', async () => {
    const { tokens } = setUp();
    const state = stateWith();
    const token = await tokens.seal('login_challenge', state);
    for (let time = 0; time < 3; time++) {
      expect(await tokens.open('login_challenge', token)).toEqual({ status: 'open', state });
      for (const purpose of ['login_verifier', 'consent_challenge', 'consent_verifier'] as const) {
        expect(await tokens.open(purpose, token)).toEqual({ status: 'invalid' });
      }
      expect(await tokens.open('login_challenge', `${token.slice(0, -1)}=`)).toEqual({ status: 'invalid' });
    }
  });

  test('a token whose state is in the store is invalid once the state is deleted', async () => {
    const { tokens, later } = setUp();
    const token = await tokens.seal('consent_challenge', stateWith(5_000));
    expect(await tokens.open('consent_challenge', token)).toMatchObject({ status: 'open' });
    later(lifetime + 7_200);
    expect(await tokens.open('consent_challenge', token)).toEqual({ status: 'invalid' });
  });

  test('a token with unknown decisions is an error of the server, and never a flow', async () => {
    const { tokens, envelope } = setUp();
    const forged = encodeState({ ...stateWith(), ...({ login: { subject: '' } } as object) });
    await expect(tokens.open('login_verifier', envelope.seal('login_verifier', forged))).rejects.toThrow();
  });
});

const steps = ['login_challenge', 'login_verifier', 'consent_challenge', 'consent_verifier'] as const;

describe('a token that this process has sealed or opened', () => {
  test.each(steps)('a %s is not decrypted by the process that sealed it', async (purpose) => {
    const { tokens, decrypted } = setUp();
    const state = stateWith();
    const token = await tokens.seal(purpose, state);
    for (let time = 0; time < 2; time++) expect(await tokens.open(purpose, token)).toEqual({ status: 'open', state });
    expect(decrypted()).toBe(0);
  });

  test('another process decrypts a challenge once, for the page and for its decision', async () => {
    const { tokens, otherTokens, decrypted } = setUp();
    const state = stateWith();
    const token = await tokens.seal('consent_challenge', state);
    for (let time = 0; time < 2; time++)
      expect(await otherTokens.open('consent_challenge', token)).toEqual({ status: 'open', state });
    expect(decrypted()).toBe(1);
  });

  test('it has the content that was sealed, whatever its caller changes afterwards', async () => {
    const { tokens } = setUp();
    const context = { cart: ['a book'], at: new Date(noon) };
    const state = { ...stateWith(), login: { subject: 'alice', authTime: 1, remember: false, context } };
    const token = await tokens.seal('login_verifier', state);
    context.cart.push('another');
    const opened = await tokens.open('login_verifier', token);
    expect(opened).toMatchObject({
      state: { login: { context: { cart: ['a book'], at: '2026-07-01T12:00:00.000Z' } } },
    });
  });

  test('of a thousand tokens, the oldest are decrypted again', async () => {
    const { tokens, decrypted } = setUp();
    const states = Array.from({ length: 1_000 }, () => stateWith());
    const sealed = await Promise.all(states.map((state) => tokens.seal('login_verifier', state)));
    for (const [index, token] of sealed.entries())
      expect(await tokens.open('login_verifier', token)).toEqual({ status: 'open', state: states[index] });
    expect(decrypted()).toBe(500);
  });
});
