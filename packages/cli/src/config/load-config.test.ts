import { chmodSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as accounts from '@carnet/accounts/config';
import * as events from '@carnet/events/config';
import { folderForTests } from '@carnet/test-servers/folder-for-tests';
import { describe, expect, it } from 'vitest';
import { commandKeys, parseConfig } from '../../../provider/src/config/parse-config.ts';
import { redact } from '../../../provider/src/config/print.ts';
import { layoutWith } from '../../../provider/src/config/rule.ts';

import { allKeys } from '../../../provider/src/config/schema-keys.ts';
import { ConfigError } from '../../../provider/src/errors.ts';
import { hooksSchema } from '../../../provider/src/hooks/config.ts';
import { generateKeys } from '../../../provider/src/keys/sources/generate-keys.ts';
import { featuresSchema } from '../../../provider/src/library/features/config.ts';
import { dynamicClientRegistrationSchema } from '../../../provider/src/registration/config.ts';
import { logoutSchema } from '../../../provider/src/sessions/config.ts';
import { keepDevSecrets } from './dev-folder.ts';
import { type LoadOptions, loadConfig, loadParts } from './load-config.ts';
import { commandSchema, libraryConfig } from './schema.ts';
import { variables } from './variables.ts';

const folder = folderForTests();

const write = (name: string, text: string): string => {
  const file = join(folder, name);
  writeFileSync(file, text);
  chmodSync(file, 0o600);
  return file;
};

const secret = '0123456789abcdef0123456789abcdef';
const keysFile = write('keys.json', JSON.stringify(generateKeys()));

const complete = {
  ISSUER: 'https://op.example',
  DATABASE_URL: 'sqlite:carnet.db',
  SECRETS_SYSTEM: secret,
  URLS_LOGIN: 'https://app.example/login',
  URLS_CONSENT: 'https://app.example/consent',
  KEYS_FILE: keysFile,
};

const problemsOf = (run: () => unknown): readonly string[] => {
  try {
    run();
  } catch (error) {
    if (error instanceof ConfigError) return error.problems;
    throw error;
  }
  return [];
};

const problemsWith = (env: LoadOptions['env'], options: Omit<LoadOptions, 'env'> = {}): readonly string[] =>
  problemsOf(() => loadConfig({ env: { ...complete, ...env }, ...options }));

describe('a complete environment', () => {
  it('an issuer, URLs, keys and secrets suffice: every other setting has its default', () => {
    const { config, warnings, generated } = loadConfig({ env: complete });
    expect({ warnings, generated }).toEqual({ warnings: [], generated: [] });
    expect(config).toEqual({
      dev: false,
      issuer: 'https://op.example',
      public: { host: '0.0.0.0', port: 4444 },
      admin: { host: '127.0.0.1', port: 4445, tokens: [], allowedHosts: [] },
      http: { trustedProxies: [], allowedHosts: [], shutdownSeconds: 10 },
      workers: 1,
      console: {
        enabled: false,
        access: { claim: 'groups', viewer: [], operator: [] },
        maximumDuration: 28_800,
        idleDuration: 1_800,
        brand: {},
        prometheus: { labels: {} },
      },
      storage: { default: 'sqlite:carnet.db', sweepSeconds: 60 },
      secrets: { system: [secret] },
      urls: { login: 'https://app.example/login', consent: 'https://app.example/consent', device: {} },
      ttl: {
        loginConsentRequest: 1_800,
        authenticationSession: 2_592_000,
        accessToken: 3_600,
        refreshToken: 2_592_000,
        idToken: 3_600,
        authCode: 600,
        deviceUserCode: 600,
      },
      tokens: {
        accessTokenStrategy: 'opaque',
        accessTokenType: 'at+jwt',
        idTokenClaims: 'always',
        scopeClaim: 'both',
        allowedTopLevelClaims: [],
        mirrorTopLevelClaims: true,
        excludeNotBeforeClaim: false,
        scopeStrategy: 'exact',
        refreshGraceSeconds: 10,
        refreshGraceReuseCount: 1,
      },
      resources: [],
      hooks: hooksSchema.parse({}),
      pkce: { required: 'public' },
      issuers: {},
      limits: { openIssuers: 200, idle: 600 },
      logout: logoutSchema.parse({}),
      outbound: { allow: [], timeoutMs: 5_000, maxBytes: 65_536 },
      oidc: {
        subjectIdentifiers: { supportedTypes: ['public'], pairwise: {} },
        discovery: 'full',
        userinfo: 'standard',
        profile: 'openid',
        supportedClaims: [],
        supportedAcrValues: [],
        supportedScopes: [],
        dynamicClientRegistration: dynamicClientRegistrationSchema.parse({}),
      },
      features: featuresSchema.parse({}),
      keys: {
        file: keysFile,
        idTokenAlg: 'RS256',
        algorithms: ['RS256', 'ES256', 'EdDSA'],
        announced: 1_209_600,
        active: 7_776_000,
        retired: 1_209_600,
        pollSeconds: 60,
        signerConcurrency: 128,
        signerTimeoutMs: 2_000,
      },
      clients: [],
      clientSecrets: { bcryptCost: 10, maxPendingVerifications: 64 },
      clientCache: { entries: 10_000, seconds: 5 },
      log: { level: 'info' },
      metrics: { host: '127.0.0.1' },
    });
    expect(parseConfig(libraryConfig(config))).toEqual(libraryConfig(config));
  });

  it('reads every variable it knows into its key', () => {
    const { config } = loadConfig({
      env: {
        ...complete,
        ISSUER: 'https://op.example/tenant/',
        HOST: '127.0.0.1',
        PORT: '8080',
        ADMIN_HOST: '::1',
        ADMIN_PORT: '8081',
        ADMIN_TOKEN: secret,
        ALLOWED_HOSTS: 'a.example, b.example:8443',
        SECRETS_SYSTEM: `${secret}, ${secret}-old`,
        ID_TOKEN_ALG: 'ES256',
        ACCESS_TOKEN_STRATEGY: 'jwt',
        CLIENT_SECRETS_BCRYPT_COST: '4',
        TTL_ACCESS_TOKEN: '30m',
        TTL_REFRESH_TOKEN: '720h',
        TTL_ID_TOKEN: '90',
        LOG_LEVEL: 'silent',
        URLS_LOGOUT: '',
      },
    });
    expect(config).toMatchObject({
      issuer: 'https://op.example/tenant',
      public: { host: '127.0.0.1', port: 8_080 },
      admin: { host: '::1', port: 8_081, token: secret },
      http: { allowedHosts: ['a.example', 'b.example:8443'] },
      secrets: { system: [secret, `${secret}-old`] },
      keys: { idTokenAlg: 'ES256' },
      tokens: { accessTokenStrategy: 'jwt' },
      clientSecrets: { bcryptCost: 4 },
      ttl: { accessToken: 1_800, refreshToken: 2_592_000, idToken: 90 },
      log: { level: 'silent' },
    });
    expect(config.urls).not.toHaveProperty('logout');
  });

  it('reads every key that ends in Seconds as a duration, from a variable and from a file', () => {
    const text = 'http: { shutdownSeconds: 2m }\nclientCache: { seconds: 3s }\ntokens: { refreshGraceSeconds: 5m }\n';
    const file = write('seconds.yaml', text);
    expect(loadConfig({ file, env: complete }).config).toMatchObject({
      http: { shutdownSeconds: 120 },
      clientCache: { seconds: 3 },
      tokens: { refreshGraceSeconds: 300 },
    });
    const env = { ...complete, CLIENT_CACHE_SECONDS: '2', REFRESH_GRACE_SECONDS: '1m' };
    expect(loadConfig({ file, env }).config).toMatchObject({
      clientCache: { seconds: 2 },
      tokens: { refreshGraceSeconds: 60 },
    });
  });

  it('gives each variable a key that exists', () => {
    const env = Object.fromEntries(variables.map(({ name }) => [name, '%']));
    expect(problemsOf(() => loadConfig({ env })).join('\n')).not.toContain('is no key');
  });
});

describe('a configuration file', () => {
  it.each([
    ['carnet.yaml', 'public:\n  port: 5000\nttl: { accessToken: 2h }\n'],
    ['carnet.json', '{"public":{"port":5000},"ttl":{"accessToken":"2h"}}'],
  ])('may be %s, and the environment goes over it', (name, text) => {
    const file = write(name, text);
    expect(loadConfig({ file, env: complete }).config).toMatchObject({
      public: { port: 5_000 },
      ttl: { accessToken: 7_200 },
    });
    expect(loadConfig({ file, env: { ...complete, PORT: '6000' } }).config.public.port).toBe(6_000);
  });

  it('unknown keys are refused at every level, with a suggestion', () => {
    const file = write(
      'typo.yaml',
      'isuer: x\nhttp: { allowed_hosts: [] }\nadmin: { colour: red }\ntll: { idToken: 60 }\nflow: {}\nport: 80\n',
    );
    expect(problemsWith({}, { file })).toEqual([
      expect.stringMatching(/\(admin\.colour\): .*Known here: host, port, token, tokens, allowedHosts/),
      expect.stringMatching(/typo\.yaml \(http\.allowed_hosts\): .*"allowedHosts"/),
      expect.stringMatching(/typo\.yaml \(isuer\): .*Did you mean "issuer"/),
      expect.stringMatching(/typo\.yaml \(tll\): .*Did you mean "ttl"/),
      expect.stringMatching(/typo\.yaml \(flow\): .*is no key/),
      expect.stringMatching(/typo\.yaml \(port\): .*Did you mean "public\.port" or "admin\.port" or "metrics\.port"\?/),
    ]);
  });

  it.each([
    ['is missing', join(folder, 'absent.yaml'), 'ENOENT'],
    ['is not YAML', write('bad.yaml', 'a: 1\nb: [hidden'), 'bad.yaml:2:'],
    ['is not JSON', write('bad.json', '{"hidden'), 'not valid JSON'],
    ['names a key twice', write('twice.yaml', 'dev: true\ndev: false\n'), 'DUPLICATE_KEY'],
    ['is a list', write('list.yaml', '- hidden\n'), 'must hold keys'],
    ['has another extension', write('carnet.toml', 'hidden'), '*.yaml'],
  ])('a configuration file that %s is refused without quoting it', (_title, file, problem) => {
    const [text, ...others] = problemsOf(() => loadConfig({ env: {}, file }));
    expect(others).toEqual([]);
    expect(text).toContain(problem);
    expect(text).toContain(file);
    expect(text).not.toContain('hidden');
  });

  it('can not reach the prototype', () => {
    const file = write('proto.json', '{"__proto__":{"dev":true},"http":{"__proto__":{"shutdownSeconds":0}}}');
    expect(problemsWith({}, { file })).toHaveLength(2);
    expect(Object.hasOwn(Object.prototype, 'dev')).toBe(false);
  });
});

describe('what is wrong', () => {
  it('all problems are reported at once, each under the variable or file it came from', () => {
    const file = write(
      'wrong.yaml',
      'clientSecrets: { bcryptCost: 99 }\nclientCache: { entries: lots }\nttl: { idToken: soon }\nworkers: 0\n',
    );
    const problems = problemsOf(() =>
      loadConfig({ file, env: { PORT: 'abc', ISSUER: 'op.example', ADMIN_TOKEN: 'short', LOG_LEVEL: 'loud' } }),
    );
    for (const start of [
      'ISSUER (issuer): must be an absolute',
      'PORT (public.port): must be a whole number',
      'ADMIN_TOKEN (admin.token): must have at least 16',
      `${file} (workers)`,
      `${file} (clientSecrets.bcryptCost): must be a whole number from 4 to 15`,
      `${file} (clientCache.entries)`,
      `${file} (ttl.idToken): must be a number of seconds`,
      'LOG_LEVEL (log.level): must be one of',
      'storage.default: is missing. Set it, or the variable DATABASE_URL, to',
      'secrets.system: is missing. Set it, or the variable SECRETS_SYSTEM, to',
      'urls.login: is missing. Set it, or the variable URLS_LOGIN, to',
      'urls.consent: is missing. Set it, or the variable URLS_CONSENT, to',
      'keys: there are no signing keys',
    ]) {
      expect(problems.filter((problem) => problem.startsWith(start))).toHaveLength(1);
    }
    expect(problems).toHaveLength(13);
  });

  it('never quotes a value', () => {
    const env = Object.fromEntries(variables.map(({ name }) => [name, '<leaked>']));
    expect(problemsOf(() => loadConfig({ env: { ...env, KEYS_FILE: '' } })).join()).not.toContain('leaked');
  });

  it.each([
    [{ ISSUER: 'http://op.example' }, 'https'],
    [{ ISSUER: 'http://127.0.0.1:4444' }, 'https'],
    [{ ISSUER: 'https://op.example/?a=b' }, 'query'],
    [{ ISSUER: 'https://user@op.example' }, 'user name'],
    [{ DATABASE_URL: 'memory:' }, 'dev mode'],
    [{ DATABASE_URL: 'oracle://x' }, 'must be a URL that begins with'],
    [{ ADMIN_HOST: '0.0.0.0' }, 'ADMIN_TOKEN'],
    [{ ADMIN_HOST: '127.0.0.1.example.com' }, 'ADMIN_TOKEN'],
    [{ ADMIN_PORT: '4444' }, 'public port'],
    [{ SECRETS_SYSTEM: 'short' }, '16 characters'],
    [{ SECRETS_SYSTEM: ' , ' }, 'at least one'],
    [{ TTL_ACCESS_TOKEN: '0' }, 'at least 1'],
    [{ TTL_ACCESS_TOKEN: '99999999d' }, 'ten years'],
    [{ CLIENT_SECRETS_BCRYPT_COST: '3' }, 'from 4 to 15'],
    [{ CLIENT_CACHE_SECONDS: '6s' }, 'at most 5 seconds'],
    [{ REFRESH_GRACE_SECONDS: '181d' }, 'at most 15552000 seconds'],
    [{ REFRESH_GRACE_REUSE_COUNT: '21' }, 'from 1 to 20'],
    [{ HOOKS_TOKEN_AUTH_NAME: 'a b' }, 'the name of a header'],
    [{ KEYS_FILE: join(folder, 'absent.json') }, 'carnet keys generate'],
    [{ KEYS_FILE: '' }, 'Set KEYS_SOURCE to store'],
    [{ KEYS_SOURCE: 'store' }, 'keys are configured as well'],
    [{ KEYS_SOURCE: 'store', KEYS_FILE: '', KEYS_ALGORITHMS: 'ES256' }, 'for which there will be no key'],
    [{ KEYS_SOURCE: 'store', KEYS_FILE: '', TTL_ID_TOKEN: '15d' }, 'outlive the key'],
    [{ KEYS_ACTIVE: '7d' }, 'shorter than keys.announced'],
    [{ ALLOWED_HOSTS: 'https://op.example' }, 'host names'],
  ])('%o is refused', (env, problem) => {
    expect(problemsWith(env)).toEqual([expect.stringContaining(problem)]);
  });

  it.each([
    ['clientCache: { entries: 0 }', 'clientCache.entries): must be a whole number from 1'],
    ['http: { shutdownSeconds: 11m }', 'http.shutdownSeconds): must be a number of seconds, or a duration'],
  ])('in a file "%s" is refused', (text, problem) => {
    const file = write('refused.yaml', text);
    expect(problemsWith({}, { file })).toEqual([expect.stringContaining(problem)]);
  });

  it('an admin listener off loopback that has a token is accepted', () => {
    expect(problemsWith({ ADMIN_HOST: '0.0.0.0', ADMIN_TOKEN: secret })).toEqual([]);
  });

  it('a setting that works but is weak gives a warning', () => {
    const env = { ...complete, SECRETS_SYSTEM: secret.slice(0, 16), URLS_LOGIN: 'http://app.example/login' };
    expect(loadConfig({ env }).warnings).toEqual([
      expect.stringContaining('less than 32 characters'),
      expect.stringContaining('URLS_LOGIN (urls.login): is not https'),
    ]);
  });
});

describe('a *_FILE variable', () => {
  it('gives the trimmed content of its file', () => {
    const env = {
      ...complete,
      DATABASE_URL: undefined,
      DATABASE_URL_FILE: write('url', 'postgres://carnet:pw@db/carnet\n'),
      SECRETS_SYSTEM: '',
      SECRETS_SYSTEM_FILE: write('secret', `\n${secret} \n`),
      ADMIN_TOKEN_FILE: write('token', secret),
    };
    expect(loadConfig({ env }).config).toMatchObject({
      storage: { default: 'postgres://carnet:pw@db/carnet' },
      secrets: { system: [secret] },
      admin: { token: secret },
    });
  });

  it('the variable is refused beside the one it replaces, when it is empty, and when its file cannot be read', () => {
    expect(problemsWith({ SECRETS_SYSTEM_FILE: write('both', secret) })).toEqual([
      'SECRETS_SYSTEM and SECRETS_SYSTEM_FILE are both set. Unset one of them.',
    ]);
    expect(problemsWith({ ADMIN_TOKEN_FILE: write('empty', ' \n') })).toEqual([expect.stringContaining('is empty')]);
    expect(problemsWith({ ADMIN_TOKEN_FILE: join(folder, 'absent') })).toEqual([expect.stringContaining('ENOENT')]);
  });

  it('problems name the path of the file, and never a value that may be the secret itself', () => {
    const path = join(folder, 'absent');
    expect(problemsWith({ ADMIN_TOKEN_FILE: path })).toEqual([expect.stringContaining(path)]);
    const problems = problemsWith({ ADMIN_TOKEN_FILE: secret });
    expect(problems).toEqual([expect.stringContaining("ADMIN_TOKEN_FILE: the file can't be read (ENOENT)")]);
    expect(problems.join()).not.toContain(secret);
  });

  it('does not exist for what is no secret', () => {
    expect(loadConfig({ env: { ...complete, PORT_FILE: join(folder, 'absent') } }).config.public.port).toBe(4_444);
  });
});

describe('REDIS_URL', () => {
  it('names the store when nothing else does', () => {
    const redis = { REDIS_URL: 'redis://cache' };
    expect(loadConfig({ env: { ...complete, ...redis } }).config.storage.default).toBe('sqlite:carnet.db');
    expect(loadConfig({ env: { ...complete, ...redis, DATABASE_URL: '' } }).config.storage.default).toBe(
      'redis://cache',
    );
    const file = write('store.yaml', 'storage: { default: "postgres://db/carnet" }');
    expect(loadConfig({ file, env: { ...complete, ...redis, DATABASE_URL: '' } }).config.storage.default).toBe(
      'postgres://db/carnet',
    );
  });
});

describe('a URL that is called', () => {
  const warned = (url: string, allow = '') =>
    loadConfig({ env: { ...complete, HOOKS_TOKEN_URL: url, OUTBOUND_ALLOW: allow } }).warnings;

  it.each([
    'http://hooks.example/token',
    'https://10.0.0.8/token',
    'http://127.0.0.1:8000/token',
    'https://[::1]/token',
  ])('an unsafe URL gives a warning: %s', (url) =>
    expect(warned(url)).toEqual([expect.stringMatching(/^HOOKS_TOKEN_URL .*outbound\.allow/)]),
  );

  it.each([
    ['https://hooks.example/token', ''],
    ['http://127.0.0.1:8000/token', '127.0.0.1:8000'],
    ['https://10.0.0.8/token', '10.0.0.0/8'],
    ['http://hooks.internal/token', '10.0.0.0/8'],
  ])('a safe URL gives no warning: %s', (url, allow) => expect(warned(url, allow)).toEqual([]));
});

describe('the URL of a webhook', () => {
  const at = (url: string) => ({
    EVENTS_WEBHOOKS: JSON.stringify([
      { name: 'shop', url: 'https://shop.example/hooks', secret: `whsec_${'A'.repeat(43)}=` },
      { name: 'crm', url, secret: `whsec_${'A'.repeat(43)}=` },
    ]),
  });
  const warned = (url: string, allow = '') =>
    loadConfig({ env: { ...complete, ...at(url), OUTBOUND_ALLOW: allow } }).warnings;

  it('http is refused with the name of the webhook, except on this machine and in dev mode', () => {
    const url = 'http://crm.internal/hooks?key=hidden';
    const problems = problemsWith({ ...at(url), OUTBOUND_ALLOW: 'crm.internal' });
    expect(problems).toEqual([
      expect.stringMatching(/^EVENTS_WEBHOOKS \(events\.webhooks\): webhook crm: its url must be https/),
    ]);
    expect(problems.join()).not.toContain('hidden');
    expect(problemsWith(at('http://127.0.0.1:9000'))).toEqual([]);
    expect(problemsOf(() => loadConfig({ env: at(url), dev: true }))).toEqual([]);
  });

  it('a URL that is never called gives a warning', () => {
    const warning = expect.stringMatching(/events\.webhooks\): will not be called.*outbound\.allow/);
    expect(warned('http://127.0.0.1:9000')).toEqual([warning]);
    expect(warned('https://10.0.0.8/hooks')).toEqual([warning]);
    expect(warned('http://127.0.0.1:9000', '127.0.0.1:9000')).toEqual([]);
    expect(warned('https://crm.example/hooks')).toEqual([]);
  });
});

