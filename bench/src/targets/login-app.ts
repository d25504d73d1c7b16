import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { UsageError } from '../usage-error.ts';
import type { Endpoints } from './target.ts';

const folder = fileURLToPath(new URL('../../../packages/consent-ui/', import.meta.url));

export interface LoginApp {
  readonly url: string;
  readonly processId: number;
  stop(): Promise<void>;
}

const isReady = (url: string): Promise<boolean> =>
  fetch(url).then(
    (response) => response.ok,
    () => false,
  );

/** Starts the bundled sign-in pages on a port. @throws UsageError if they have not been built */
export const startLoginApp = async (port: number, { publicUrl, adminUrl }: Endpoints): Promise<LoginApp> => {
  if (!existsSync(`${folder}.next/BUILD_ID`))
    throw new UsageError('the sign-in pages have not been built: npm run setup');
  const url = `http://127.0.0.1:${port}`;
  const next = fileURLToPath(new URL('node_modules/next/dist/bin/next', `file://${folder}`));
  const child = spawn(process.execPath, [next, 'start', '-H', '127.0.0.1', '-p', String(port)], {
    cwd: folder,
    env: {
      NODE_ENV: 'production',
      NEXT_TELEMETRY_DISABLED: '1',
      CARNET_ISSUER: publicUrl,
      CARNET_ADMIN_URL: adminUrl,
      CARNET_UI_URL: url,
      // Each request of the bench has an address of its own, as those of an attacker with many have.
      TRUSTED_PROXY_HOPS: '1',
    },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  for (let tries = 0; !(await isReady(`${url}/`)); tries++) {
    if (tries > 200 || child.exitCode !== null) throw new Error('the sign-in pages did not start');
    await pause(100);
  }
  return {
    url,
    processId: child.pid as number,
    async stop() {
      const ended = once(child, 'exit');
      child.kill('SIGTERM');
      await ended;
    },
  };
};
