import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { locationOf } from '../browser.ts';
import { codeIn, introspect, type Json } from '../login.ts';
import { clients } from '../threat-target.ts';
import { walk } from '../walk.ts';
import type { ProviderProcess } from './provider-process.ts';
import { type Pair, startPair } from './serving.ts';
import type { TestStore } from './test-stores.ts';
import { countWorking, keysIn } from './token-life.ts';
import { type Answer, assertionUse, bearerUse, newCode, newTokens, redemption, refreshing } from './token-requests.ts';

const count = 100;

const allBut = (winners: number, refusal: readonly [number, string]) => ({
  answered: winners,
  refusals: Array(count - winners).fill(refusal),
});

const summary = (answers: readonly Answer[]) => ({
  answered: answers.filter(({ status }) => status === 200).length,
  refusals: answers.filter(({ status }) => status !== 200).map(({ status, body }) => [status, body.error]),
});

const successful = (answers: readonly Answer[]): Json[] =>
  answers.filter(({ status }) => status === 200).map(({ body }) => body);

/** The tests of everything that is for one of many: on a store, with two processes of a provider. */
export const describeRaces = (name: string, start: () => Promise<Pick<TestStore, 'storage'>>): void => {
  describe(`of ${count} parallel requests to two processes on ${name}`, () => {
    let pair: Pair;
    let first: ProviderProcess;
    beforeAll(async () => {
      pair = await startPair(start);
      [first] = pair.processes;
    });
    afterAll(() => pair?.stop());

    /** By turns to one and the other. */
    const spread = <T>(send: (at: ProviderProcess) => Promise<T>): Promise<T[]> =>
      Promise.all(Array.from({ length: count }, (_, index) => send(pair.processes[index % 2] as ProviderProcess)));

    const expectRevoked = async (tokens: readonly Json[]): Promise<void> => {
      expect(await countWorking(pair.adapter, tokens.flatMap(keysIn))).toEqual({ access: 0, refresh: 0 });
      for (const { access_token } of tokens) expect(await introspect(first, access_token)).toEqual({ active: false });
    };

    test.each([false, true])(
      'that redeem a code exactly one gets tokens, and they are revoked (login remembered: %s)',
      async (remember) => {
        const request = redemption(await newCode(first, { remember }));
        const answers = await spread((at) => request(at));
        expect(summary(answers)).toEqual(allBut(1, [400, 'invalid_grant']));
        await expectRevoked(successful(answers));
      },
    );

    test('that use a refresh token without a grace period exactly one gets tokens, and all are revoked', async () => {
      const tokens = await newTokens(first);
      const answers = await spread((at) => refreshing(tokens)(at.withoutGrace));
      expect(summary(answers)).toEqual(allBut(1, [400, 'invalid_grant']));
      await expectRevoked([tokens, ...successful(answers)]);
    });

    test('that use a refresh token within its grace period two get one successor, and all is revoked', async () => {
      const tokens = await newTokens(first);
      const answers = await spread((at) => refreshing(tokens)(at));
      expect(summary(answers)).toEqual(allBut(2, [400, 'invalid_grant']));
      expect(new Set(successful(answers).map(({ refresh_token }) => refresh_token)).size).toBe(1);
      await expectRevoked([tokens, ...successful(answers)]);
    });

    test('that use a client assertion exactly one gets a token, which works', async () => {
      const request = await assertionUse();
      const answers = await spread((at) => request(at));
      expect(summary(answers)).toEqual(allBut(1, [401, 'invalid_client']));
      expect(await introspect(first, successful(answers)[0]?.access_token)).toMatchObject({ active: true });
    });

    test('that use the assertion of a trusted issuer exactly one gets a token, which works', async () => {
      const request = await bearerUse(pair.adapter, first);
      const answers = await spread((at) => request(at));
      expect(summary(answers)).toEqual(allBut(1, [400, 'invalid_grant']));
      expect(await introspect(first, successful(answers)[0]?.access_token)).toMatchObject({
        active: true,
        sub: 'alice',
      });
    });

    /** The consent verifier of a login that is to be remembered, sent by browsers with the same cookies. */
    const endAll = async (consent: Json) => {
      const decisions = { login: { remember: true }, consent };
      const { browser, consentUrl } = await walk(first, clients.app, { browser: first.browser(), ...decisions });
      return spread((at) => at.browser(browser.cookies).get(consentUrl));
    };
    const codesIn = (responses: readonly Response[]): string[] =>
      responses.filter(({ status }) => status === 303).map((response) => codeIn(locationOf(response)));

    test('that end the flow of a consent to be remembered exactly one gets a code, which is good for tokens', async () => {
      const responses = await endAll({ remember: true });
      const [code = '', ...others] = codesIn(responses);
      expect([others, responses.filter(({ status }) => status === 400).length]).toEqual([[], count - 1]);
      expect((await redemption(code)(first)).status).toBe(200);
    });

    test('that end the flow of a login to be remembered each gets a code, of which one is redeemed', async () => {
      const codes = codesIn(await endAll({}));
      expect(new Set(codes).size).toBe(count);
      const answers = await spread((at) => redemption(codes.pop() ?? '')(at));
      expect(summary(answers)).toEqual(allBut(1, [400, 'invalid_grant']));
      await expectRevoked(successful(answers));
    });
  });
};