describe('dev mode', () => {
  it('warns of a port that is not the one of the issuer', () => {
    const warned = (env: Record<string, string>) => loadConfig({ env, dev: true }).warnings;
    expect(warned({ ISSUER: 'http://127.0.0.1:7000' })).toEqual([
      expect.stringContaining('is not the port of the issuer'),
    ]);
    expect(warned({ ISSUER: 'http://127.0.0.1:7000', PORT: '7000' })).toEqual([]);
  });

  it('makes up what is missing, names what was random, and differs each time', () => {
    const { config, generated } = loadConfig({ env: {}, dev: true });
    expect(generated).toEqual(['secrets.system', 'keys.jwks']);
    expect(config).toMatchObject({
      dev: true,
      issuer: 'http://127.0.0.1:4444',
      public: { host: '127.0.0.1', port: 4_444 },
      storage: { default: 'memory:' },
      urls: {
        login: 'http://localhost:3000/login',
        consent: 'http://localhost:3000/consent',
        logout: 'http://localhost:3000/logout',
        error: 'http://localhost:3000/error',
      },
    });
    expect(config.keys.jwks?.keys.map((key) => key.alg)).toEqual(['RS256', 'ES256', 'EdDSA']);
    expect(config.secrets.system).not.toEqual(loadConfig({ env: {}, dev: true }).config.secrets.system);
    expect(parseConfig(libraryConfig(config))).toEqual(libraryConfig(config));
  });

  it('keeps what was given', () => {
    const { config, generated } = loadConfig({ env: { ...complete, PORT: '5555' }, dev: true });
    expect(generated).toEqual([]);
    expect(config).toMatchObject({
      issuer: 'https://op.example',
      secrets: { system: [secret] },
      keys: { file: keysFile },
    });
  });

  it('takes the issuer from the port', () => {
    expect(loadConfig({ env: { PORT: '5555' }, dev: true }).config.issuer).toBe('http://127.0.0.1:5555');
  });

  it('dev mode is refused in production, from a flag, a file, or a program', () => {
    const file = write('dev.yaml', 'dev: true');
    const env = { ...complete, NODE_ENV: 'production' };
    expect(problemsOf(() => loadConfig({ env, dev: true }))).toEqual([
      expect.stringMatching(/^--dev .*NODE_ENV=production/),
    ]);
    expect(problemsOf(() => loadConfig({ env, file }))).toEqual([expect.stringContaining('NODE_ENV=production')]);
    expect(problemsOf(() => parseConfig({ dev: true }, { production: true }))).toEqual([
      expect.stringContaining('NODE_ENV=production'),
    ]);
  });

  it('dev mode refuses an http issuer off loopback, and a memory store for two workers', () => {
    expect(problemsOf(() => parseConfig({ dev: true, issuer: 'http://op.example' }))).toHaveLength(1);
    expect(problemsOf(() => loadConfig({ env: {}, dev: true, workers: 2 }))).toEqual([
      expect.stringMatching(/^--workers .*one worker/),
    ]);
  });

  it('makes up nothing in place of what is wrong', () => {
    expect(problemsOf(() => parseConfig({ dev: true, secrets: { system: ['x'] }, issuer: 'x' }))).toHaveLength(2);
  });
});

