import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readConfig } from './config.ts';
import { type Env, fromEnvironment, fromObject } from './read-settings.ts';

const read = (env: Env) => readConfig(fromEnvironment(env));

describe('the configuration', () => {
  it('every variable has a default', () => {
    const config = read({});
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
      expect(() => read({ [key]: 'x' })).toThrow(`${key} is no longer read: set accounts.directories of Carnet`);
      expect(() => read({ [key]: '' })).not.toThrow();
    },
  );

  it('names every problem at once', () => {
    const env = { CARNET_ADMIN_URL: 'ftp://x', CARNET_ISSUER: 'nonsense', REMEMBER_FOR_SECONDS: '-1' };
    expect(() => read(env)).toThrow(/CARNET_ADMIN_URL[\s\S]*CARNET_ISSUER[\s\S]*REMEMBER_FOR_SECONDS/);
  });

  it('makes cookies secure when browsers come by https', () => {
    expect(read({ CARNET_ISSUER: 'https://id.example.com' }).secureCookies).toBe(true);
    expect(read({ CARNET_UI_URL: 'https://login.example.com' }).secureCookies).toBe(true);
    const httpPages = { CARNET_ISSUER: 'https://id.example.com', CARNET_UI_URL: 'http://127.0.0.1:3000' };
    expect(read(httpPages).secureCookies).toBe(false);
  });

  it('reads secrets from the files that variables name', () => {
    const folder = mkdtempSync(join(tmpdir(), 'carnet-secret-'));
    const file = join(folder, 'secret');
    writeFileSync(file, `${'a'.repeat(40)}\n`);
    const config = read({ CARNET_ADMIN_TOKEN_FILE: file, UI_COOKIE_SECRET_FILE: file });
    expect(config).toMatchObject({ adminToken: 'a'.repeat(40), cookieSecrets: ['a'.repeat(40)] });
    expect(() => read({ CARNET_ADMIN_TOKEN_FILE: join(folder, 'none') })).toThrow(/CARNET_ADMIN_TOKEN_FILE: .*ENOENT/);
    expect(() => read({ CARNET_ADMIN_TOKEN_FILE: 'the-token-itself' })).toThrow(
      'CARNET_ADMIN_TOKEN_FILE: the file cannot be read (ENOENT)',
    );
    expect(() => read({ CARNET_ADMIN_TOKEN: 't', CARNET_ADMIN_TOKEN_FILE: file })).toThrow(/both set/);
    rmSync(folder, { recursive: true });
  });
});

describe('the settings of an application', () => {
  it('have the values of their variables', () => {
    const settings = { issuer: 'https://id.example.com', consentTicked: false, languages: ['de', 'en'] } as const;
    const env = { CARNET_ISSUER: 'https://id.example.com', CONSENT_TICKED: '0', UI_LANGUAGES: 'de, en' };
    const { ui: _, ...config } = readConfig(fromObject({ ...settings, languages: [...settings.languages] }));
    const { ui: __, ...same } = read(env);
    expect(config).toEqual(same);
    expect(config).toMatchObject({ consentTicked: false, uiUrl: new URL('https://id.example.com') });
  });

  it('the pages of an application have its origin, also on this machine', () => {
    expect(readConfig(fromObject({ issuer: 'http://localhost:3000/op' })).uiUrl.href).toBe('http://localhost:3000/');
    expect(read({ CARNET_ISSUER: 'http://localhost:4444', PORT: '5000' }).uiUrl.href).toBe('http://localhost:5000/');
  });

  it('problems name the keys, all at once', () => {
    const settings = {
      issuer: 'id.example.com',
      rememberFor: 60,
      color: 'navy',
      termsRequired: true,
      languages: ['tlh'],
    };
    const problems = (() => {
      try {
        readConfig(fromObject(settings as never));
      } catch (error) {
        return (error as Error).message;
      }
      return '';
    })();
    for (const problem of [
      'issuer must be an http or https URL',
      'rememberFor is no setting of the pages: use one of adminUrl,',
      'color must be a color such as',
      'termsRequired needs termsUrl',
      'languages must be one of en',
    ])
      expect(problems).toContain(problem);
    expect(() => readConfig(fromObject({ logofile: 'x' } as never))).toThrow('did you mean logoFile?');
  });
});
