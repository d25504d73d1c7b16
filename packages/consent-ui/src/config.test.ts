import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readConfig } from './config.ts';

describe('the configuration', () => {
  it('every variable has a default', () => {
    const config = readConfig({});
    expect(config).toMatchObject({
      rememberForSeconds: 3600,
      secureCookies: false,
      trustedProxyHops: 0,
    });
    expect(config.adminUrl.href).toBe('http://127.0.0.1:4445/');
    expect(config.issuer.href).toBe('http://127.0.0.1:4444/');
  });

  it.each(['USER_DIRECTORY_URL', 'DEMO_USERS_FILE', 'CARNET_DEMO_USERS'])(
    'refuses %s, so that no pages start with other users than their operator expects',
    (key) => {
      expect(() => readConfig({ [key]: 'x' })).toThrow(`${key} is no longer read: set accounts.directories of Carnet`);
      expect(() => readConfig({ [key]: '' })).not.toThrow();
    },
  );

  it('names every problem at once', () => {
    const env = { CARNET_ADMIN_URL: 'ftp://x', CARNET_ISSUER: 'nonsense', REMEMBER_FOR_SECONDS: '-1' };
    expect(() => readConfig(env)).toThrow(/CARNET_ADMIN_URL[\s\S]*CARNET_ISSUER[\s\S]*REMEMBER_FOR_SECONDS/);
  });

  it('makes cookies secure when browsers come by https', () => {
    expect(readConfig({ CARNET_ISSUER: 'https://id.example.com' }).secureCookies).toBe(true);
    expect(readConfig({ CARNET_UI_URL: 'https://login.example.com' }).secureCookies).toBe(true);
    const httpPages = { CARNET_ISSUER: 'https://id.example.com', CARNET_UI_URL: 'http://127.0.0.1:3000' };
    expect(readConfig(httpPages).secureCookies).toBe(false);
  });

  it('reads secrets from the files that variables name', () => {
    const folder = mkdtempSync(join(tmpdir(), 'carnet-secret-'));
    const file = join(folder, 'secret');
    writeFileSync(file, `${'a'.repeat(40)}\n`);
    const config = readConfig({ CARNET_ADMIN_TOKEN_FILE: file, UI_COOKIE_SECRET_FILE: file });
    expect(config).toMatchObject({ adminToken: 'a'.repeat(40), cookieSecrets: ['a'.repeat(40)] });
    expect(() => readConfig({ CARNET_ADMIN_TOKEN_FILE: join(folder, 'none') })).toThrow(
      /CARNET_ADMIN_TOKEN_FILE: .*ENOENT/,
    );
    expect(() => readConfig({ CARNET_ADMIN_TOKEN_FILE: 'the-token-itself' })).toThrow(
      'CARNET_ADMIN_TOKEN_FILE: the file cannot be read (ENOENT)',
    );
    expect(() => readConfig({ CARNET_ADMIN_TOKEN: 't', CARNET_ADMIN_TOKEN_FILE: file })).toThrow(/both set/);
    rmSync(folder, { recursive: true });
  });
});
