import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { examineConfig } from '../../../provider/src/config/parse-config.ts';
import { hydraKeys } from '../../src/config/hydra/hydra-keys.ts';
import { commandLayout } from '../../src/config/schema.ts';
import { convertHydra, hydraFromEnvironment } from '../../src/from-hydra/convert.ts';
import { hydraFiles } from './examples.ts';

const convert = (name: string) => convertHydra(parse(hydraFiles[name] ?? ''));

describe('convertHydra', () => {
  it.each(Object.keys(hydraFiles))('makes a configuration that Carnet takes of %s', (name) => {
    const { settings } = convert(name);
    const input = { ...settings, dev: true, issuer: 'http://127.0.0.1:4444' };
    expect(examineConfig(input, new Map(), { production: false }, commandLayout).problems).toEqual([]);
  });

  it('keeps what has a counterpart, in the form that it has here', () => {
    expect(convert('a config map of Kubernetes').settings).toMatchObject({
      log: { level: 'debug' },
      storage: { default: 'memory:' },
      issuer: 'https://login.example.com',
      urls: { login: 'https://login.example.com/login', error: 'https://login.example.com/error' },
      ttl: { accessToken: 3_600, refreshToken: 315_360_000, idToken: 5_400, authCode: 90 },
      clientSecrets: { bcryptCost: 12 },
      secrets: { system: ['a-system-secret-of-at-least-thirty-two'] },
      // Hydra's defaults, which differ from those of Carnet.
      keys: { source: 'store', algorithms: ['RS256'] },
      tokens: { accessTokenType: 'JWT', scopeStrategy: 'wildcard', refreshGraceSeconds: 0 },
    });
    expect(convert('an application with Postgres and CORS').settings).toMatchObject({
      public: { port: 4444 },
      admin: { port: 4445 },
      storage: { default: 'postgres://hydra_user:hydra_password@hydra-postgres:5432/hydra_db?sslmode=disable' },
      oidc: {
        subjectIdentifiers: { supportedTypes: ['pairwise', 'public'], pairwise: { salt: 'nofreefoodinfreetown' } },
      },
    });
  });

  it('lets clients that register themselves have client_credentials, if they may register', () => {
    const registration = (enabled: boolean) =>
      convertHydra({ oidc: { dynamic_client_registration: { enabled } } }).settings.oidc as Record<string, unknown>;
    expect(registration(true).dynamicClientRegistration).toEqual({
      enabled: true,
      allowedGrantTypes: expect.arrayContaining(['authorization_code', 'client_credentials']),
    });
    expect(registration(false).dynamicClientRegistration).toEqual({ enabled: false });
  });

  it('names all that it leaves out or changes, with the reason and without the value', () => {
    const { notes } = convert('a config map of Kubernetes');
    const keys = notes.map((note) => note.split(' ')[0]);
    expect(keys).toEqual([
      'version',
      'log.format',
      'log.leak_sensitive_values',
      'serve.cookies.same_site_mode',
      'serve.tls.enabled',
      'serve.tls.cert.path',
      'serve.tls.key.path',
      'serve.tls.allow_termination_from',
      'serve.public.access_log.disable_for_health',
      'serve.public.cors.enabled',
      'serve.public.cors.allow_credentials',
      'serve.public.cors.max_age',
      'dsn',
      'urls.self.issuer',
      'urls.self.public',
      'ttl.refresh_token',
      'oauth2.expose_internal_errors',
      'secrets.cookie',
      'tracing.provider',
      'tracing.providers.jaeger.local_agent_address',
    ]);
    expect(notes.join()).not.toContain('a-cookie-secret');
  });

  it.each([
    ['postgres://u:p@h/d?max_conns=5&sslmode=verify-full', 'postgres://u:p@h/d?sslmode=verify-full'],
    ['cockroach://u@h:26257/d?max_conns=5', 'postgres://u@h:26257/d'],
    ['sqlite:///var/lib/hydra.sqlite?_fk=true', 'sqlite:/var/lib/hydra.sqlite'],
    ['mysql://u:p@tcp(h:3306)/d?max_conns=20&parseTime=true', 'mysql://u:p@h:3306/d'],
    ['mysql://u:p/s@w#@tcp(h)/d?tls=true', 'mysql://u:p%2Fs%40w%23@h/d?tls=true'],
    ['mysql://u:p@unix(/run/mysqld.sock)/d', undefined],
    ['oracle://u:p@h/d', undefined],
  ])('turns the DSN %s into %s', (dsn, url) => {
    const { settings, notes } = convertHydra({ dsn });
    expect((settings.storage as { default?: string } | undefined)?.default).toBe(url);
    if (url === undefined) expect(notes).toEqual([expect.stringContaining('dsn names a database')]);
    expect(notes.join()).not.toContain('u:p');
  });

  it.each([
    ['30s', 30],
    ['10m', 600],
    ['720h', 2_592_000],
    ['5000h', 15_552_000],
    ['0s', 0],
  ])('keeps a grace period of refresh tokens of %s, up to 180 days', (rotation_grace_period, refreshGraceSeconds) => {
    const { settings } = convertHydra({ oauth2: { grant: { refresh_token: { rotation_grace_period } } } });
    expect(settings).toMatchObject({ tokens: { refreshGraceSeconds } });
  });

  it.each([
    [{ entropy_preset: 'high' }, { length: 8, characters: expect.stringMatching(/^[A-Z2-9]{32}$/) }],
    [{ entropy_preset: 'low' }, { length: 9, characters: '0123456789' }],
    [
      { length: 7, character_set: 'bcdfGHJKlmBCDF' },
      { length: 7, characters: 'BCDFGHJKLM' },
    ],
    [{ length: 3, character_set: 'ab-é' }, undefined],
    [{ entropy_preset: 'constructor' }, undefined],
  ])('makes user codes as Hydra does: %j', (user_code, userCode) => {
    const { settings } = convertHydra({ oauth2: { device_authorization: { user_code } } });
    expect((settings.features as { device?: { userCode?: object } } | undefined)?.device?.userCode).toEqual(userCode);
  });

  it('knows every key of a configuration with everything', () => {
    const { notes } = convertHydra(parse(hydraFiles['a configuration with everything'] ?? ''));
    expect(notes.filter((note) => note.includes('not a known key of Hydra'))).toEqual([]);
  });

  it.each([
    [{ unheard: { of: 1 } }, 'unheard.of is not a known key of Hydra.'],
    [{ ttl: { id_token: 'soon' } }, 'ttl.id_token is not a duration of Go'],
    [{ dsn: 'cockroach://h/d?max_conns=5&sslmode=disable' }, 'only Postgres is tested; loses max_conns: add `pool=`'],
    [{ serve: { public: { host: 'unix:/run/hydra.sock' } } }, 'serve.public.host names a unix socket'],
  ])('says what it can not read: %j', (hydra, note) => {
    expect(convertHydra(hydra).notes.join()).toContain(note);
  });
});