describe('the keys of the command', () => {
  it('are the ones that its schema has more than that of the library', () => {
    const library = new Set(allKeys(layoutWith({ accounts, events }).schema));
    const own = allKeys(commandSchema).filter((key) => !library.has(key));
    expect(own.every((key) => commandKeys.some((one) => key === one || key.startsWith(`${one}.`)))).toBe(true);
    expect(commandKeys.filter((one) => !own.some((key) => key === one || key.startsWith(`${one}.`)))).toEqual([]);
  });

  it('are refused by the library, which says that the command reads them', () => {
    const input = { dev: true, workers: 2, public: { port: 80 }, admin: { port: 81 } } as object;
    expect(problemsOf(() => parseConfig(input))).toEqual([
      'admin.port: is no key of the configuration. Only the `carnet` command reads it. Leave it out.',
      'workers: is no key of the configuration. Only the `carnet` command reads it. Leave it out.',
      'public: is no key of the configuration. Only the `carnet` command reads it. Leave it out.',
    ]);
  });
});

describe('a printed configuration', () => {
  it('shows no secret', () => {
    const { config } = loadConfig({
      env: {
        DATABASE_URL: 'postgres://carnet:hidden-1@db:5432/carnet?sslpassword=hidden-2',
        ADMIN_TOKEN: `hidden-3-${secret}`,
        OIDC_SUBJECT_IDENTIFIERS_PAIRWISE_SALT: 'hidden-4',
        HOOKS_TOKEN_AUTH_VALUE: 'hidden-5',
      },
      dev: true,
    });
    const text = JSON.stringify(redact(commandSchema, config));
    expect(text).not.toContain('hidden');
    for (const value of config.secrets.system) expect(text).not.toContain(value);
    for (const key of config.keys.jwks?.keys ?? []) {
      expect(text).toContain(key.kid as string);
      for (const member of ['d', 'p', 'q', 'dp', 'dq', 'qi']) {
        if (typeof key[member] === 'string') expect(text).not.toContain(key[member]);
      }
    }
    expect(redact(commandSchema, config).storage.default).toBe('postgres://carnet:***@db:5432/carnet?sslpassword=***');
    expect(redact(commandSchema, config).admin.token).toBe('***');
  });
});

