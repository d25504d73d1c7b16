import { describe, expect, it } from 'vitest';
import { main, startProgram } from '../../../cli/test/start-program.ts';
import { registerBeforeTests, startBeforeTests } from '../before-tests.ts';
import { secretsIn } from '../leaks.ts';
import { introspect, login, token } from '../login.ts';

const scrape = (admin: string): Promise<Response> => fetch(`${admin}/metrics/prometheus`);

/** The value of a sample, its labels in any order. */
const sampleOf = (text: string, name: string, labels: Readonly<Record<string, string>> = {}): number => {
  const lines = text.split('\n').filter((line) => line.startsWith(`${name}{`) || line.startsWith(`${name} `));
  const wanted = Object.entries(labels).map(([label, value]) => `${label}="${value}"`);
  const found = lines.filter((line) => wanted.every((one) => line.includes(one)));
  return found.reduce((sum, line) => sum + Number(line.slice(line.lastIndexOf(' '))), 0);
};

describe('GET /metrics/prometheus', () => {
  const instance = startBeforeTests({ config: { storage: { sweepSeconds: 0 } } });
  const client = registerBeforeTests(instance, 'shop');

  it('counts requests by route, store calls and audit events', async () => {
    const tokens = await login(instance, client);
    await introspect(instance, tokens.access_token);
    const response = await scrape(instance.admin);
    expect([response.status, response.headers.get('content-type')]).toEqual([
      200,
      'text/plain; version=0.0.4; charset=utf-8',
    ]);
    const text = await response.text();
    const count = 'http_server_request_duration_seconds_count';
    expect(sampleOf(text, count, { http_route: '/oauth2/token', http_response_status_code: '200' })).toBe(1);
    expect(sampleOf(text, count, { http_route: '/admin/oauth2/introspect', listener: 'admin' })).toBe(1);
    expect(sampleOf(text, 'db_client_operation_duration_seconds_count', { db_operation_name: 'commit' })).toBe(1);
    expect(sampleOf(text, 'carnet_audit_events_total', { action: 'token', outcome: 'success' })).toBe(1);
    expect(sampleOf(text, 'carnet_client_instantiations_total')).toBe(1);
    expect(sampleOf(text, 'process_resident_memory_bytes')).toBeGreaterThan(10_000_000);
    expect(secretsIn(text)).toEqual([]);
  });

  it('has as many series however many paths, methods and clients are tried', async () => {
    const series = async () => {
      const lines = (await (await scrape(instance.admin)).text()).split('\n');
      return lines.filter((line) => /^(?:http|db|carnet)_/.test(line)).map((line) => line.replace(/ \S+$/, ''));
    };
    const attempt = async (id: string) => {
      await fetch(`${instance.issuer}/${id}`);
      await fetch(`${instance.admin}/admin/clients/${id}`);
      await fetch(`${instance.admin}/${id}`, { method: 'POST' });
      await fetch(`${instance.admin}/admin/clients/${id}`, { method: 'PROPFIND' });
      await token(instance, { id, secret: id }, { grant_type: id });
    };
    await attempt('first');
    // The poll for deliveries lists, too, whenever its time comes.
    await fetch(`${instance.admin}/admin/clients`);
    await scrape(instance.admin);
    const before = await series();
    for (const id of ['a', 'b', 'c', 'd']) await attempt(id);
    expect(await series()).toEqual(before);
  });
});

it('adds up what several workers have counted, whichever of them is asked', async () => {
  const env = { PORT: '0', ADMIN_PORT: '0', ALLOWED_HOSTS: '127.0.0.1:*', LOG_LEVEL: 'info' };
  const { line, child, exited } = startProgram(main, ['serve', '--dev', '--workers', '2'], env);
  const { publicUrl, adminUrl } = JSON.parse(await line('"msg":"ready"'));
  for (let i = 0; i < 20; i++) {
    const response = await fetch(`${publicUrl}/.well-known/jwks.json`, { headers: { connection: 'close' } });
    await response.text();
  }
  const labels = { http_route: '/.well-known/jwks.json' };
  const counts = new Set<number>();
  for (let i = 0; i < 6; i++) {
    const response = await fetch(`${adminUrl}/metrics/prometheus`, { headers: { connection: 'close' } });
    counts.add(sampleOf(await response.text(), 'http_server_request_duration_seconds_count', labels));
  }
  expect([...counts]).toEqual([20]);
  child.kill('SIGTERM');
  await exited;
});
