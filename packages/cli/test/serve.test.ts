import { listen } from '@carnet/test-servers/listen';
import { describe, expect, it, onTestFinished } from 'vitest';
import { main, startProgram } from './start-program.ts';

// The issuer keeps its own port, so requests to the real one name a host besides it.
const anyPorts = { PORT: '0', ADMIN_PORT: '0', ALLOWED_HOSTS: '127.0.0.1:*' };

const serve = (env: Record<string, string>, ...args: string[]) => startProgram(main, ['serve', ...args], env);

/** The names of the listeners that are open, by the line that reports them. */
const listenersIn = (urls: object): string[] =>
  Object.keys(urls)
    .filter((name) => name.endsWith('Url'))
    .toSorted();

describe('carnet serve --dev', () => {
  it('needs nothing but itself, says what it made up, serves on both listeners, and ends at SIGTERM', async () => {
    const { child, lines, line, exited } = serve(
      { ...anyPorts, ADMIN_TOKEN: 'hidden-hidden-hidden' },
      '--dev',
      '--workers',
      '1',
    );
    const urls = JSON.parse(await line('"msg":"ready"'));
    const { publicUrl, adminUrl } = urls;
    expect(listenersIn(urls)).toEqual(['adminUrl', 'publicUrl']);
    expect(lines.join('\n')).toMatch(/generated +secrets\.system/);
    expect(lines.join('\n')).toMatch(/generated +keys\.jwks/);
    expect(lines.join('\n')).not.toContain('hidden');

    const discovery = await fetch(`${publicUrl}/.well-known/openid-configuration`);
    expect(await discovery.json()).toMatchObject({ issuer: 'http://127.0.0.1:4444' });
    for (const url of [publicUrl, adminUrl]) expect((await fetch(`${url}/health/ready`)).status).toBe(200);

    child.kill('SIGTERM');
    expect(await exited).toEqual([0, null]);
    expect(lines.at(-1)).toContain('"msg":"stopped"');
  });

  it('opens the admin listener alone', async () => {
    const { line } = serve(anyPorts, 'admin', '--dev', '--workers', '1');
    const urls = JSON.parse(await line('"msg":"ready"'));
    expect(listenersIn(urls)).toEqual(['adminUrl']);
    expect((await fetch(`${urls.adminUrl}/health/alive`)).status).toBe(200);
  });

  it.each(['1', '2'])('says where the console is, with %s worker(s)', async (workers) => {
    const console = { CONSOLE_ENABLED: 'true', CONSOLE_ACCESS_OPERATOR: 'platform', DATABASE_URL: 'sqlite:carnet.db' };
    const { line } = serve({ ...anyPorts, ...console }, 'admin', '--dev', '--workers', workers);
    const { adminUrl, consoleUrl } = JSON.parse(await line('"msg":"ready"'));
    expect(consoleUrl).toBe(`http://localhost:${new URL(adminUrl).port}/console`);
    // A redirect to the sign-in.
    expect((await fetch(consoleUrl, { redirect: 'manual' })).status).toBe(303);
  });

  it.each(['1', '2'])('opens the public listener and one for the metrics alone, with %s worker(s)', async (workers) => {
    const store = { DATABASE_URL: 'sqlite:carnet.db' };
    const args = ['public', '--dev', '--workers', workers];
    const { line } = serve({ ...anyPorts, ...store, METRICS_PORT: '0' }, ...args);
    const urls = JSON.parse(await line('"msg":"ready"'));
    expect(listenersIn(urls)).toEqual(['metricsUrl', 'publicUrl']);
    expect((await fetch(`${urls.publicUrl}/health/alive`)).status).toBe(200);
    const metrics = await fetch(`${urls.metricsUrl}/metrics`);
    expect(metrics.status).toBe(200);
    expect(await metrics.text()).toContain('# TYPE db_client_operation_duration_seconds histogram');
    expect((await fetch(`${urls.metricsUrl}/admin/clients`)).status).toBe(404);
  });

  it('takes tokens with rights from variables and files', async () => {
    const { lines, line } = serve(
      {
        ...anyPorts,
        ADMIN_TOKENS: '[{"name": "prometheus", "rights": ["metrics"]}, {"name": "ops", "rights": ["read"]}]',
        ADMIN_TOKEN_PROMETHEUS: 'hidden-hidden-hidden',
        ADMIN_TOKEN_OPS: 'hidden-hidden-ops-1,hidden-hidden-ops-2',
      },
      '--dev',
    );
    const { adminUrl } = JSON.parse(await line('"msg":"ready"'));
    const status = async (path: string, token: string) =>
      (await fetch(`${adminUrl}${path}`, { headers: { authorization: `Bearer ${token}` } })).status;
    expect(await status('/metrics/prometheus', 'hidden-hidden-hidden')).toBe(200);
    expect(await status('/clients', 'hidden-hidden-hidden')).toBe(403);
    for (const n of [1, 2]) expect(await status('/clients', `hidden-hidden-ops-${n}`)).toBe(200);
    expect(lines.join('\n')).not.toContain('hidden');
  });

  it('ends with 1 and names the port that is taken, and the variable that sets it', async () => {
    const { port, close } = await listen(() => {});
    onTestFinished(close);
    const { lines, exited } = serve({ ...anyPorts, ADMIN_PORT: String(port) }, '--dev');
    expect(await exited).toEqual([1, null]);
    const error = new RegExp(`^carnet: admin listener: Port ${port} .*ADMIN_PORT`);
    expect(lines).toContainEqual(expect.stringMatching(error));
  });

  it('ends with 78 in production', async () => {
    const { lines, exited } = serve({ NODE_ENV: 'production' }, '--dev');
    expect(await exited).toEqual([78, null]);
    expect(lines.join('\n')).toContain('NODE_ENV=production');
  });
});

describe('carnet serve', () => {
  it('ends with 78 and lists all that is missing', async () => {
    const { lines, exited } = serve({});
    expect(await exited).toEqual([78, null]);
    for (const name of ['issuer', 'storage.default', 'secrets.system', 'urls.login', 'urls.consent', 'carnet init']) {
      expect(lines.join('\n')).toContain(name);
    }
  });
});
