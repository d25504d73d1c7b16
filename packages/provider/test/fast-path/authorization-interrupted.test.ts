import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { registerClient } from '../clients.ts';
import type { Faults } from '../faults.ts';
import { faultyAdapter } from '../faulty-adapter.ts';
import type { Instance } from '../harness.ts';
import type { Json } from '../login.ts';
import { beginFlow, decide } from './authorization-journeys.ts';
import { createFlowMask } from './flow-mask.ts';
import { type Pair, startPair } from './pair.ts';
import type { RawHttp } from './raw-http.ts';

describe('a visit of the authorization endpoint that something comes in between of', () => {
  let pair: Pair;
  const faults: Faults[] = [];
  const mask = createFlowMask(() => pair.issuer);

  beforeAll(async () => {
    const openAdapter = () => {
      const store = faultyAdapter();
      faults.push(store.faults);
      return store.adapter;
    };
    pair = await startPair({ mask, openAdapter });
  });
  afterAll(() => pair.stop());

  const accept = (instance: Instance, what: 'login' | 'consent', challenge: string, body: Json) =>
    decide(instance, what, challenge, { verb: 'accept', body });

  /** Up to where the browser comes back from the login page, or from the consent page. */
  const onTheWay = async (id: string, login: Json): Promise<Readonly<Record<'login' | 'consent', RawHttp>>> => {
    await pair.arrange((instance) => registerClient(instance, id));
    const flow = await pair.arrange((instance) => beginFlow(instance, id, {}));
    mask.known.add(flow.id);
    const headers = [['Cookie', flow.cookies.join('; ')]] as const;
    const back = await pair.arrange((instance) => accept(instance, 'login', flow.challenge, login));
    const visit = { target: `/oauth2/auth?${back}`, headers };
    const { library } = await pair.bothAnswer(visit);
    const challenge = new URL(library.headers.location ?? '').searchParams.get('consent_challenge') ?? '';
    const end = await pair.arrange((instance) => accept(instance, 'consent', challenge, { grant_scope: ['openid'] }));
    return { login: visit, consent: { target: `/oauth2/auth?${end}`, headers } };
  };

  const check = async (request: RawHttp, status: number): Promise<boolean> => {
    const { fast, difference, isFast } = await pair.bothAnswer(request);
    expect(difference).toBeUndefined();
    expect(fast.status).toBe(status);
    return isFast;
  };

  test('a visit of the authorization endpoint reports a store that fails, and succeeds when it is repeated', async () => {
    const { consent } = await onTheWay('failing', { subject: 'alice', remember: true });
    for (const each of faults) each.failNext('commit');
    expect(await check(consent, 503)).toBe(true);
    expect(await check(consent, 303)).toBe(true);
    // What it remembers is remembered once.
    expect(await check(consent, 400)).toBe(true);
  });

  test('ends with a page when the client has lost the redirect URI, or is gone', async () => {
    const { login, consent } = await onTheWay('changing', { subject: 'alice' });
    for (const instance of Object.values(pair.sides)) {
      const url = `${instance.admin}/admin/clients/changing`;
      const client = (await (await fetch(url)).json()) as Json;
      const changed = JSON.stringify({ ...client, redirect_uris: ['https://app.test/elsewhere'] });
      expect((await fetch(url, { method: 'PUT', body: changed })).status).toBe(200);
    }
    for (const request of [login, consent]) expect(await check(request, 400)).toBe(true);
    for (const instance of Object.values(pair.sides)) {
      await fetch(`${instance.admin}/admin/clients/changing`, { method: 'DELETE' });
    }
    for (const request of [login, consent]) expect(await check(request, 400)).toBe(true);
  });

  test('brings no code to a client that was registered anew under the same id', async () => {
    const { consent } = await onTheWay('successor', { subject: 'alice' });
    pair.passTime(10);
    for (const instance of Object.values(pair.sides)) {
      const url = `${instance.admin}/admin/clients/successor`;
      const {
        client_secret_expires_at: _never,
        created_at: _then,
        updated_at: _later,
        ...client
      } = (await (await fetch(url)).json()) as Json;
      await fetch(url, { method: 'DELETE' });
      const body = JSON.stringify({ ...client, client_secret: 'a secret of its own' });
      expect((await fetch(`${instance.admin}/admin/clients`, { method: 'POST', body })).status).toBe(201);
    }
    const { fast, difference, isFast } = await pair.bothAnswer(consent);
    expect(difference).toBeUndefined();
    expect([isFast, new URL(fast.headers.location ?? '').searchParams.get('error')]).toEqual([true, 'access_denied']);
  });
});