describe('the stores', () => {
  const elsewhere = { STORAGE_SESSIONS: 'redis://cache', STORAGE_CLIENT_CREDENTIALS: 'redis://cache' };

  it('are one, and others for what is named', () => {
    const env = { ...complete, ...elsewhere, STORAGE_MIGRATE: 'true', STORAGE_SWEEP_SECONDS: '5m' };
    expect(loadConfig({ env }).config.storage).toEqual({
      default: 'sqlite:carnet.db',
      sessions: 'redis://cache',
      clientCredentials: 'redis://cache',
      migrate: true,
      sweepSeconds: 300,
    });
  });

  it('may forget what can be had again, and nothing else', () => {
    expect(problemsWith({ STORAGE_FLOWS: 'memory:' })).toEqual([]);
    for (const [variable, key] of [
      ['STORAGE_REPLAYS', 'replays'],
      ['STORAGE_TOKENS', 'tokens'],
      ['STORAGE_CLIENTS', 'clients'],
    ] as const) {
      expect(problemsWith({ [variable]: 'memory:' })).toEqual([
        expect.stringMatching(new RegExp(`^${variable} \\(storage\\.${key}\\): memory: loses`)),
      ]);
    }
  });

  it('are not shared by several workers when one is in memory', () => {
    expect(problemsWith({ STORAGE_FLOWS: 'memory:', WORKERS: '2' })).toEqual([expect.stringContaining('WORKERS')]);
  });

  it('can be loaded alone, by commands that need nothing else', () => {
    const loadStorageConfig = (options: LoadOptions) => loadParts(options, ['storage']).storage;
    const env = { DATABASE_URL: 'postgres://db/carnet', ...elsewhere };
    expect(loadStorageConfig({ env })).toMatchObject({ default: 'postgres://db/carnet', sessions: 'redis://cache' });
    expect(problemsOf(() => loadStorageConfig({ env: {} }))).toEqual([expect.stringContaining('DATABASE_URL')]);
    expect(problemsOf(() => loadStorageConfig({ env: { DATABASE_URL: 'oracle://db' } }))).toEqual([
      expect.stringContaining('must be a URL that begins with'),
    ]);
    expect(problemsOf(() => loadStorageConfig({ env: { NODE_ENV: 'production' }, dev: true }))).toEqual([
      expect.stringContaining('NODE_ENV=production'),
    ]);
  });

  it('are shown without their passwords', () => {
    const env = { ...complete, STORAGE_SESSIONS: 'rediss://user:hidden@cache:6380' };
    expect(redact(commandSchema, loadConfig({ env }).config).storage.sessions).toBe('rediss://user:***@cache:6380');
  });
});

