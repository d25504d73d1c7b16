import { openMemoryAdapter } from '@carnet/adapter-memory';
import { beforeEach, describe, expect, test } from 'vitest';
import { clockSkewSeconds } from '../../src/clock.ts';
import { replayMarginSeconds } from '../../src/flow/redemptions.ts';
import { tokenKeys } from '../../src/tokens/token-value.ts';
import { registerBeforeTests, startBeforeTests, startInTest } from '../before-tests.ts';
import { postForm, refusal } from '../call.ts';
import { basicOf, registerClient, type TestClient } from '../clients.ts';
import { type Instance, testSecret } from '../harness.ts';
import { codeFor, login, redemptionOf, refresh } from '../login.ts';
import { dpopProof } from '../signed-requests.ts';

const graceSeconds = 10;
const day = 86_400_000;
/** Milliseconds until the record of a rotated token has expired. */
const untilGone = (graceSeconds + clockSkewSeconds + replayMarginSeconds + 1) * 1000;

let laterMs = 0;
const now = () => Date.now() + laterMs;
const adapter = openMemoryAdapter({ now });
const config = { tokens: { refreshGraceSeconds: graceSeconds } };

beforeEach(() => {
  laterMs = 0;
});

const recordOf = async (value: unknown) => {
  const key = tokenKeys(String(value))?.token;
  return key && (await adapter.read([key]))[0];
};
const hasGrant = async (value: unknown): Promise<boolean> => {
  const grant = tokenKeys(String(value))?.grant;
  return grant !== undefined && (await adapter.read([grant]))[0] !== undefined;
};

/** A login and so many rotations, each this many milliseconds after the one before: the refresh tokens, oldest first. */
const rotate = async (instance: Instance, client: TestClient, times: number, everyMs = 0): Promise<string[]> => {
  const tokens = [String((await login(instance, client)).refresh_token)];
  for (let index = 0; index < times; index++) {
    laterMs += everyMs;
    const { status, body } = await refresh(instance, client, tokens.at(-1));
    expect(status).toBe(200);
    tokens.push(String(body.refresh_token));
  }
  return tokens;
};

describe('the record of a rotated refresh token', () => {
  const instance = startBeforeTests({ adapter, now, config });
  const client = registerBeforeTests(instance, 'app');

  const expectReuse = async (value: unknown, current: unknown) => {
    expect(await refresh(instance, client, value)).toMatchObject(refusal('invalid_grant'));
    expect(await hasGrant(value)).toBe(false);
    expect(await refresh(instance, client, current)).toMatchObject(refusal('invalid_grant'));
  };

  test('expires a day after the grace period, and the current token keeps its own', async () => {
    const [first, second] = await rotate(instance, client, 1);
    const [rotated, current] = [await recordOf(first), await recordOf(second)];
    const secondsLeft = Math.round(((rotated?.expiresAt?.getTime() ?? 0) - now()) / 1000);
    expect(Math.abs(secondsLeft - untilGone / 1000)).toBeLessThan(5);
    expect((current?.expiresAt?.getTime() ?? 0) - now()).toBeGreaterThan(29 * day);
    laterMs = untilGone;
    expect(await recordOf(first)).toBeUndefined();
    expect((await refresh(instance, client, second)).status).toBe(200);
  });

  test('expires with the token if that is sooner', async () => {
    const short = await registerClient(instance, 'short', { refresh_token_grant_refresh_token_lifespan: '1h' });
    const [, second] = await rotate(instance, short, 2);
    const { exp } = JSON.parse((await recordOf(second))?.payload ?? '{}');
    expect((await recordOf(second))?.expiresAt?.getTime()).toBe(exp * 1000);
  });

  test('may be gone: the token that is used again still revokes everything', { tags: ['D2'] }, async () => {
    const [first, second] = await rotate(instance, client, 1);
    laterMs = untilGone;
    expect(await recordOf(first)).toBeUndefined();
    await expectReuse(first, second);
  });

  test('the newest rotated token is reuse, with its record and without', async () => {
    const withRecord = await rotate(instance, client, 3);
    laterMs = (graceSeconds + clockSkewSeconds + 1) * 1000;
    await expectReuse(withRecord.at(-2), withRecord.at(-1));
    const without = await rotate(instance, client, 3);
    laterMs += untilGone;
    await expectReuse(without.at(-2), without.at(-1));
  });

  test.each([0, 1, 14, 15, 16, 31, 32, 39])('token %i of 40 is reuse weeks later', async (index) => {
    const tokens = await rotate(instance, client, 40, 12 * 3_600_000);
    const left = await Promise.all(tokens.map(recordOf));
    // Two of 38 were kept as the 16th and 32nd; two were rotated within a day.
    expect(left.filter((record) => record !== undefined).length).toBeLessThanOrEqual(6);
    laterMs += 60_000;
    await expectReuse(tokens[index], tokens.at(-1));
  });

  test('a repeated use in the grace period gets the same successor as before', { tags: ['D2'] }, async () => {
    const [first, second] = await rotate(instance, client, 1, untilGone);
    laterMs += 5_000;
    const repeated = await refresh(instance, client, first);
    expect([repeated.status, repeated.body.refresh_token]).toEqual([200, second]);
    expect((await refresh(instance, client, second)).status).toBe(200);
  });

  test('of 20 parallel uses one rotates, at most one more is answered alike', { tags: ['D2'] }, async () => {
    const [first] = await rotate(instance, client, 0);
    const answers = await Promise.all(Array.from({ length: 20 }, () => refresh(instance, client, first)));
    const right = answers.filter(({ status }) => status === 200);
    expect(right.length).toBeLessThanOrEqual(2);
    expect(new Set(right.map(({ body }) => body.refresh_token)).size).toBeLessThanOrEqual(1);
    expect(await hasGrant(first)).toBe(false);
  });

  test('a refresh still costs one read and one commit', async () => {
    const [first] = await rotate(instance, client, 0);
    instance.calls.reset();
    await refresh(instance, client, first);
    expect([instance.calls.reads.length, instance.calls.commits.length]).toEqual([1, 1]);
  });
});

