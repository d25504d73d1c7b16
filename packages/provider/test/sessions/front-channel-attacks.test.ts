import * as oidc from 'openid-client';
import { beforeAll, describe, expect, test } from 'vitest';
import { createRedemptions } from '../../src/flow/redemptions.ts';
import { createBrowser, locationOf } from '../browser.ts';
import { postForm, userinfo } from '../call.ts';
import { basicOf, redirectUri, registerClient } from '../clients.ts';
import { allOn, answer, answerIn, answeringBeforeTests, everyType } from '../conformance/answers.ts';
import { consentPage, loginPage } from '../harness.ts';
import {
  acceptConsent,
  authorizeAt,
  begin,
  challengeIn,
  decideAll,
  introspect,
  push,
  pushedUrl,
  redeem,
  token,
} from '../login.ts';
import { connect, prepare } from '../relying-party.ts';
import { logoutPage, signOut } from '../sign-out.ts';
import { browserWith, pageOf, verifierIn, walk } from '../walk.ts';

/** Attacks on answers that carry tokens: the implicit and the hybrid flow. */
describe('tokens in the front channel', () => {
  const urls = { login: loginPage, consent: consentPage, logout: logoutPage };
  const { instance, client } = answeringBeforeTests({ config: { features: allOn, urls } });

  const hybrid = { params: { response_type: 'code id_token token' } };

  test.each(['id_token', 'id_token token', 'code id_token', 'code token', 'code id_token token'])(
    'of twenty replays of the last redirect of %s at once, one brings tokens',
    async (response_type) => {
      const flow = await walk(instance, client, { params: { response_type } });
      const open = async () => {
        const response = await browserWith(flow.cookies).get(flow.consentUrl);
        return response.status === 303 ? answerIn(response) : pageOf(response);
      };
      const outcomes = await Promise.all(Array.from({ length: 20 }, open));
      expect(outcomes.filter((outcome) => typeof outcome !== 'string')).toHaveLength(1);
      for (const outcome of outcomes) if (typeof outcome === 'string') expect(outcome).toMatch(/^400 /);
    },
  );

  test('a flow taken up again from its login begins no second set either', async () => {
    const flow = await walk(instance, client, hybrid);
    const again = browserWith(flow.cookies);
    const consentUrl = await acceptConsent(instance, challengeIn(await again.get(flow.loginUrl), 'consent'));
    const first = await answerIn(await browserWith(flow.cookies).get(flow.consentUrl));
    expect(await pageOf(await again.get(consentUrl))).toMatch(/^400 /);
    expect((await introspect(instance, first.params.access_token)).active).toBe(true);
  });

  test('what was revoked does not come back: not by the code, and not by a replay', async () => {
    const flow = await walk(instance, client, hybrid);
    const { params } = await answerIn(await browserWith(flow.cookies).get(flow.consentUrl));
    const { body } = await redeem(instance, client, params.code ?? '');
    await postForm(`${instance.issuer}/oauth2/revoke`, { token: String(body.refresh_token) }, basicOf(client));
    expect((await redeem(instance, client, params.code ?? '')).body.error).toBe('invalid_grant');
    expect(await pageOf(await browserWith(flow.cookies).get(flow.consentUrl))).toMatch(/^400 /);
    for (const value of [params.access_token, body.access_token]) {
      expect((await introspect(instance, value)).active).toBe(false);
    }
  });

  test('revoked before the code was redeemed, the grant stays revoked', async () => {
    const { params } = await answer(instance, client, hybrid.params);
    const puts = instance.calls.commits.flat().flatMap((write) => (write.type === 'put' ? [write.record] : []));
    const { grantId = '' } = puts.findLast(({ kind }) => kind === 'grant') ?? {};
    const redemptions = createRedemptions({
      ttl: { loginConsentRequest: 1_800, authCode: 600, deviceUserCode: 600 },
      now: Date.now,
    });
    await instance.adapter.commit(redemptions.revocation(grantId));
    expect((await introspect(instance, params.access_token)).active).toBe(false);
    expect((await redeem(instance, client, params.code ?? '')).body.error).toBe('invalid_grant');
    expect((await introspect(instance, params.access_token)).active).toBe(false);
  });

  test('the second use of a code takes the access token back that came with it', async () => {
    const { params } = await answer(instance, client, hybrid.params);
    await redeem(instance, client, params.code ?? '');
    expect((await introspect(instance, params.access_token)).active).toBe(true);
    await redeem(instance, client, params.code ?? '');
    expect((await introspect(instance, params.access_token)).active).toBe(false);
  });

  test('of several flows of one pushed request one brings tokens', async () => {
    const url = pushedUrl(instance, client, await push(instance, client, hybrid.params));
    const ends = await Promise.all(
      ['alice', 'mallory'].map(async (subject) => {
        const browser = createBrowser();
        return { browser, url: await decideAll(instance, browser, await begin(browser, url), { subject }) };
      }),
    );
    const responses = await Promise.all(ends.map((end) => end.browser.get(end.url)));
    expect(responses.map(({ status }) => status).toSorted()).toEqual([303, 400]);
  });

  test('a session that ends before the last redirect brings no tokens, and otherwise hears of the client', async () => {
    const browser = createBrowser();
    await answer(instance, client, hybrid.params, { browser, login: { remember: true } });
    const merges = instance.calls.commits.flat().filter((write) => write.type === 'merge');
    expect(merges.at(-1)).toMatchObject({ key: { kind: 'session' }, members: [client.id] });
    const flow = await walk(instance, client, { ...hybrid, browser });
    await signOut(instance, browser);
    expect(await pageOf(await browserWith(flow.cookies).get(flow.consentUrl))).toMatch(/^400 /);
  });

  test('tokens never stand in a query, an answer is not cached, and sends no Referer on', async () => {
    const flow = await walk(instance, client, hybrid);
    const response = await flow.browser.get(flow.consentUrl);
    expect(locationOf(response).search).toBe('');
    expect(response.headers.get('referrer-policy')).toBe('no-referrer');
    expect(response.headers.get('cache-control')).toBe('no-store');
    const { params } = await answerIn(response);
    const secrets = [params.code, params.id_token, params.access_token, verifierIn(flow.consentUrl)];
    for (const secret of secrets) expect(instance.log()).not.toContain(secret);
  });

  test('claims that do not fit a URL are left to userinfo; where there is none, the request fails', async () => {
    const consent = { session: { id_token: { bio: 'z'.repeat(4_000) } } };
    const { params } = await answer(instance, client, hybrid.params, { consent });
    expect(new URLSearchParams(params).toString().length).toBeLessThan(3_400);
    expect(String(params.id_token).length).toBeLessThan(1_400);
    expect((await userinfo(instance, params.access_token)).body.bio).toHaveLength(4_000);
    const alone = await answer(instance, client, { response_type: 'id_token' }, { consent });
    expect(alone.params).toMatchObject({ error: 'invalid_request' });
    const form = { response_type: 'id_token', response_mode: 'form_post' };
    expect((await answer(instance, client, form, { consent })).params.id_token?.length).toBeGreaterThan(4_000);
  });

  describe('by a client that checks what openid-client checks', () => {
    let config: oidc.Configuration;

    beforeAll(async () => {
      config = await connect(instance, client);
      oidc.useCodeIdTokenResponseType(config);
      oidc.enableNonRepudiationChecks(config);
    });

    const come = async () => {
      const { url, checks } = await prepare(config);
      return { end: await authorizeAt(instance, url), checks };
    };
    /** The checks of an answer of which one member is another. */
    const checkSwapped = ({ end, checks }: Awaited<ReturnType<typeof come>>, name: string, value: string) => {
      const params = new URLSearchParams(end.hash.slice(1));
      params.set(name, value);
      return oidc.authorizationCodeGrant(config, new URL(`${redirectUri}#${params}`), checks);
    };

    test('the answer is accepted as it comes', async () => {
      const { end, checks } = await come();
      expect((await oidc.authorizationCodeGrant(config, end, checks)).claims()?.sub).toBe('alice');
    });

    test('a code swapped for that of another flow is noticed by c_hash', async () => {
      const [mine, theirs] = [await come(), await come()];
      const code = new URLSearchParams(theirs.end.hash.slice(1)).get('code') ?? '';
      const cause = { message: expect.stringContaining('c_hash') };
      await expect(checkSwapped(mine, 'code', code)).rejects.toMatchObject({ cause });
    });

    test('an ID token of another flow is noticed by its nonce', async () => {
      const [mine, theirs] = [await come(), await come()];
      const idToken = new URLSearchParams(theirs.end.hash.slice(1)).get('id_token') ?? '';
      await expect(checkSwapped(mine, 'id_token', idToken)).rejects.toThrow();
    });

    test('an answer of another issuer (mix-up) is noticed by iss', async () => {
      const mine = await come();
      expect(new URLSearchParams(mine.end.hash.slice(1)).get('iss')).toBe(instance.issuer);
      await expect(checkSwapped(mine, 'iss', 'https://evil.test')).rejects.toThrow();
    });
  });

  test('a code stolen from the fragment is worth nothing to another client, nor without the verifier', async () => {
    const thief = await registerClient(instance, 'thief', everyType);
    const { params } = await answer(instance, client, hybrid.params);
    expect((await redeem(instance, thief, params.code ?? '')).body.error).toBe('invalid_grant');
    const grant = { grant_type: 'authorization_code', code: params.code ?? '', redirect_uri: redirectUri };
    expect((await token(instance, client, grant)).body.error).toBe('invalid_grant');
    expect((await redeem(instance, client, params.code ?? '')).status).toBe(200);
  });
});