describe('a variable whose name is nearly one of Carnet', () => {
  const warningsFor = (env: Record<string, string>) => loadConfig({ env: { ...complete, ...env } }).warnings;

  it.each([
    ['STORAGE_SESSION', 'Did you mean STORAGE_SESSIONS?'],
    ['SECRET_SYSTEM', 'Did you mean SECRETS_SYSTEM?'],
    ['SECRETS_SYSTEM_FIEL', 'Did you mean SECRETS_SYSTEM_FILE?'],
    ['PKCE_REQUIERD', 'Did you mean PKCE_REQUIRED?'],
    ['FEATURES_FAPI_ENABLED', 'Did you mean FEATURES_FAPI?'],
    ['FEATURES_DPOP_REQUIRE_NONCE', 'Did you mean DPOP_REQUIRE_NONCE?'],
    ['ACCOUNTS_DEMO_USER', 'The key accounts.demoUser has no variable'],
    ['HTTP_TRUSTED_PROXIES', 'Did you mean TRUSTED_PROXIES?'],
    ['TRUSTED_PROXY', 'Did you mean TRUSTED_PROXIES?'],
    ['CARNET_ADMIN_ALLOWED_HOSTS', 'Did you mean ADMIN_ALLOWED_HOSTS?'],
    [
      'OIDC_DYNAMIC_CLIENT_REGISTRATION_ALLOWED_REDIRECT_HOST',
      'Did you mean OIDC_DYNAMIC_CLIENT_REGISTRATION_ALLOWED_REDIRECT_HOSTS?',
    ],
  ])('the variable gives a warning: %s', (name, advice) => {
    expect(warningsFor({ [name]: 'hidden' })).toEqual([
      expect.stringContaining(`${name}: is not a variable of Carnet and has no effect. ${advice}`),
    ]);
  });

  it('the variable is named beside the setting that it leaves unset', () => {
    const { SECRETS_SYSTEM: _, ...incomplete } = complete;
    const load = () => loadConfig({ env: { ...incomplete, SECRET_SYSTEM: secret } });
    expect(load).toThrow(/SECRET_SYSTEM: is not a variable of Carnet.*\n.*secrets\.system: is missing/);
  });

  it('comes first where it is a security setting, and its value is never shown', () => {
    const warnings = warningsFor({ LOG_LEVLE: 'hidden', TTL_IDTOKEN: 'hidden', ADMIN_TOKN: 'hidden' });
    expect(warnings.map((warning) => warning.split(':')[0])).toEqual(['ADMIN_TOKN', 'LOG_LEVLE', 'TTL_IDTOKEN']);
    expect(warnings.join()).not.toContain('hidden');
  });

  it('no usual variable of a shell, a container or Kubernetes gives a warning', () => {
    const usual =
      'USER DATABASE_USER DATABASE_HOST HOME PATH PWD SHELL TERM LANG HOSTNAME LOGNAME MAIL EDITOR TZ NODE_ENV NODE_OPTIONS DEBUG CI HTTP_PROXY HTTPS_PROXY NO_PROXY http_proxy POSTGRES_HOST POSTGRES_PORT REDIS_HOST REDIS_PORT DB_HOST STORAGE_SERVICE_HOST ADMIN_SERVICE_HOST ADMIN_SERVICE_PORT KUBERNETES_PORT PGHOST CARNET_ADMIN_URL';
    expect(warningsFor(Object.fromEntries(usual.split(' ').map((name) => [name, 'x'])))).toEqual([]);
  });

  it('may be that of the bundled pages, where the server has the value by its own name', () => {
    expect(warningsFor({ CARNET_ISSUER: 'https://login.example.com' })).toEqual([]);
  });
});

