import { writeFileSync } from 'node:fs';
import { request as send } from 'node:http';
import { join } from 'node:path';
import { listen } from '@carnet/test-servers/listen';
import { main, startProgram, temporaryFolder } from '../../cli/test/start-program.ts';
import { devicePages } from './device.ts';
import { consentPage, loginPage } from './harness.ts';
import { logoutPage } from './sign-out.ts';

const clock = new URL('../../../test/browser/clock.mjs', import.meta.url).href;

/** A server on 127.0.0.1 that forwards each request to the port that `target` names at that moment. */
const startForwarder = (target: () => number) =>
  listen((request, response) => {
    const { method, url, headers } = request;
    const forwarded = send({ host: '127.0.0.1', port: target(), method, path: url, headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(response);
    });
    forwarded.once('error', () => response.writeHead(502).end());
    request.pipe(forwarded);
  });

/** Two processes of one issuer on one store. */
export interface TwoClocks {
  readonly issuer: string;
  readonly admin: string;
  /** The process that answers from now on: the first, whose clock is right, or the second. */
  use(node: 'first' | 'second'): void;
  close(): Promise<void>;
}

/** Starts two processes; the clock of the second is ahead by so many seconds. They end with the test. */
export const startTwoClocks = async (secondsAhead: number): Promise<TwoClocks> => {
  const folder = temporaryFolder();
  let used = { public: 0, admin: 0 };
  const [publicly, admin] = [await startForwarder(() => used.public), await startForwarder(() => used.admin)];

  const startNode = async (name: string, ahead: number): Promise<typeof used> => {
    const clockFile = join(folder, `clock-${name}`);
    writeFileSync(clockFile, String(ahead * 1000));
    const { line } = startProgram(main, ['serve', '--dev', '--workers', '1'], {
      NODE_OPTIONS: `--import=${clock}`,
      CLOCK_AHEAD_FILE: clockFile,
      ISSUER: publicly.origin,
      PORT: '0',
      ADMIN_PORT: '0',
      ADMIN_ALLOWED_HOSTS: '127.0.0.1:*',
      DATABASE_URL: `sqlite:${join(folder, 'carnet.db')}`,
      SECRETS_SYSTEM: 'a secret that both processes know',
      KEYS_SOURCE: 'store',
      URLS_LOGIN: loginPage,
      URLS_CONSENT: consentPage,
      URLS_LOGOUT: logoutPage,
      URLS_DEVICE_VERIFICATION: devicePages.verification,
      URLS_DEVICE_SUCCESS: devicePages.success,
      OUTBOUND_ALLOW: '127.0.0.1',
      LOG_LEVEL: 'info',
    });
    const { publicUrl, adminUrl } = JSON.parse(await line('"msg":"ready"'));
    return { public: Number(new URL(publicUrl).port), admin: Number(new URL(adminUrl).port) };
  };
  const nodes = { first: await startNode('first', 0), second: await startNode('second', secondsAhead) };
  used = nodes.first;
  return {
    issuer: publicly.origin,
    admin: admin.origin,
    use: (node) => {
      used = nodes[node];
    },
    close: async () => void (await Promise.all([publicly.close(), admin.close()])),
  };
};
