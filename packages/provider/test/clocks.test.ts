import { openMemoryAdapter } from '@carnet/adapter-memory';
import { expect, test } from 'vitest';
import { registerClient } from './clients.ts';
import { type Instance, start } from './harness.ts';
import { authorize, redeem } from './login.ts';

const hours = 3_600_000;

/** Two processes on one store and one issuer, whose clocks are so far apart; one after the other, as they share a port. */
const replayAfter = async (clockErrorMs: number) => {
  const adapter = openMemoryAdapter();
  let instance: Instance = await start({ adapter });
  const port = Number(new URL(instance.issuer).port);
  const restart = async (now?: () => number) => {
    await instance.stop();
    instance = await start({ adapter, port, now });
    // The first request may still try a connection to the one before.
    await fetch(`${instance.issuer}/health/alive`).catch(() => undefined);
  };
  const client = await registerClient(instance, 'confidential');
  const code = (await authorize(instance, client)).searchParams.get('code') ?? '';
  await restart(() => Date.now() + clockErrorMs);
  const redeemed = await redeem(instance, client, code);
  await restart();
  const replayed = await redeem(instance, client, code);
  await instance.stop();
  return { redeemed, replayed };
};

test('B: a code that was redeemed by a process whose clock is hours behind is used for all the others', async () => {
  const { redeemed, replayed } = await replayAfter(-4 * hours);
  expect(redeemed.status).toBe(200);
  expect([replayed.status, replayed.body.error]).toEqual([400, 'invalid_grant']);
});
