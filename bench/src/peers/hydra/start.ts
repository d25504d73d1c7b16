import { randomBytes } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { findFreePort, installed, runProgram } from '@carnet/test-servers';
import { startStore } from '../../targets/stores.ts';
import type { RunningTarget } from '../../targets/target.ts';
import type { PeerOptions } from '../peer.ts';
import { startPeerProcess } from '../peer-process.ts';

const version = 'v2.3.0';
const modulePath = 'github.com/ory/hydra/v2';

/** Hydra replaces this module in its own go.mod, but such a line applies only to a build in the same repository. */
const replaced = 'github.com/gobuffalo/pop/v6 => github.com/ory/pop/v6 v6.2.1-0.20241121111754-e5dfc0f3344b';

/** Builds Hydra from the source that the Go module proxy serves. */
const install = (): Promise<string> =>
  installed(`hydra-${version}`, async (cwd) => {
    writeFileSync(join(cwd, 'go.mod'), `module carnet.test/hydra\n\ngo 1.24\n\nreplace ${replaced}\n`);
    await runProgram('go', ['get', '-tool', `${modulePath}@${version}`], { cwd });
    await runProgram('go', ['build', '-o', 'hydra', modulePath], { cwd });
  });

/** Hydra signs ID tokens with the newest key of this set. Without this key, it would create one for RS256. */
const createSigningKey = async (adminUrl: string): Promise<void> => {
  const response = await fetch(`${adminUrl}/admin/keys/hydra.openid.id-token`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ alg: 'ES256', kid: 'bench', use: 'sig' }),
  });
  if (response.status !== 201) throw new Error(`no signing key was created: ${await response.text()}`);
};

/**
 * More than the users at once: a token request holds a connection with its transaction and waits for another one to read the signing
 * key, so that Hydra deadlocks when such requests hold all connections.
 */
const connections = 90;

/** Ory Hydra on Postgres. It has its defaults, except that it signs ID tokens with ES256. */
export const startHydra = async ({ workers }: PeerOptions): Promise<RunningTarget> => {
  const program = join(await install(), 'hydra');
  const store = await startStore('postgres');
  const [publicPort, adminPort] = [await findFreePort(), await findFreePort()];
  const [publicUrl, adminUrl] = [`http://127.0.0.1:${publicPort}`, `http://127.0.0.1:${adminPort}`];
  const env = {
    DSN: `${store.url}?sslmode=disable&max_conns=${connections}&max_idle_conns=${connections}`,
    GOMAXPROCS: String(workers),
    SECRETS_SYSTEM: randomBytes(24).toString('hex'),
    SERVE_PUBLIC_HOST: '127.0.0.1',
    SERVE_PUBLIC_PORT: String(publicPort),
    SERVE_ADMIN_HOST: '127.0.0.1',
    SERVE_ADMIN_PORT: String(adminPort),
    SQA_OPT_OUT: 'true',
    URLS_SELF_ISSUER: publicUrl,
    URLS_LOGIN: 'http://127.0.0.1:3000/login',
    URLS_CONSENT: 'http://127.0.0.1:3000/consent',
  };
  await runProgram(program, ['migrate', 'sql', 'up', '-e', '--yes'], { cwd: '/', env });
  const { processId, stop } = await startPeerProcess({
    name: 'hydra',
    command: program,
    args: ['serve', 'all', '--dev'],
    env,
    readyUrl: `${publicUrl}/health/ready`,
  });
  await createSigningKey(adminUrl);
  return {
    name: 'hydra',
    publicUrl,
    adminUrl,
    processIds: [processId],
    storeProcessIds: store.processIds,
    settings: { version, store: store.version, durability: store.durability, GOMAXPROCS: workers, connections },
    stop: async () => {
      await stop();
      await store.stop();
    },
  };
};