describe('dev mode with a folder', () => {
  const devFolder = join(folder, 'dev');
  const load = () => loadConfig({ env: {}, dev: true, devFolder });

  it('has a store there, and finds again what it made up', () => {
    const first = load();
    expect(first.generated).toEqual(['secrets.system', 'keys.jwks']);
    expect(first.config.storage).toMatchObject({ default: `sqlite:${join(devFolder, 'carnet.db')}`, migrate: true });
    keepDevSecrets(devFolder, first.config, first.generated);
    const second = load();
    expect(second.generated).toEqual([]);
    expect(second.config).toEqual(first.config);
  });

  it('lets nobody else read it, and is kept as it was', () => {
    const file = join(devFolder, 'secrets.json');
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(statSync(devFolder).mode & 0o777).toBe(0o700);
    const { config } = load();
    const another = { ...config, secrets: { system: ['another secret of at least 32 characters'] } };
    keepDevSecrets(devFolder, another, ['secrets.system']);
    expect(load().config.secrets).toEqual(config.secrets);
  });

  it('goes by what is configured first', () => {
    const { config } = loadConfig({ env: { SECRETS_SYSTEM: secret, DATABASE_URL: 'memory:' }, dev: true, devFolder });
    expect(config).toMatchObject({ secrets: { system: [secret] }, storage: { default: 'memory:' } });
  });

  it('writes down what it made up, and nothing that was configured', () => {
    const partly = join(folder, 'partly');
    const { config, generated } = loadConfig({ env: { SECRETS_SYSTEM: secret }, dev: true, devFolder: partly });
    expect(generated).toEqual(['keys.jwks']);
    keepDevSecrets(partly, config, generated);
    expect(readFileSync(join(partly, 'secrets.json'), 'utf8')).not.toContain(secret);
    const next = loadConfig({ env: {}, dev: true, devFolder: partly });
    expect(next.generated).toEqual(['secrets.system']);
    expect(next.config.keys).toEqual(config.keys);
  });

  it('says what to do about a file it has not written, and quotes nothing of it', () => {
    const strange = join(folder, 'strange');
    mkdirSync(strange);
    for (const text of ['hidden', '{"secrets":"hidden"}']) {
      writeFileSync(join(strange, 'secrets.json'), text);
      const problems = problemsOf(() => loadConfig({ env: {}, dev: true, devFolder: strange }));
      expect(problems).toEqual([expect.stringMatching(/secrets\.json: .*Remove it/)]);
      expect(problems.join()).not.toContain('hidden');
    }
  });
});

