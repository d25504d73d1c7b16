import { openMemoryAdapter } from '@carnet/adapter-memory';
import { beforeTests } from '@carnet/test-servers/before-tests';
import { decodeJwt } from 'jose';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { postForm, refusal } from '../call.ts';
import { startCarnet } from '../carnet-target.ts';
import { basicOf, registerClient } from '../clients.ts';
import { codeFor, introspect, type Json, login, redemptionOf, refresh } from '../login.ts';
import { assertionForm, clientAssertion, dpopProof, otherProofKeys, proofThumbprint } from '../signed-requests.ts';

describe('a token that was stolen or taken back', () => {
  const target = beforeTests(() =>
    startCarnet({
      now: () => Date.now() + laterMs,
      adapter: openMemoryAdapter({ now: () => Date.now() }),
    }),
  );
  let laterMs = 0;

  afterEach(() => {
    laterMs = 0;
    vi.useRealTimers();
  });

  const userinfo = async (authorization: string, proof?: string): Promise<number> => {
    const headers = { authorization, ...(proof === undefined ? {} : { dpop: proof }) };
    return (await fetch(`${target.issuer}/userinfo`, { headers })).status;
  };
  const isActive = async (token: unknown) => (await introspect(target.instance, token)).active;

  describe.each(['opaque', 'jwt'])('bound to a key, %s', (access_token_strategy) => {
    const client = beforeTests(() =>
      registerClient(target.instance, `bound-${access_token_strategy}`, {
        access_token_strategy,
        token_endpoint_auth_method: 'none',
        dpop_bound_access_tokens: true,
      }),
    );

    const redeemWith = async (headers: Readonly<Record<string, string>>) => {
      const form = { client_id: client.id, ...redemptionOf(await codeFor(target.instance, client)) };
      return postForm(`${target.issuer}/oauth2/token`, form, headers);
    };
    const bound = async (): Promise<string> => {
      const { body } = await redeemWith({ dpop: await dpopProof(`${target.issuer}/oauth2/token`) });
      expect(body.token_type).toBe('DPoP');
      return String(body.access_token);
    };

    test('the token is refused as a bearer token', async () => {
      expect(await userinfo(`Bearer ${await bound()}`)).toBe(401);
    });

    test('the token is refused without a proof, and with the proof of another key', async () => {
      const token = await bound();
      const others = await dpopProof(`${target.issuer}/userinfo`, token, otherProofKeys);
      expect(await userinfo(`DPoP ${token}`, others)).toBe(401);
      expect(await userinfo(`DPoP ${token}`)).toBe(400);
      expect(await userinfo(`DPoP ${token}`, await dpopProof(`${target.issuer}/userinfo`, token))).toBe(200);
    });

    test('a used proof from the future is refused for as long as its time is accepted', async () => {
      const token = await bound();
      const startedAt = Math.floor(Date.now() / 1000) * 1000;
      vi.useFakeTimers({ toFake: ['Date'], now: startedAt });
      const ahead = startedAt / 1000 + 300;
      const proof = await dpopProof(`${target.issuer}/userinfo`, token, undefined, ahead);
      expect(await userinfo(`DPoP ${token}`, proof)).toBe(200);
      // In the last millisecond first: the record of a replay that was accepted would refuse the next one.
      for (const seconds of [600.999, 10, 310, 580]) {
        vi.useFakeTimers({ toFake: ['Date'], now: startedAt + seconds * 1000 });
        expect([seconds, await userinfo(`DPoP ${token}`, proof)]).toEqual([seconds, 401]);
      }
    });

    test('the token cannot pass for a bearer token at a resource server that asks or reads', async () => {
      const token = await bound();
      const cnf = { jkt: proofThumbprint };
      expect(await introspect(target.instance, token)).toMatchObject({ active: true, token_type: 'DPoP', cnf });
      if (access_token_strategy === 'jwt') expect(decodeJwt(token)).toMatchObject({ cnf });
    });

    test('a client that is registered for bound tokens gets none without a proof', async () => {
      const { status, body } = await redeemWith({});
      expect([status, 'access_token' in body]).toEqual([400, false]);
    });
  });

  describe('whose grant was revoked', () => {
    // Access tokens that outlive the refresh tokens, so that every refresh makes the grant last longer.
    const lifespans = {
      access_token_strategy: 'jwt',
      authorization_code_grant_access_token_lifespan: '1h',
      authorization_code_grant_refresh_token_lifespan: '1h',
      refresh_token_grant_access_token_lifespan: '2000h',
      refresh_token_grant_refresh_token_lifespan: '1h',
    };
    const client = beforeTests(() => registerClient(target.instance, 'long-lived', lifespans));
    let first: Json;

    const revoke = async (token: unknown): Promise<void> => {
      const form = { token: String(token) };
      expect((await postForm(`${target.issuer}/oauth2/revoke`, form, basicOf(client))).status).toBe(200);
    };
    const use = () => refresh(target.instance, client, first.refresh_token);
    const expectGone = async (...answers: readonly { readonly body: Json }[]) => {
      for (const { access_token, refresh_token } of [first, ...answers.map(({ body }) => body)]) {
        expect([await isActive(access_token), await isActive(refresh_token)]).toEqual([false, false]);
        expect(await userinfo(`Bearer ${access_token}`)).toBe(401);
      }
    };

    test('a concurrent second use of the refresh token cannot restore the token', async () => {
      first = await login(target.instance, client);
      const winner = await use();
      laterMs = 3_000;
      const held = target.faults.holdNext('claim replay');
      const late = use();
      await held.reached;
      await revoke(winner.body.refresh_token);
      held.release();
      expect(await late).toMatchObject(refusal('invalid_grant'));
      await expectGone(winner);
    });

    test('the loser of two concurrent refreshes cannot restore the token', async () => {
      first = await login(target.instance, client);
      const holds = [];
      const uses = [];
      for (let i = 0; i < 2; i++) {
        const held = target.faults.holdNext('consume refresh_token');
        uses.push(use());
        await held.reached;
        holds.push(held);
      }
      holds[0]?.release();
      const winner = await (uses[0] as ReturnType<typeof use>);
      laterMs = 3_000;
      const second = target.faults.holdNext('claim replay');
      holds[1]?.release();
      await second.reached;
      await revoke(winner.body.refresh_token);
      second.release();
      expect(await uses[1]).toMatchObject(refusal('invalid_grant'));
      await expectGone(winner);
    });

    test('a used refresh token whose successor was used is reuse, and leads to no token', async () => {
      first = await login(target.instance, client);
      const second = await use();
      const third = await refresh(target.instance, client, second.body.refresh_token);
      expect(await use()).toMatchObject(refusal('invalid_grant'));
      await expectGone(second, third);
    });
  });

  describe('a client assertion', () => {
    const inSeconds = (seconds: number): number => Math.floor(Date.now() / 1000) + seconds;
    const ask = async (expires: number) =>
      postForm(`${target.issuer}/oauth2/token`, assertionForm(await clientAssertion(target.issuer, expires)));

    test.each([inSeconds(86_400 + 60), 9e12, 1e300])(
      'an assertion that lives longer than a day is refused as an error of the client: %d',
      async (expires) => {
        expect(await ask(expires)).toMatchObject(refusal('invalid_client', 401));
      },
    );

    test('can be made for a day', async () => {
      expect((await ask(inSeconds(86_400 - 60))).status).toBe(200);
    });
  });
});