describe('a value that was never a refresh token of the grant', () => {
  const instance = startBeforeTests({ adapter, now, config });
  const client = registerBeforeTests(instance, 'owner');
  const other = registerBeforeTests(instance, 'other');

  const expectHarmless = async (sender: TestClient, value: string, current: unknown) => {
    expect(await refresh(instance, sender, value)).toMatchObject(refusal('invalid_grant'));
    expect((await refresh(instance, client, current)).status).toBe(200);
  };
  const withGrantOf = (token: string, secret: string) => `${token.split('.')[0]}.${secret}`;

  test('a guessed secret with the id of a grant revokes nothing', async () => {
    const tokens = await rotate(instance, client, 2, untilGone);
    await expectHarmless(client, withGrantOf(tokens[2] ?? '', 'A'.repeat(43)), tokens[2]);
  });

  test('the secret of a rotated token of another grant revokes neither', async () => {
    const mine = await rotate(instance, client, 2, untilGone);
    const others = await rotate(instance, client, 2, untilGone);
    const forged = withGrantOf(mine[2] ?? '', others[0]?.split('.')[1] ?? '');
    await expectHarmless(client, forged, mine[2]);
    expect(await hasGrant(others[2])).toBe(true);
  });

  test('a rotated token that another client sends revokes nothing', async () => {
    const tokens = await rotate(instance, client, 2, untilGone);
    await expectHarmless(other, tokens[0] ?? '', tokens[2]);
  });

  test('a successor that the current token has not issued yet revokes nothing', async () => {
    const tokens = await rotate(instance, client, 2, untilGone);
    const key = tokenKeys(tokens[2] ?? '')?.token;
    const lost = await recordOf(tokens[2]);
    // As after the restore of an older state: the record of the newest token is lost.
    if (key) await adapter.commit([{ type: 'remove', key }]);
    expect(await refresh(instance, client, tokens[2])).toMatchObject(refusal('invalid_grant'));
    expect(await hasGrant(tokens[2])).toBe(true);
    if (lost) await adapter.commit([{ type: 'put', record: lost }]);
    expect((await refresh(instance, client, tokens[2])).status).toBe(200);
  });

  test('a value whose grant does not exist, and an access token, cost no further read', async () => {
    const { access_token } = await login(instance, client);
    instance.calls.reset();
    const unknown = `carnet_rt_${'B'.repeat(22)}.${'A'.repeat(43)}`;
    for (const value of [unknown, access_token])
      expect(await refresh(instance, client, value)).toMatchObject(refusal('invalid_grant'));
    expect(instance.calls.reads.length).toBe(1);
  });

  test('a guessed secret costs one further read of at most 15 records for each system secret', async () => {
    const [token = ''] = await rotate(instance, client, 0);
    instance.calls.reset();
    await refresh(instance, client, withGrantOf(token, 'A'.repeat(43)));
    expect(instance.calls.reads.map((keys) => keys.length)).toEqual([2, 15]);
    expect(instance.calls.commits).toEqual([]);
  });
});