it('a console whose operators the directory of a customer could name is refused, unless the directories of operators are named', () => {
  const accounts = {
    database: 'sqlite:accounts.db',
    directories: [{ name: 'staff', kind: 'ldap', urls: ['ldaps://ldap.example.com'], base: 'dc=example,dc=com' }],
    organizations: [{ name: 'acme', displayName: 'Acme', directories: ['staff'] }],
    secondFactors: { policy: 'none' },
  };
  const problemsWith = (console: object) => {
    const file = write('customers.yaml', JSON.stringify({ accounts, console }));
    return problemsOf(() => loadConfig({ file, env: complete }));
  };
  const operator = ['platform'];
  expect(problemsWith({ enabled: false, access: { operator } })).toEqual([]);
  expect(problemsWith({ enabled: true, access: { operator } })).toEqual([
    expect.stringContaining('console.access.directories'),
  ]);
  expect(problemsWith({ enabled: true, access: { operator, directories: ['colleagues'] } })).toEqual([]);
});

it('credentials of Prometheus that could not be sent are named', () => {
  const problemsWith = (prometheus: object) => {
    const file = write('prometheus.yaml', JSON.stringify({ console: { prometheus } }));
    return problemsOf(() => loadConfig({ file, env: complete }));
  };
  const url = 'http://prometheus.internal:9090';
  expect(problemsWith({ url, username: 'console', password: 'p', labels: { job: 'carnet' } })).toEqual([]);
  expect(problemsWith({ token: 't' })).toEqual([expect.stringContaining('no url')]);
  expect(problemsWith({ url, username: 'console' })).toEqual([expect.stringContaining('both username and password')]);
  expect(problemsWith({ url, token: 't', username: 'u', password: 'p' })).toEqual([expect.stringContaining('Remove')]);
  expect(problemsWith({ url: 'http://u:p@prometheus.internal' })).toEqual([
    expect.stringContaining('console.prometheus.url'),
  ]);
  expect(problemsWith({ url, labels: { 'a{b': 'c' } })).toEqual([expect.stringContaining('console.prometheus.labels')]);
});

