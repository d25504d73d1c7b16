import { beforeTests } from '@carnet/test-servers/before-tests';
import { afterEach, beforeAll, describe, expect, test } from 'vitest';
import { createBrowser, locationOf } from '../browser.ts';
import { type Answer, postForm, userinfo } from '../call.ts';
import { type CarnetTarget, startCarnet } from '../carnet-target.ts';
import { basicOf } from '../clients.ts';
import { secretsIn } from '../leaks.ts';
import { acceptConsent, codeIn as codeAt, logIn, redeem, redemptionOf, refresh } from '../login.ts';
import { assertionForm, clientAssertion, dpopProof } from '../signed-requests.ts';
import { clients } from '../threat-target.ts';

/** Threats D1, D5, D6 and D11: what may be used once is used once, and not lost by a failure. */

const { app } = clients;
const statuses = (answers: readonly Answer[]): number[] => answers.map(({ status }) => status).toSorted();
const refusals = (answers: readonly Answer[]) =>
  answers.filter(({ status }) => status !== 200).map(({ status, body }) => [status, body.error]);
const inParallel = <T>(count: number, run: () => Promise<T>): Promise<T[]> =>
  Promise.all(Array.from({ length: count }, run));
/** How many of the tokens in these answers are still good for anything. */
const alive = async (target: CarnetTarget, answers: readonly Answer[]): Promise<number> => {
  let count = 0;
  for (const { body } of answers.filter(({ status }) => status === 200)) {
    if ((await userinfo(target, body.access_token)).status === 200) count += 1;
    if ((await refresh(target, app, body.refresh_token)).status === 200) count += 1;
  }
  return count;
};

/** D1 */
const redeemInParallel = async (target: CarnetTarget): Promise<Answer[]> => {
  const code = codeAt(await target.authorize(app));
  return inParallel(4, () => redeem(target, app, code));
};

/** D5 */
const resumeInParallel = async (target: CarnetTarget, remember: boolean) => {
  const browser = createBrowser();
  const end = await target.lastStep(app, { browser, remember });
  const responses = await inParallel(2, () => browser.get(end));
  const codes = responses.filter(({ headers }) => headers.has('location')).map((back) => codeAt(locationOf(back)));
  return Promise.all(codes.map((code) => redeem(target, app, code)));
};

/** D6 */
const proveInParallel = async (target: CarnetTarget): Promise<Answer[]> => {
  const url = `${target.issuer}/oauth2/token`;
  const headers = { dpop: await dpopProof(url), ...basicOf(app) };
  return inParallel(3, () => postForm(url, { grant_type: 'client_credentials' }, headers));
};

/** D11: the tokens can't be stored at the first attempt. */
const redeemTwice = async (target: CarnetTarget): Promise<Answer[]> => {
  const code = codeAt(await target.authorize(app));
  target.faults.failNext('put access_token');
  return [await redeem(target, app, code), await redeem(target, app, code)];
};