describe('hydraFromEnvironment', () => {
  it('reads the variables of Hydra, and no others', () => {
    const env = {
      DSN: 'memory',
      URLS_SELF_ISSUER: 'https://login.example.com',
      SERVE_PUBLIC_PORT: '4000',
      SECRETS_SYSTEM: 'one-secret-of-the-system, another-of-the-system',
      TTL_ACCESS_TOKEN: '2h',
      OIDC_SUBJECT_IDENTIFIERS_SUPPORTED_TYPES: 'public,pairwise',
      SERVE_TLS_CERT_PATH: '/tls.crt',
      VERSION: 'of something else',
      HOME: '/root',
      DB_HOST: 'of something else',
    };
    const { settings, notes } = convertHydra(hydraFromEnvironment(env));
    expect(settings).toMatchObject({
      storage: { default: 'memory:' },
      issuer: 'https://login.example.com',
      public: { port: 4000 },
      secrets: { system: ['one-secret-of-the-system', 'another-of-the-system'] },
      ttl: { accessToken: 7_200 },
      oidc: { subjectIdentifiers: { supportedTypes: ['public', 'pairwise'] } },
    });
    expect(notes.map((note) => note.split(' ')[0])).toEqual(['dsn', 'serve.tls.cert_path', 'secrets.system']);
  });
});

describe('the table of keys', () => {
  it('has each key once', () => {
    const keys = hydraKeys.map(({ key }) => key);
    expect(keys).toEqual([...new Set(keys)]);
  });

  it('gives a reason for every key without a counterpart', () => {
    expect(hydraKeys.filter(({ to, reason }) => to === undefined && !reason)).toEqual([]);
  });
});
