import { setTimeout as delay } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { registerBeforeTests, startBeforeTests } from '../before-tests.ts';
import { codeFor, redemptionOf, token } from '../login.ts';
import { createSigningService } from '../signing-service.ts';

/** Short, so that the suite is fast. `CARNET_TEST_OUTAGE_SECONDS` sets a longer one. */
const outageSeconds = Number(process.env.CARNET_TEST_OUTAGE_SECONDS ?? 1);
const loginsEachSecond = 25;

const service = createSigningService();
service.latencyMs = 5;
const instance = startBeforeTests({
  signers: [service.signer],
  config: { keys: { idTokenAlg: 'ES256' }, tokens: { accessTokenStrategy: 'jwt' } },
});
const app = registerBeforeTests(instance, 'app', {
  scope: 'openid offline_access',
  grant_types: ['authorization_code', 'refresh_token'],
});

/** Sends a token request until it is not answered by 503, at most every `Retry-After`. */
const untilServed = async (form: Readonly<Record<string, string>>) => {
  for (let refusals = 0; ; refusals += 1) {
    const answer = await token(instance, app, form);
    if (answer.status !== 503) return { ...answer, refusals };
    await delay(Number(answer.headers.get('retry-after')) * 1_000);
  }
};

/** A login, a redemption of its code, and a refresh. Returns the status of the last two, and how many were refused. */
const logIn = async () => {
  const consent = { grant_scope: ['openid', 'offline_access'] };
  const asked = { params: { scope: 'openid offline_access', prompt: 'consent' }, consent };
  const redeemed = await untilServed(redemptionOf(await codeFor(instance, app, asked)));
  const refresh_token = String(redeemed.body.refresh_token);
  const refreshed = await untilServed({ grant_type: 'refresh_token', refresh_token });
  return { statuses: [redeemed.status, refreshed.status], refusals: redeemed.refusals + refreshed.refusals };
};

it(
  `an outage of ${outageSeconds} s under load uses up no code and no refresh token`,
  async () => {
    const logins: ReturnType<typeof logIn>[] = [];
    const load = async (seconds: number): Promise<void> => {
      for (let count = 0; count < seconds * loginsEachSecond; count += 1) {
        logins.push(logIn());
        await delay(1_000 / loginsEachSecond);
      }
    };
    await load(1);
    service.down = true;
    await load(outageSeconds);
    service.down = false;
    await load(1);
    const ended = await Promise.all(logins);
    expect(ended.filter(({ statuses }) => statuses.some((status) => status !== 200))).toEqual([]);
    expect(ended.filter(({ refusals }) => refusals > 0).length).toBeGreaterThan(loginsEachSecond / 2);
  },
  60_000 + outageSeconds * 3_000,
);
