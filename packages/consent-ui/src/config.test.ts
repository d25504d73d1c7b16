import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readConfig } from './config.ts';

const demo = { CARNET_DEMO_USERS: '1' };

describe('the configuration', () => {
  it('has defaults for everything but the users', () => {
    const config = readConfig(demo);
    expect(config).toMatchObject({
      directory: { kind: 'demo' },
      rememberForSeconds: 3600,
      secureCookies: false,
      trustedProxyHops: 0,
      passwordAcr: 'urn:carnet:1fa',
    });
    expect(config.adminUrl.href).toBe('http://127.0.0.1:4445/');
    expect(config.issuer.href).toBe('http://127.0.0.1:4444/');
  });

  it('without a directory of its own asks the accounts of Carnet', () => {
    expect(readConfig({}).directory).toEqual({ kind: 'accounts' });
    expect(readConfig({ CARNET_DEMO_USERS: '' }).directory).toEqual({ kind: 'accounts' });
  });

  it('names every problem at once', () => {
    const env = { ...demo, CARNET_ADMIN_URL: 'ftp://x', CARNET_ISSUER: 'nonsense', REMEMBER_FOR_SECONDS: '-1' };
    expect(() => readConfig(env)).toThrow(/CARNET_ADMIN_URL[\s\S]*CARNET_ISSUER[\s\S]*REMEMBER_FOR_SECONDS/);
  });

  it.each(['https://id.example.com', 'http://10.0.0.1:4444', 'https://localhost.example.com'])(
    'refuses the built-in users, whose passwords everybody knows, with the issuer %s',
    (issuer) => {
      expect(() => readConfig({ ...demo, CARNET_ISSUER: issuer })).toThrow(/CARNET_DEMO_USERS/);
    },
  );

  it('prefers real users to the built-in ones', () => {
    const env = { ...demo, USER_DIRECTORY_URL: 'https://users.example.com/check', USER_DIRECTORY_TOKEN: 't' };
    expect(readConfig(env).directory).toMatchObject({ kind: 'http', token: 't' });
    expect(readConfig({ ...demo, DEMO_USERS_FILE: 'users.json' }).directory).toEqual({
      kind: 'file',
      path: 'users.json',
    });
  });

  it('makes cookies secure when browsers come by https', () => {
    const users = { DEMO_USERS_FILE: 'users.json' };
    expect(readConfig({ ...users, CARNET_ISSUER: 'https://id.example.com' }).secureCookies).toBe(true);
    expect(readConfig({ ...users, CARNET_UI_URL: 'https://login.example.com' }).secureCookies).toBe(true);
    const plain = { CARNET_ISSUER: 'https://id.example.com', CARNET_UI_URL: 'http://127.0.0.1:3000' };
    expect(readConfig({ ...users, ...plain }).secureCookies).toBe(false);
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
