import { Agent, request } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { findFreePort, startNginx } from '@carnet/test-servers';
import { expect, test } from 'vitest';
import { main, type Program, startProgram, temporaryFolder } from './start-program.ts';

interface Server extends Program {
  readonly adminUrl: string;
}

/** `carnet serve` on a port of its own. Those of one folder share the keys and the store. */
const serve = async (port: number, cwd: string): Promise<Server> => {
  const env = { PORT: String(port), ADMIN_PORT: '0', ALLOWED_HOSTS: '127.0.0.1:*', LOG_LEVEL: 'info' };
  const program = startProgram(main, ['serve', '--dev'], { ...env, DATABASE_URL: 'sqlite:carnet.db' }, cwd);
  return { ...program, adminUrl: JSON.parse(await program.line('"msg":"ready"')).adminUrl };
};

const registerClient = ({ adminUrl }: Server): Promise<Response> => {
  const client = { client_id: 'machine', client_secret: 'secret', grant_types: ['client_credentials'] };
  return fetch(`${adminUrl}/admin/clients`, { method: 'POST', body: JSON.stringify(client) });
};

type Send = () => Promise<number | string | undefined>;

const tokenRequest = {
  method: 'POST',
  auth: 'machine:secret',
  headers: { 'content-type': 'application/x-www-form-urlencoded' },
};

/** The status of the answer, or the code of the error. */
const sender = (port: number, agent: Agent): Send[] => {
  const send = (path: string, options: object, body?: string) => () =>
    new Promise<number | string | undefined>((resolve) => {
      const sent = request({ port, host: '127.0.0.1', path, agent, ...options }, (response) => {
        response.resume().once('end', () => resolve(response.statusCode));
      });
      sent.once('error', (error: NodeJS.ErrnoException) => resolve(error.code)).end(body);
    });
  return [
    send('/oauth2/token', tokenRequest, 'grant_type=client_credentials'),
    send('/.well-known/openid-configuration', {}),
  ];
};

/** Many clients at once, until stopped: how often each outcome came. */
const startLoad = (port: number, clients: number) => {
  const agent = new Agent({ keepAlive: true });
  const outcomes = new Map<unknown, number>();
  let isOver = false;
  const run = async (send: Send): Promise<void> => {
    while (!isOver) {
      const outcome = await send();
      outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1);
    }
  };
  const kinds = sender(port, agent);
  const running = Promise.all(Array.from({ length: clients }, (_, index) => run(kinds[index % 2] as Send)));
  return {
    stop: async (): Promise<ReadonlyMap<unknown, number>> => {
      isOver = true;
      await running;
      agent.destroy();
      return outcomes;
    },
  };
};

test('two processes behind nginx are restarted one after the other under load, and every request is answered 200', async () => {
  const folder = temporaryFolder();
  const ports = [await findFreePort(), await findFreePort()] as const;
  const servers = [await serve(ports[0], folder), await serve(ports[1], folder)];
  expect((await registerClient(servers[0] as Server)).status).toBe(201);
  const nginx = await startNginx(
    (listen) => `
    listen 127.0.0.1:${listen};
    location / {
      proxy_pass http://carnet;
      proxy_http_version 1.1;
      proxy_set_header Connection "";
      proxy_set_header Host 127.0.0.1:${ports[0]};
    }`,
    `upstream carnet {
    ${ports.map((port) => `server 127.0.0.1:${port} max_fails=0;`).join('\n    ')}
    keepalive 16;
  }`,
  );
  const load = startLoad(nginx.port, 20);
  await delay(500);
  for (const [index, port] of ports.entries()) {
    const server = servers[index] as Server;
    server.child.kill('SIGTERM');
    expect(await server.exited).toEqual([0, null]);
    servers[index] = await serve(port, folder);
    await delay(500);
  }
  const outcomes = await load.stop();
  await nginx.close();
  expect([...outcomes.keys()]).toEqual([200]);
}, 120_000);