describe('Carnet', () => {
  const carnet = beforeTests(() => startCarnet());
  beforeAll(async () => {
    carnet.faults.latencyMs = 20;
  });
  afterEach(() => expect(secretsIn(carnet.instance.log())).toEqual([]));

  test('of 4 parallel redemptions exactly one gets tokens, and the grant is revoked', { tags: ['D1'] }, async () => {
    const answers = await redeemInParallel(carnet);
    expect(refusals(answers)).toEqual(Array(3).fill([400, 'invalid_grant']));
    expect(await alive(carnet, answers)).toBe(0);
  });

  test('a code redeemed again, later, gets nothing, and the grant is revoked', { tags: ['D1'] }, async () => {
    const code = codeAt(await carnet.authorize(app));
    const answers = [await redeem(carnet, app, code), await redeem(carnet, app, code)];
    expect(refusals(answers)).toEqual([[400, 'invalid_grant']]);
    expect(await alive(carnet, answers)).toBe(0);
  });

  test('a single redemption gives tokens that are alive', { tags: ['D1'] }, async () => {
    const answer = await redeem(carnet, app, codeAt(await carnet.authorize(app)));
    expect(await alive(carnet, [answer])).toBe(2);
  });

  test.each([true, false])(
    'of the codes of 2 parallel resumes after consent only one can be redeemed, and the grant is revoked (remembered: %s)',
    {
      tags: ['D5'],
    },
    async (remember) => {
      const answers = await resumeInParallel(carnet, remember);
      expect([statuses(answers).toSorted(), refusals(answers)]).toEqual([[200, 400], [[400, 'invalid_grant']]]);
      expect(await alive(carnet, answers)).toBe(0);
    },
  );

  test('of 2 parallel resumes one gives a code when only the consent is remembered', { tags: ['D5'] }, async () => {
    const browser = createBrowser();
    const challenge = await logIn(carnet.instance, app, { browser });
    const end = await acceptConsent(carnet.instance, challenge, { remember: true });
    const responses = await inParallel(2, () => browser.get(end));
    expect(responses.map(({ status }) => status).toSorted()).toEqual([303, 400]);
  });

  test('a client assertion used 3 times in parallel, and once more later, is accepted once', {
    tags: ['D6'],
  }, async () => {
    const assertion = await clientAssertion(carnet.issuer);
    const use = () => postForm(`${carnet.issuer}/oauth2/token`, assertionForm(assertion));
    const answers = [...(await inParallel(3, use)), await use()];
    expect(statuses(answers)).toEqual([200, 401, 401, 401]);
    expect(refusals(answers)).toEqual(Array(3).fill([401, 'invalid_client']));
  });

  test('a DPoP proof used 3 times in parallel is accepted once', { tags: ['D6'] }, async () => {
    const answers = await proveInParallel(carnet);
    expect(statuses(answers)).toEqual([200, 400, 400]);
    expect(refusals(answers)).toEqual(Array(2).fill([400, 'invalid_dpop_proof']));
  });

  test('a DPoP proof used again is refused as a proof, and the fresh client assertion beside it is used up', {
    tags: ['D6'],
  }, async () => {
    const url = `${carnet.issuer}/oauth2/token`;
    const headers = { dpop: await dpopProof(url) };
    const form = async () => assertionForm(await clientAssertion(carnet.issuer));
    expect((await postForm(url, await form(), headers)).status).toBe(200);
    const beside = await form();
    expect(refusals([await postForm(url, beside, headers)])).toEqual([[400, 'invalid_dpop_proof']]);
    expect(refusals([await postForm(url, beside)])).toEqual([[401, 'invalid_client']]);
  });

  test('a client assertion used again beside a fresh DPoP proof is refused as an assertion', {
    tags: ['D6'],
  }, async () => {
    const url = `${carnet.issuer}/oauth2/token`;
    const assertion = await clientAssertion(carnet.issuer);
    const use = async () => postForm(url, assertionForm(assertion), { dpop: await dpopProof(url) });
    expect((await use()).status).toBe(200);
    expect(refusals([await use()])).toEqual([[401, 'invalid_client']]);
  });

  test('a client assertion and a DPoP proof beside a used code are used up, and the tokens revoked', {
    tags: ['D1', 'D6'],
  }, async () => {
    const url = `${carnet.issuer}/oauth2/token`;
    const code = codeAt(await carnet.authorize(clients.signing));
    const send = (assertion: string, dpop: string, more: Readonly<Record<string, string>>) => {
      const form = assertionForm(assertion);
      for (const [name, value] of Object.entries(more)) form.set(name, value);
      return postForm(url, form, { dpop });
    };
    const redeeming = redemptionOf(code);
    const fresh = () => Promise.all([clientAssertion(carnet.issuer), dpopProof(url)]);
    const first = await send(...(await fresh()), redeeming);
    expect(first.status).toBe(200);
    const [assertion, proof] = await fresh();
    const [otherAssertion, otherProof] = await fresh();
    expect(refusals([await send(assertion, proof, redeeming)])).toEqual([[400, 'invalid_grant']]);
    expect(refusals([await send(assertion, otherProof, {})])).toEqual([[401, 'invalid_client']]);
    expect(refusals([await send(otherAssertion, proof, {})])).toEqual([[400, 'invalid_dpop_proof']]);
    const refreshing = { grant_type: 'refresh_token', refresh_token: String(first.body.refresh_token) };
    expect(refusals([await send(...(await fresh()), refreshing)])).toEqual([[400, 'invalid_grant']]);
  });

  test('a DPoP proof used again burns no code, and at userinfo is refused as a proof', { tags: ['D6'] }, async () => {
    const url = `${carnet.issuer}/oauth2/token`;
    const form = redemptionOf(codeAt(await carnet.authorize(app)));
    const used = { dpop: await dpopProof(url), ...basicOf(app) };
    await postForm(url, { grant_type: 'client_credentials' }, used);
    expect(refusals([await postForm(url, form, used)])).toEqual([[400, 'invalid_dpop_proof']]);
    const redeemed = await postForm(url, form, { ...used, dpop: await dpopProof(url) });
    expect([redeemed.status, redeemed.body.token_type]).toEqual([200, 'DPoP']);
    const token = String(redeemed.body.access_token);
    const proof = await dpopProof(`${carnet.issuer}/userinfo`, token);
    const ask = () => fetch(`${carnet.issuer}/userinfo`, { headers: { authorization: `DPoP ${token}`, dpop: proof } });
    const [first, again] = [await ask(), await ask()];
    expect([first.status, again.status]).toEqual([200, 401]);
    expect(again.headers.get('www-authenticate')).toMatch(/^DPoP .*error="invalid_dpop_proof"/);
  });

  test('tokens that could not be stored burn no code: the retry gets them', { tags: ['D11'] }, async () => {
    const answers = await redeemTwice(carnet);
    expect(refusals(answers)).toEqual([[503, 'temporarily_unavailable']]);
    expect(await alive(carnet, answers)).toBe(2);
  });

  test.each(['read', 'commit'])(
    'a refresh whose %s fails burns no refresh token: the retry gets tokens',
    { tags: ['D11'] },
    async (operation) => {
      const { body } = await redeem(carnet, app, codeAt(await carnet.authorize(app)));
      carnet.faults.failNext(operation);
      const answers = [await refresh(carnet, app, body.refresh_token), await refresh(carnet, app, body.refresh_token)];
      expect(refusals(answers)).toEqual([[503, 'temporarily_unavailable']]);
      expect(await alive(carnet, answers)).toBe(2);
    },
  );
});
