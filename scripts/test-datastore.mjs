// `npm run test:datastore`: the laws of the storage port on Google's own emulator of Datastore, which this starts and ends.
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { createProcesses, isListening } from './processes.mjs';
import { main, setup } from './setup.mjs';
import { childEnv, root, run, say } from './workspace.mjs';

const tests = ['packages/adapter-datastore/test/contract.slow.test.ts'];
const startWithinMs = 60_000;

const findFreePort = () =>
  new Promise((resolve, reject) => {
    const server = createServer().once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address();
      server.close(() => resolve(port));
    });
  });

/**
 * Starts the emulator by the Google Cloud CLI. Without that, nothing is tested, and the command fails. `folder` is the CLI's
 * configuration: an empty one, so that it finds no account of the user.
 */
const startEmulator = async (folder) => {
  const port = await findFreePort();
  let death;
  const processes = createProcesses({ onDeath: (name, how) => (death = `${name}: ${how}`) });
  const host = `127.0.0.1:${port}`;
  const args = ['emulators', 'firestore', 'start', '--database-mode=datastore-mode', `--host-port=${host}`];
  const env = {
    ...process.env,
    CLOUDSDK_CONFIG: folder,
    CLOUDSDK_CORE_DISABLE_PROMPTS: '1',
    CLOUDSDK_CORE_DISABLE_USAGE_REPORTING: '1',
    CLOUDSDK_COMPONENT_MANAGER_DISABLE_UPDATE_CHECK: '1',
  };
  processes.start('emulator', 'gcloud', args, { cwd: root, env });
  const deadline = Date.now() + startWithinMs;
  while (death === undefined && Date.now() < deadline) {
    if (await isListening(port)) return { host, stop: () => processes.stop(10_000) };
    await pause(100);
  }
  await processes.stop(1_000);
  throw new Error(
    `the emulator did not start (${death ?? `no answer within ${startWithinMs} ms`}). It needs Java 21, the Google Cloud CLI, and \`gcloud components install cloud-firestore-emulator\``,
  );
};

await main(async () => {
  process.chdir(root);
  await setup({ build: false });
  const folder = mkdtempSync(join(tmpdir(), 'carnet-gcloud-'));
  const { host, stop } = await startEmulator(folder);
  try {
    say(`test: Google's emulator listens on ${host}`);
    const env = childEnv({ DATASTORE_EMULATOR_HOST: host, METADATA_SERVER_DETECTION: 'none' });
    return await run('vitest', ['run', ...tests, ...process.argv.slice(2)], { env });
  } finally {
    await stop();
    rmSync(folder, { recursive: true, force: true });
  }
});
