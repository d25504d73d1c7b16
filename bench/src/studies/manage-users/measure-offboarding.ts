import { setTimeout as pause } from 'node:timers/promises';
import { runAtRate } from '../../load/fixed-rate.ts';
import type { Endpoints } from '../../targets/target.ts';
import { openHttpPool } from '../../users/http-pool.ts';
import { openLogins } from '../../users/logins.ts';
import type { Client } from '../../users/register-client.ts';

const tokensPerUser = 5;

const introspectionOf = (token: string) => ({
  method: 'POST' as const,
  path: '/admin/oauth2/introspect',
  headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
  body: `token=${token}`,
});

const openPools = ({ adminUrl, publicUrl }: Endpoints) => ({
  admin: openHttpPool(adminUrl, 8),
  open: openHttpPool(publicUrl, 8),
});

type Pools = ReturnType<typeof openPools>;

const isAcceptedAtUserinfo = async ({ open }: Pools, token: string): Promise<boolean> => {
  const headers = { Authorization: `Bearer ${token}` };
  return (await open.send({ method: 'GET', path: '/userinfo', headers }, 200, 401)).status === 200;
};

const isActive = async ({ admin }: Pools, token: string): Promise<boolean> =>
  JSON.parse((await admin.send(introspectionOf(token), 200)).body).active === true;

/** Milliseconds from the call that disables a user to the start of the last request that an access token was accepted for. */
const offboard = async (first: Endpoints, client: Client, id: string, processes: readonly Pools[]) => {
  const subject = `people.${id}`;
  const logins = openLogins(first, client, tokensPerUser, { login: { subject } });
  const tokens = await Promise.all(Array.from({ length: tokensPerUser }, () => logins.run()));
  logins.close();
  let [disabledAt, answeredAt, lastAccepted, sent] = [Number.POSITIVE_INFINITY, 0, 0, 0];
  const use = async (): Promise<void> => {
    const index = sent++;
    const token = tokens[index % tokens.length]?.access_token ?? '';
    const pools = processes[(index >> 1) % processes.length] as Pools;
    const at = performance.now();
    const isAccepted = await (index % 2 === 0 ? isAcceptedAtUserinfo : isActive)(pools, token);
    if (isAccepted) lastAccepted = Math.max(lastAccepted, at);
  };
  const isOver = (): boolean => answeredAt > 0 && performance.now() - answeredAt > 2_000;
  const using = runAtRate(use, { perSecond: 50, isOver });
  await pause(1_000);
  disabledAt = performance.now();
  await processes[0]?.admin.send({ method: 'POST', path: `/admin/users/${subject}/disable` }, 200);
  answeredAt = performance.now();
  await using;
  return { callMs: answeredAt - disabledAt, acceptedMs: Math.max(0, lastAccepted - disabledAt) };
};

/** Disables users at the first process, one after the other, while their tokens are used at all processes. */
export const measureOffboarding = async (
  targets: readonly [Endpoints, ...Endpoints[]],
  client: Client,
  amount: number,
) => {
  const processes = targets.map(openPools);
  try {
    const results: Awaited<ReturnType<typeof offboard>>[] = [];
    for (let index = 0; index < amount; index += 1)
      results.push(await offboard(targets[0], client, `u${index * 7}`, processes));
    return results;
  } finally {
    for (const { admin, open } of processes) {
      admin.close();
      open.close();
    }
  }
};
