import { expect, it } from 'vitest';
import type { RunningTarget } from '../targets/target.ts';
import { peers } from './index.ts';

const logIn = async (target: RunningTarget, login: (typeof peers)[number]['logins'][number]): Promise<number> => {
  const work = await login.prepare(target);
  if (work.kind !== 'journeys') throw new Error('a login is a journey');
  return (await Promise.all([work.run(), work.run(), work.run()])).length;
};

/** They are downloaded, and Keycloak keeps both cores busy for a minute: `CARNET_TEST_PEERS=all` tests them as well. */
const downloaded: ReadonlySet<string> = new Set(['hydra', 'keycloak', 'better-auth']);

it.for(process.env.CARNET_TEST_PEERS === 'all' ? peers : peers.filter(({ name }) => !downloaded.has(name)))(
  'The scripts of $name install it, start it, and log users in',
  { timeout: 900_000 },
  async (peer) => {
    const target = await peer.start({ workers: 2 });
    try {
      for (const login of peer.logins) expect(await logIn(target, login), login.name).toBe(3);
    } finally {
      await target.stop();
    }
  },
);