it('a wrong color and a logo that is no picture are reported together, of each issuer', () => {
  const logo = write('logo.svg', '<?xml version="1.0"?>\n<svg xmlns="http://www.w3.org/2000/svg"/>');
  const page = write('logo.html', '<!doctype html><p>');
  const section = (brand: object) => ({ enabled: true, access: { operator: ['platform'] }, brand });
  const problemsOfBrand = (brand: object, own: object = {}) => {
    const issuers = { acme: { issuer: `${complete.ISSUER}/acme`, console: { brand: own } } };
    return problemsWith({}, { file: write('brand.yaml', JSON.stringify({ console: section(brand), issuers })) });
  };
  expect(problemsOfBrand({ name: 'Acme', logo, color: '#14614c' })).toEqual([]);
  expect(problemsOfBrand({ logo: 'https://cdn.example/logo.png' })).toEqual([]);
  expect(problemsOfBrand({ logo: '/nowhere/logo.png', color: 'red' }, { logo: page })).toEqual([
    expect.stringContaining('console.brand.color'),
    expect.stringContaining('console.brand.logo: /nowhere/logo.png cannot be read'),
    expect.stringContaining(`issuers.acme.console.brand.logo: ${page} is not an SVG`),
  ]);
  expect(problemsOfBrand({ logo: 'http://cdn.example/logo.png' })).toEqual([
    expect.stringContaining('console.brand.logo'),
  ]);
});
