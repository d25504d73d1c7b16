import { listen } from '@carnet/test-servers/listen';
import { expect, onTestFinished, test } from 'vitest';
import { exitCodes } from '../src/command.ts';
import { runCarnet } from './run-carnet.ts';

/** A server with these answers, and 404 elsewhere. Returns its port. */
const answering = async (answers: Readonly<Record<string, number>>): Promise<string> => {
  const { port, close } = await listen((request, response) => {
    response.writeHead(answers[request.url ?? ''] ?? 404).end('{"errors":{"storage":"down"}}');
  });
  onTestFinished(close);
  return String(port);
};

const health = async (args: readonly string[], env: Record<string, string>) => {
  const { exitCode, out, err } = await runCarnet(['health', ...args], env);
  return { exitCode, line: out + err };
};

/** A port that refuses: nothing listens below 1024 here. */
const closed = '1';

test('the admin listener is asked for its readiness, and its answer is the exit code', async () => {
  const port = await answering({ '/health/ready': 200 });
  expect(await health([], { ADMIN_PORT: port, PORT: closed })).toEqual({
    exitCode: exitCodes.ok,
    line: `healthy: http://127.0.0.1:${port}/health/ready`,
  });
});

test('a store outage is unhealthy with the reason, but alive', async () => {
  const env = { ADMIN_PORT: await answering({ '/health/ready': 503, '/health/alive': 200 }), PORT: closed };
  const { exitCode, line } = await health([], env);
  expect(exitCode).toBe(exitCodes.failed);
  expect(line).toContain('answers 503 {"errors":{"storage":"down"}}');
  expect((await health(['--alive'], env)).exitCode).toBe(exitCodes.ok);
});

test('the public listener is asked without an admin listener, and the pages without both', async () => {
  const open = await answering({ '/health/ready': 200 });
  expect((await health([], { ADMIN_PORT: closed, PORT: open })).line).toContain(`:${open}/health/ready`);
  const pages = await answering({ '/': 200 });
  const found = await health([], { ADMIN_PORT: closed, PORT: pages });
  expect(found).toEqual({ exitCode: exitCodes.ok, line: `healthy: http://127.0.0.1:${pages}/` });
});

test('an unhealthy admin listener is not covered up by a healthy public one', async () => {
  const env = {
    ADMIN_PORT: await answering({ '/health/ready': 503 }),
    PORT: await answering({ '/health/ready': 200 }),
  };
  expect((await health([], env)).exitCode).toBe(exitCodes.failed);
});

test('--url and --ui name the listener', async () => {
  const port = await answering({ '/health/ready': 200, '/': 503 });
  const env = { PORT: port };
  expect((await health(['--url', `http://127.0.0.1:${port}`], {})).exitCode).toBe(exitCodes.ok);
  expect((await health(['--ui'], env)).line).toContain(`unhealthy: http://127.0.0.1:${port}/ answers 503`);
});

test('a process without listeners reports unhealthy, and names the addresses', async () => {
  const { exitCode, line } = await health([], { ADMIN_PORT: closed, PORT: closed });
  expect(exitCode).toBe(exitCodes.failed);
  expect(line).toContain('unhealthy: no listener at http://127.0.0.1:1/health/ready');
});

test('--url must be an http URL', async () => {
  expect((await health(['--url', 'localhost'], {})).exitCode).toBe(exitCodes.usage);
});
