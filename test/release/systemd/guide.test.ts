import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseEnv, promisify } from 'node:util';
import { afterAll, expect, test } from 'vitest';
import { loadConfig } from '../../../packages/cli/src/config/load-config.ts';
import { readConfig } from '../../../packages/consent-ui/src/config.ts';

const guide = readFileSync(new URL('../../../docs/operate/systemd.md', import.meta.url), 'utf8');
const folder = mkdtempSync(join(tmpdir(), 'carnet-systemd-guide-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const blockWith = (language: string, part: string): string => {
  const blocks = [...guide.matchAll(new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\``, 'gms'))].map(
    ([, code = '']) => code,
  );
  const found = blocks.find((code) => code.includes(part));
  if (found === undefined) throw new Error(`docs/operate/systemd.md has no block of ${language} with ${part}`);
  return found;
};

test('docs/operate/systemd.md writes a configuration that Carnet and its pages accept', async () => {
  const script = blockWith('sh', 'carnet.env').replaceAll('/etc/carnet', folder);
  await promisify(execFile)('sh', ['-euc', script]);
  const file = join(folder, 'carnet.yaml');
  writeFileSync(file, blockWith('yaml', 'issuer:'));
  const variables = (name: string) => parseEnv(readFileSync(join(folder, name), 'utf8')) as Record<string, string>;
  const { config, warnings } = loadConfig({ file, env: { NODE_ENV: 'production', ...variables('carnet.env') } });
  expect(warnings).toEqual([]);
  const ui = readConfig({ TRUSTED_PROXY_HOPS: '1', ...variables('carnet-ui.env') });
  expect(ui).toMatchObject({ adminToken: config.admin.token, secureCookies: true, directory: { kind: 'accounts' } });
  expect(config.urls.login).toBe(new URL('/login', ui.uiUrl).href);
});