describe('rotated refresh tokens and the rest', () => {
  const instance = startBeforeTests({ adapter, now, config });
  const client = registerBeforeTests(instance, 'rest');
  const revoke = async (by: TestClient, value: unknown) =>
    (await postForm(`${instance.issuer}/oauth2/revoke`, { token: String(value) }, basicOf(by))).status;

  test('one whose record is gone can be revoked with its grant, by its client and by an admin', async () => {
    const other = await registerClient(instance, 'another-client');
    const tokens = await rotate(instance, client, 2, untilGone);
    expect(await revoke(other, tokens[0])).toBe(400);
    expect(await hasGrant(tokens[0])).toBe(true);
    expect(await revoke(client, tokens[0])).toBe(200);
    expect(await hasGrant(tokens[0])).toBe(false);
    const more = await rotate(instance, client, 2, untilGone);
    await instance.carnet.tokens.revoke(more[0] ?? '');
    expect(await hasGrant(more[0])).toBe(false);
  });

  test('an unknown value revokes nothing', async () => {
    const [token = ''] = await rotate(instance, client, 0);
    expect(await revoke(client, `${token.split('.')[0]}.${'A'.repeat(43)}`)).toBe(200);
    expect(await hasGrant(token)).toBe(true);
  });

  test('a current token that has expired revokes nothing, and neither does one of a grant that has', async () => {
    const [first] = await rotate(instance, client, 0);
    const grant = tokenKeys(first ?? '')?.grant;
    // The grant outlives its refresh token, as with a client whose access tokens live longer.
    if (grant)
      await adapter.commit([{ type: 'merge', key: grant, members: [], expiresAt: new Date(now() + 60 * day) }]);
    laterMs = 31 * day;
    expect(await refresh(instance, client, first)).toMatchObject(refusal('invalid_grant'));
    expect(await hasGrant(first)).toBe(true);
    laterMs = 61 * day;
    instance.calls.reset();
    expect(await refresh(instance, client, first)).toMatchObject(refusal('invalid_grant'));
    expect(instance.calls.commits).toEqual([]);
  });

  test('a rotated token of a revoked grant is refused, and writes nothing', async () => {
    const tokens = await rotate(instance, client, 2, untilGone);
    expect(await revoke(client, tokens[2])).toBe(200);
    instance.calls.reset();
    expect(await refresh(instance, client, tokens[0])).toMatchObject(refusal('invalid_grant'));
    expect(instance.calls.commits).toEqual([]);
  });

  test('one that is bound to a key revokes nothing without that key', async () => {
    const bound = await registerClient(instance, 'bound', { token_endpoint_auth_method: 'none' });
    const url = `${instance.issuer}/oauth2/token`;
    const send = async (params: Readonly<Record<string, string>>) =>
      postForm(
        url,
        { client_id: bound.id, ...params },
        { dpop: await dpopProof(url, undefined, undefined, Math.floor(now() / 1000)) },
      );
    const code = await codeFor(instance, bound);
    const first = (await send(redemptionOf(code))).body.refresh_token;
    const second = await send({ grant_type: 'refresh_token', refresh_token: String(first) });
    expect(second.status).toBe(200);
    laterMs = untilGone;
    expect(await refresh(instance, bound, first)).toMatchObject(refusal('invalid_grant'));
    expect(await hasGrant(first)).toBe(true);
    expect((await send({ grant_type: 'refresh_token', refresh_token: String(first) })).status).toBe(400);
    expect(await hasGrant(first)).toBe(false);
  });
});

describe('rotated refresh tokens after a change', () => {
  const restart = async (before: Instance, secrets: readonly string[]): Promise<Instance> => {
    await before.stop();
    const port = Number(new URL(before.issuer).port);
    const instance = await startInTest({
      adapter,
      now,
      port,
      config: { ...config, secrets: { system: [...secrets] } },
    });
    // The first request may still try a connection to the one before.
    await fetch(`${instance.issuer}/health/alive`).catch(() => undefined);
    return instance;
  };

  test('of the system secret: each token is recognised as long as its secret is configured', async () => {
    const next = 'another system secret of the tests, long enough';
    let instance = await startInTest({ adapter, now, config });
    const client = await registerClient(instance, 'secrets');
    const old = await rotate(instance, client, 3, untilGone);
    instance = await restart(instance, [next, testSecret]);
    const tokens = [...old];
    for (let index = 0; index < 4; index++) {
      laterMs += untilGone;
      tokens.push(String((await refresh(instance, client, tokens.at(-1))).body.refresh_token));
    }
    laterMs += untilGone;
    // The last token whose successor was derived with the former secret is kept: every token before it leads there.
    const left = await Promise.all(tokens.map(async (token) => (await recordOf(token)) !== undefined));
    expect(left).toEqual([false, false, false, true, false, false, false, true]);
    expect(await refresh(instance, client, tokens[0])).toMatchObject(refusal('invalid_grant'));
    expect(await hasGrant(tokens[0])).toBe(false);
  });

  test('of the version: a record that an earlier version wrote leads on, and is recognised', async () => {
    const instance = await startInTest({ adapter, now, config });
    const client = await registerClient(instance, 'earlier');
    const tokens = await rotate(instance, client, 1, untilGone);
    const record = await recordOf(tokens[1]);
    const { successorSecret, rotations, ...earlier } = JSON.parse(record?.payload ?? '{}');
    expect([typeof successorSecret, rotations]).toEqual(['string', 1]);
    // Before secrets had names and rotations were counted, the payload had neither.
    if (record) await adapter.commit([{ type: 'put', record: { ...record, payload: JSON.stringify(earlier) } }]);
    const { body } = await refresh(instance, client, tokens[1]);
    laterMs += untilGone;
    expect(await recordOf(tokens[1])).toBeDefined();
    expect(await refresh(instance, client, tokens[0])).toMatchObject(refusal('invalid_grant'));
    expect(await refresh(instance, client, body.refresh_token)).toMatchObject(refusal('invalid_grant'));
    expect(await hasGrant(tokens[0])).toBe(false);
  });
});
