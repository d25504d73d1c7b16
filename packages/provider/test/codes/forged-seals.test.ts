import { createCipheriv } from 'node:crypto';
import { beforeAll, describe, expect, test } from 'vitest';
import { createFlowId } from '../../src/flow/flow-id.ts';
import type { FlowState } from '../../src/flow/flow-state.ts';
import { type Purpose, purposes } from '../../src/flow/purposes.ts';
import { encodeState } from '../../src/flow/state-codec.ts';
import { codePrefix } from '../../src/tokens/token-value.ts';
import { registerBeforeTests, startBeforeTests, startInTest } from '../before-tests.ts';
import { createBrowser } from '../browser.ts';
import { redirectUri, testRegistration } from '../clients.ts';
import { type Instance, start } from '../harness.ts';
import { codeChallenge, headless, redeem } from '../login.ts';
import { browserWith, pageOf, sealerOf, through, verifierIn, type Walk, walk } from '../walk.ts';

/** Section B: whatever is wrong with a sealed token, the answer is one and the same. */
describe('a sealed token that is not what it should be', () => {
  const instance = startBeforeTests();
  const client = registerBeforeTests(instance, 'app');
  let flow: Walk;

  beforeAll(async () => {
    flow = await walk(instance, client);
  });

  /** What the admin API says to a challenge, in all that a caller can see. */
  const toApi = async (challenge: string, path = 'login', at: Pick<Instance, 'admin'> = instance): Promise<string> => {
    const [what] = path.split('/');
    const [method, body] = path === what ? (['GET'] as const) : (['PUT', { subject: 'alice' }] as const);
    const query = `${what}_challenge=${encodeURIComponent(challenge)}`;
    const { status, text } = await headless(at, method, `${path}?${query}`, body);
    return `${status} ${text}`;
  };

  /** What a browser is shown that comes back with a verifier, all cookies of the flow included. */
  const toBrowser = async (verifier: string, name = 'login_verifier', at: Pick<Instance, 'issuer'> = instance) =>
    pageOf(await browserWith(flow.cookies).get(`${at.issuer}/oauth2/auth?${name}=${encodeURIComponent(verifier)}`));

  /** Every answer there was, each once. */
  const answersTo = async (tokens: readonly string[], ask: (token: string) => Promise<string>): Promise<string[]> => {
    const answers = new Set<string>();
    while (tokens.length > 0) {
      for (const answer of await Promise.all(tokens.slice(0, 20).map((token) => ask(token)))) answers.add(answer);
      tokens = tokens.slice(20);
    }
    return [...answers];
  };

  const notFound = '404 {"error":"Unable to locate the resource","error_description":""}';
  const invalidLink = /^400 .*This link is not valid/s;

  const expectOneAnswer = async (tamper: (token: string) => string[]): Promise<void> => {
    const challenges = tamper(flow.loginChallenge);
    const verifiers = tamper(verifierIn(flow.loginUrl));
    expect(challenges.length).toBeGreaterThan(0);
    expect(await answersTo(challenges, toApi)).toEqual([notFound]);
    const pages = await answersTo(verifiers, toBrowser);
    expect(pages).toHaveLength(1);
    expect(pages[0]).toMatch(invalidLink);
    expect(pages[0]).not.toContain('<a ');
  };

  test('any character of any segment changed: one answer of the API, one page', async () => {
    await expectOneAnswer((token) =>
      Array.from(token, (character, at) => token.slice(0, at) + (character === 'A' ? 'B' : 'A') + token.slice(at + 1)),
    );
  });

  test('segments swapped, left out or doubled: the same answer', async () => {
    await expectOneAnswer((token) => {
      const parts = token.split('.');
      const swaps = parts.flatMap((a, i) => parts.slice(i + 1).map((b, j) => parts.with(i, b).with(i + 1 + j, a)));
      const others = parts.flatMap((part, i) => [parts.toSpliced(i, 1), parts.toSpliced(i, 0, part)]);
      return [...swaps, ...others].map((changed) => changed.join('.')).filter((changed) => changed !== token);
    });
  });

  test('cut off anywhere: the same answer', async () => {
    await expectOneAnswer((token) => Array.from({ length: token.length - 1 }, (_, i) => token.slice(0, i + 1)));
  });

  test('other base64url spellings, white space and padding: the same answer', async () => {
    await expectOneAnswer((token) => {
      const last = token.at(-1) ?? '';
      const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
      const spellings = [1, 2, 3].map((spare) => token.slice(0, -1) + alphabet[(alphabet.indexOf(last) & ~3) | spare]);
      const dots = [token.replace('..', '.=.'), token.replace('.', '%2E')];
      const more = [`${token}=`, `${token}==`, ` ${token}`, `${token}+`, ...dots];
      return [...spellings, ...more].filter((spelling) => spelling !== token);
    });
  });

  test('alg, enc, zip, crit, p2c, epk, jku, jwk, x5u, members twice, in another order or spaced: the same answer', async () => {
    const { keys, seal } = sealerOf(instance.issuer);
    const urls = ['"jku":"https://x"', '"jwk":{}', '"x5u":"https://x"'];
    const members = ['"zip":"DEF"', '"crit":["exp"]', '"p2c":9', '"epk":{}', ...urls];
    const forge = (purpose: Purpose): string[] => {
      const { kid, key } = keys.sealing(purpose);
      const headers = [
        ...members.map((member) => `{"alg":"dir","enc":"A256GCM","kid":"${kid}",${member}}`),
        `{"alg":"dir","alg":"dir","enc":"A256GCM","kid":"${kid}"}`,
        `{"enc":"A256GCM","alg":"dir","kid":"${kid}"}`,
        `{"alg":"dir", "enc":"A256GCM","kid":"${kid}"}`,
        `{"alg":"A256GCMKW","enc":"A256GCM","kid":"${kid}"}`,
        `{"alg":"dir","enc":"A128GCM","kid":"${kid}"}`,
        `{"alg":"none","kid":"${kid}"}`,
        `{"alg":"dir","enc":"A256GCM","kid":"${kid}","__proto__":{}}`,
        '{"alg":"dir","enc":"A256GCM"}',
      ];
      return headers.map((text) => {
        const header = Buffer.from(text).toString('base64url');
        const iv = Buffer.alloc(12, 1);
        const cipher = createCipheriv('aes-256-gcm', key, iv, { authTagLength: 16 });
        cipher.setAAD(Buffer.from(header));
        const ciphertext = Buffer.concat([cipher.update(padded(plaintext)), cipher.final()]);
        return [header, '', ...[iv, ciphertext, cipher.getAuthTag()].map((part) => part.toString('base64url'))].join(
          '.',
        );
      });
    };
    const plaintext = encodeState({ ...decided(), params: { client_id: client.id, response_type: 'code' } });
    const padded = (bytes: Buffer) =>
      Buffer.concat([bytes, Buffer.from([0x80]), Buffer.alloc(63 - (bytes.length % 64))]);
    expect(await toApi(seal('login_challenge', plaintext))).toMatch(/^200 /);
    await expectOneAnswer((token) => forge(token === flow.loginChallenge ? 'login_challenge' : 'login_verifier'));
  });

  test('every invalid token gets the same answer, whatever its form', async () => {
    await expectOneAnswer(() => ['x', '....', 'null', '🙂', '../../etc/passwd', 'e30..e30.e30.e30', 'A'.repeat(4_000)]);
  });

  test('of another issuer with the same secret: the same answer', async () => {
    const other = await startInTest();
    expect(await toApi(flow.loginChallenge, 'login', other)).toBe(notFound);
    expect(await toApi(flow.consentChallenge, 'consent', other)).toBe(notFound);
    expect(await toBrowser(verifierIn(flow.loginUrl), 'login_verifier', other)).toMatch(invalidLink);
  });

  test('of another tenant, a path of the same host, with the same secret: the same answer', async () => {
    const config = { http: { allowedHosts: ['127.0.0.1:*'] } };
    const tenant = await start({ path: '/tenant', config: { ...config, issuer: `${instance.issuer}/tenant` } });
    expect(await toApi(flow.loginChallenge, 'login', tenant)).toBe(notFound);
    const url = through(tenant, `${instance.issuer}/tenant/oauth2/auth?login_verifier=${verifierIn(flow.loginUrl)}`);
    expect(await pageOf(await browserWith(flow.cookies).get(url))).toMatch(invalidLink);
    await tenant.stop();
  });

  test('the log contains neither sealed values nor tokens after all these requests', () => {
    const log = instance.log();
    expect(log.length).toBeGreaterThan(1_000);
    for (const text of ['alice', redirectUri, codeChallenge, flow.loginChallenge.slice(40, 64), 'eyJ']) {
      expect(log).not.toContain(text);
    }
  });

  /** A state that every purpose could carry. */
  const decided = (): FlowState => {
    const now = Math.floor(Date.now() / 1000);
    return {
      id: createFlowId(Date.now()),
      expiresAt: now + 600,
      params: {
        client_id: client.id,
        response_type: 'code',
        redirect_uri: redirectUri,
        scope: 'openid',
        code_challenge: codeChallenge,
        code_challenge_method: 'S256',
      },
      login: { subject: 'alice', authTime: now, remember: false },
      consent: { scopes: ['openid'], audience: [], remember: false, handledAt: now, registration: testRegistration },
    };
  };

  test('every purpose in every slot: only the diagonal opens', async () => {
    const { keys, seal } = sealerOf(instance.issuer);
    const resume = async (param: string, token: string, state: FlowState): Promise<boolean> => {
      const browser = createBrowser(new Map([[`carnet_flow_${state.id}`, keys.mac('flow_cookie', state.id)]]));
      const response = await browser.get(`${instance.issuer}/oauth2/auth?${param}=${token}`);
      if (response.status < 400) return true;
      expect(await pageOf(response)).toMatch(invalidLink);
      return false;
    };
    const ask = async (path: string, token: string): Promise<boolean> => {
      const answer = await toApi(token, path);
      if (!answer.startsWith('200')) expect(answer).toBe(notFound);
      return answer.startsWith('200');
    };
    const every = async (what: string, token: string) => {
      const asked = [what, `${what}/accept`, `${what}/reject`].map((path) => ask(path, token));
      return (await Promise.all(asked)).every(Boolean);
    };
    const slots: Readonly<Record<string, (token: string, state: FlowState) => Promise<boolean>>> = {
      login_challenge: (token) => every('login', token),
      consent_challenge: (token) => every('consent', token),
      login_verifier: (token, state) => resume('login_verifier', token, state),
      consent_verifier: (token, state) => resume('consent_verifier', token, state),
      authorization_code: async (token) => {
        const { status, body } = await redeem(instance, client, codePrefix + token);
        if (status !== 200) expect(body.error).toBe('invalid_grant');
        return status === 200;
      },
      logout_challenge: (token) => ask('logout', token),
    };
    for (const purpose of purposes) {
      for (const [slot, opens] of Object.entries(slots)) {
        const state = decided();
        const sealed = slot.startsWith('logout')
          ? Buffer.from(JSON.stringify({ sid: 'a', subject: 'b', rpInitiated: false, requestedAt: 1, expiresAt: 9e9 }))
          : encodeState(state);
        expect(await opens(seal(purpose, sealed), state), `a ${purpose} as ${slot}`).toBe(purpose === slot);
      }
    }
  });
});
