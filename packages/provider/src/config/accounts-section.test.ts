import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as accountsPackage from '@carnet/accounts';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createProvider } from '../create-provider.ts';
import { ConfigError } from '../errors.ts';
import { examineConfig, parseConfig } from './parse-config.ts';
import { redact } from './print.ts';
import { layoutWith } from './rule.ts';
import type { Config } from './schema.ts';
import { type Tree, withAt } from './settings.ts';

const production = { production: false };

const base = {
  issuer: 'https://id.example.com',
  storage: { default: 'sqlite:carnet.db' },
  secrets: { system: ['0123456789abcdef0123456789abcdef'] },
  keys: { source: 'store' },
  urls: { login: 'https://login.example.com/login', consent: 'https://login.example.com/consent' },
};

const staff = { name: 'staff', kind: 'ldap', urls: ['ldaps://ldap.example.com'], base: 'dc=example,dc=com' };
const users = { name: 'users', kind: 'sql' };

const layout = layoutWith({ accounts: accountsPackage });

const parse = (accounts: object, others: object = {}) =>
  parseConfig({ ...base, ...others, accounts } as never, production, layout);

const optionsOf = ({ accounts, ...others }: Config) => accounts && accountsPackage.accountsOptionsOf(accounts, others);

const problemsOf = (accounts: object): readonly string[] => {
  try {
    parse(accounts);
    return [];
  } catch (error) {
    if (error instanceof ConfigError) return error.problems;
    throw error;
  }
};

const problemsOfDirectories = (...directories: readonly object[]): readonly string[] =>
  problemsOf({ database: 'sqlite:accounts.db', directories });

describe('the section accounts', () => {
  it('the section is absent by default', () => {
    const config = parseConfig(base as never, production);
    expect(config.accounts).toBeUndefined();
    expect(optionsOf(config)).toBeUndefined();
  });

  it('the section is refused without the schema of its package', () => {
    expect(() => parseConfig({ ...base, accounts: {} } as never, production)).toThrow(
      'accounts: is read by @carnet/accounts. Pass the configuration to createProvider',
    );
  });

  it('the section is checked by createProvider together with the other sections', async () => {
    const input = { ...base, issuer: 'ftp://id.example.com', accounts: { directories: [] } };
    await expect(createProvider(input as never)).rejects.toMatchObject({
      problems: expect.arrayContaining([
        expect.stringMatching(/^issuer: must be an absolute http or https URL/),
        expect.stringMatching(/^accounts\.directories: is empty/),
      ]),
    });
  });

  it('needs one directory and a database; the login page gives the domain of passkeys and the origin of links', () => {
    const config = parse({ database: 'postgres://carnet:hidden@db/accounts', directories: [staff, users] });
    expect(optionsOf(config)).toMatchObject({
      migrate: false,
      directories: [
        { name: 'staff', subjectPrefix: 'staff.', realms: [], optional: false, cacheSeconds: 300, poolSize: 10 },
        { name: 'users', subjectPrefix: 'users.' },
      ],
      cache: { place: 'process' },
      secondFactors: { policy: 'optional' },
      passkeys: { enabled: true, rpId: 'login.example.com', origins: ['https://login.example.com'] },
      linkOrigins: ['https://login.example.com'],
      signUp: { enabled: false },
    });
    expect(parseConfig(config as never, production, layout)).toEqual(config);
  });

  it('reports all problems at once, and suggests the meant key of a directory', () => {
    expect(
      problemsOf({
        directories: [{ ...staff, bindPasword: 'x', poolSize: 0 }, { kind: 'sql' }, { name: 'x', kind: 'nis' }],
        secondFactors: { policy: 'sometimes' },
        signUps: {},
      }),
    ).toEqual([
      expect.stringMatching(/^accounts\.directories\.0\.poolSize of "staff": must be a whole number from 1 to 200/),
      expect.stringMatching(/^accounts\.directories\.0\.bindPasword of "staff": .* Did you mean "bindPassword"\?/),
      expect.stringMatching(/^accounts\.directories\.1\.name: must be lower-case letters/),
      expect.stringMatching(/^accounts\.directories\.2\.kind of "x": must be "ldap", "sql", "http" or "file"/),
      expect.stringMatching(/^accounts\.secondFactors\.policy: must be one of none, optional/),
      expect.stringMatching(/^accounts\.signUps: .* Did you mean "signUp"\?/),
      expect.stringMatching(/^accounts\.database: is missing, and needed by second factors/),
    ]);
  });

  it('masks the passwords and tokens of directories, and no other member', () => {
    const config = parse({
      database: 'postgres://carnet:hidden-1@db/accounts',
      directories: [
        { ...staff, bindDn: 'cn=reader', bindPassword: 'hidden-2' },
        { name: 'partners', kind: 'http', url: 'https://partners.example/check', token: 'hidden-3' },
      ],
      mail: { url: 'smtps://carnet:hidden-4@mail.example.com', from: 'accounts@example.com' },
      validateCheck: { token: 'hidden-5-0123456789' },
    });
    const shown = redact(layout.schema, config);
    expect(JSON.stringify(shown)).not.toContain('hidden');
    expect(shown.accounts?.directories).toMatchObject([
      { name: 'staff', bindDn: 'cn=reader', bindPassword: '***' },
      { url: 'https://partners.example/check', token: '***' },
    ]);
    expect(shown.accounts?.mail.url).toBe('smtps://carnet:***@mail.example.com');
  });
});

describe('directories', () => {
  it('are at least one', () => {
    expect(problemsOfDirectories()).toEqual([expect.stringContaining('is empty')]);
  });

  it.each([
    ['ldap:// without StartTLS', { urls: ['ldap://ldap.example.com'], startTls: false }, /clear text/],
    ['a bind DN without password', { bindDn: 'cn=reader' }, /belong together.*_BIND_PASSWORD/],
    ['nested groups without groups', { nestedGroups: true }, /memberOf or search/],
  ])('refuse %s', (_what, changes, problem) => {
    expect(problemsOfDirectories({ ...staff, ...changes })).toEqual([expect.stringMatching(problem)]);
  });

  it('accept ldap:// with StartTLS, and on this machine', () => {
    expect(problemsOfDirectories({ ...staff, urls: ['ldap://ldap.example.com'] })).toEqual([]);
    expect(
      problemsOfDirectories({ ...staff, urls: ['ldap://127.0.0.1:3890', 'ldap://[::1]:3890'], startTls: false }),
    ).toEqual([]);
  });

  it('send passwords over https only, unless the service is on this machine', () => {
    const http = { name: 'partners', kind: 'http' };
    expect(problemsOfDirectories({ ...http, url: 'http://partners.example/check' })).toEqual([
      expect.stringContaining('must be https'),
    ]);
    expect(problemsOfDirectories({ ...http, url: 'http://127.0.0.1:8000/check' })).toEqual([]);
  });

  it('have names, realms and subjects of their own', () => {
    const other = { ...staff, name: 'other' };
    expect(problemsOfDirectories(staff, staff)).toEqual([expect.stringContaining('another directory has this name')]);
    expect(problemsOfDirectories({ ...staff, realms: ['a.test'] }, { ...other, realms: ['A.test'] })).toEqual([
      expect.stringContaining('the realm A.test is listed before'),
    ]);
    expect(problemsOfDirectories(staff, { ...other, subjectPrefix: 'staff.x' })).toEqual([
      expect.stringContaining('the subjectPrefix of other begins with that of staff'),
    ]);
    expect(problemsOfDirectories(staff, { ...other, subjectPrefix: '' })).toHaveLength(1);
    expect(problemsOfDirectories({ ...staff, subjectPrefix: '' })).toEqual([]);
    expect(problemsOfDirectories(users, { ...users, name: 'more' })).toEqual([
      expect.stringContaining('the accounts database is one directory'),
    ]);
  });
});

describe('the emails', () => {
  const database = 'sqlite:accounts.db';
  const mail = { url: 'smtp://localhost', from: 'id@example.com' };

  it('sign-in by email needs a mail server, a database and users', () => {
    const on = { emailSignIn: { enabled: true } };
    expect(problemsOf({ database, directories: [users], mail, ...on })).toEqual([]);
    expect(problemsOf({ database, directories: [users], ...on })).toEqual([
      expect.stringMatching(/^accounts\.emailSignIn\.enabled: needs a mail server/),
    ]);
    const bare = { directories: [staff], secondFactors: { policy: 'none' }, mail, ...on };
    expect(problemsOf(bare)).toEqual([
      expect.stringMatching(/^accounts\.database: is missing, and needed by accounts\.emailSignIn/),
    ]);
    const provider = { kind: 'oidc', name: 'corp', issuer: 'https://a.example', clientId: 'c', clientSecret: 's' };
    expect(problemsOf({ providers: [provider], secondFactors: { policy: 'none' }, mail, ...on })).toEqual([
      expect.stringMatching(/^accounts\.emailSignIn\.enabled: needs users/),
    ]);
  });

  it('the problems of all templates are reported with those of other sections', () => {
    const folder = mkdtempSync(join(tmpdir(), 'carnet-templates-'));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    writeFileSync(join(folder, 'invitation.en.txt'), 'Subject: Hi {{user}}\n\nHi');
    writeFileSync(join(folder, 'invitation.xx.txt'), '');
    expect(problemsOf({ directories: [], mail: { ...mail, templates: folder } })).toEqual([
      expect.stringMatching(/^accounts\.directories: is empty/),
      expect.stringMatching(/^accounts\.database: is missing/),
      expect.stringMatching(
        /^accounts\.mail\.templates: invitation\.xx\.txt: there is no language[\s\S]*invitation\.en\.txt:1: \{\{user\}\}[\s\S]*\{\{link\}\} is missing/,
      ),
    ]);
  });
});

describe('the database', () => {
  it('a read-only directory without second factors needs no database', () => {
    const bare = { directories: [staff], secondFactors: { policy: 'none' } };
    expect(problemsOf(bare)).toEqual([]);
    expect(problemsOf({ ...bare, directories: [users] })).toEqual([expect.stringContaining('of the kind sql')]);
    expect(problemsOf({ ...bare, cache: { place: 'database' } })).toEqual([expect.stringContaining('cache.place')]);
  });
});

describe('the deletion of accounts', () => {
  it('deletion is for users of the accounts database, and needs no mail server', () => {
    const on = { database: 'sqlite:accounts.db', deletion: { enabled: true } };
    expect(problemsOf({ ...on, directories: [users] })).toEqual([]);
    expect(problemsOf({ ...on, directories: [staff] })).toEqual([expect.stringContaining('of the kind sql')]);
  });
});

describe('emails', () => {
  const database = 'sqlite:accounts.db';
  const features = ['signUp', 'recovery'] as const;

  it.each(features)('are needed by %s, and so are users of the accounts database', (feature) => {
    const on = { database, [feature]: { enabled: true } };
    expect(problemsOf({ ...on, directories: [users] })).toEqual([expect.stringContaining('needs a mail server')]);
    expect(problemsOf({ ...on, directories: [staff] })).toEqual([expect.stringContaining('of the kind sql')]);
    const mail = { url: 'smtps://mail.example.com', from: 'Example <accounts@example.com>' };
    expect(problemsOf({ ...on, directories: [users], mail })).toEqual([]);
  });

  it('are needed by codes by email', () => {
    const on = { database, directories: [staff], secondFactors: { kinds: ['email' as const] } };
    expect(problemsOf(on)).toEqual([expect.stringContaining('has email, which needs a mail server')]);
    const mail = { url: 'smtps://mail.example.com', from: 'Example <accounts@example.com>' };
    expect(problemsOf({ ...on, mail })).toEqual([]);
  });

  it('are shown in the log in dev mode only', () => {
    const accounts = { database, directories: [users], mail: { url: 'log:', from: 'a@example.com' } };
    expect(problemsOf(accounts)).toEqual([expect.stringContaining('dev mode only')]);
    expect(() => parse(accounts, { dev: true })).not.toThrow();
  });
});

describe('passkeys', () => {
  const accounts = { database: 'sqlite:accounts.db', directories: [users] };

  it('belong to the host of the login page, or to a domain above it', () => {
    expect(problemsOf({ ...accounts, passkeys: { rpId: 'example.com' } })).toEqual([]);
    expect(problemsOf({ ...accounts, passkeys: { rpId: 'other.com' } })).toEqual([
      expect.stringContaining('must be the host of the login page (login.example.com)'),
    ]);
  });

  it('are off if the login page is at an address', () => {
    const input: Tree = withAt({ ...base, accounts }, 'urls.login', 'https://192.0.2.7/login');
    const options = optionsOf(parseConfig(input as never, production, layout));
    expect(options?.passkeys).toMatchObject({ enabled: false, rpId: undefined });
  });
});

describe('/validate/check', () => {
  it('/validate/check is refused without a token and without callers', () => {
    const accounts = { database: 'sqlite:accounts.db', directories: [users] };
    expect(problemsOf({ ...accounts, validateCheck: { enabled: true } })).toEqual([
      expect.stringContaining('validateCheck.token or accounts.validateCheck.allow'),
    ]);
    expect(problemsOf({ ...accounts, validateCheck: { enabled: true, allow: ['10.0.0.0/8'] } })).toEqual([]);
  });
});

describe('providers', () => {
  const google = { name: 'google', kind: 'oidc', preset: 'google', clientId: 'c', clientSecret: 's' };
  const entra = { ...google, name: 'entra', preset: 'microsoft', tenants: ['72f988bf-86f1-41af-91ab-2d7cd011db47'] };
  const apple = { ...google, preset: 'apple', clientSecret: undefined, teamId: 't', keyId: 'k', privateKey: 'p' };
  const corp = { name: 'corp', kind: 'oidc', issuer: 'https://idp.example.com', clientId: 'c', clientSecret: 's' };
  const section = (...providers: readonly object[]) => ({
    database: 'sqlite:accounts.db',
    directories: [users],
    providers,
  });
  const problemsOfProviders = (...providers: readonly object[]) => problemsOf(section(...providers));

  it('are any issuer, and presets', () => {
    expect(problemsOfProviders(google, entra, corp, { ...apple, name: 'apple' })).toEqual([]);
    expect(optionsOf(parse(section(google)))).toMatchObject({
      providers: [{ name: 'google', signUp: 'confirm', factors: 'own', domains: [], isAuthorityFor: [] }],
    });
  });

  it.each([
    ['no issuer', { issuer: undefined }, /provider corp: has no issuer\. Set issuer, or a preset/],
    ['an issuer without TLS', { issuer: 'http://idp.example.com' }, /must be https/],
    ['no credentials', { clientSecret: undefined }, /has no credentials.*ACCOUNTS_PROVIDER_<NAME>_CLIENT_SECRET/],
    ['two credentials', { privateKey: 'k' }, /has clientSecret and privateKey/],
    ['tenants of another product', { tenants: ['t'] }, /are for the presets microsoft and google/],
    ['a mapping of a claim of the protocol', { claims: { acr: 'x' } }, /claims\.acr belongs to the protocol/],
  ])('refuse %s', (_what, changes, problem) => {
    expect(problemsOfProviders({ ...corp, ...changes })).toEqual([expect.stringMatching(problem)]);
  });

  it.each([
    ['a private key for Google', { ...google, clientSecret: undefined, privateKey: 'k' }, /accepts no private key/],
    ['an issuer for Google', { ...google, issuer: 'https://idp.example.com' }, /has the issuer of its preset/],
    ['an issuer for Apple', { ...apple, issuer: 'https://idp.example.com' }, /has the issuer of its preset/],
    ['Apple without its team', { ...apple, teamId: undefined }, /needs teamId, keyId and privateKey/],
    ['Apple without the id of the key', { ...apple, keyId: undefined }, /needs teamId, keyId and privateKey/],
    ['Apple without a key', { ...apple, privateKey: undefined }, /needs teamId, keyId and privateKey/],
    ['Apple with a secret', { ...apple, clientSecret: 's' }, /signs its client secrets itself/],
    ['a team of another product', { ...google, teamId: 't' }, /teamId is for the preset apple/],
    ['Microsoft without tenants', { ...entra, tenants: [] }, /has no tenants\. List the ids/],
    ['an issuer that is not of Microsoft', { ...entra, issuer: 'https://idp.example.com' }, /must begin with/],
  ])('refuse %s', (_what, provider, problem) => {
    expect(problemsOfProviders(provider)).toEqual([expect.stringMatching(problem)]);
  });

  it.each([
    ['no metadata', { metadataUrl: undefined }, /Set one of metadataUrl, metadataFile and ssoUrl/],
    ['two kinds of metadata', { metadataFile: 'idp.xml' }, /Set one of metadataUrl, metadataFile and ssoUrl/],
    [
      'a file without the entity ID',
      { metadataUrl: undefined, metadataFile: 'idp.xml' },
      /metadataFile needs the entity ID/,
    ],
    ['metadata without TLS', { metadataUrl: 'http://idp.example.com/metadata' }, /its metadataUrl must be https/],
    ['certificates besides metadata', { certificates: ['c'] }, /has certificates and metadata/],
    [
      'a service without certificates',
      { metadataUrl: undefined, ssoUrl: 'https://idp.example.com' },
      /needs the entity ID/,
    ],
    ['a key without its certificate', { privateKey: 'k' }, /privateKey and certificate belong together/],
    [
      'half of the encryption',
      { decryptionCertificate: 'c' },
      /decryptionKey and decryptionCertificate belong together/,
    ],
    ['a NameID that identifies no user', { nameIdFormat: 'unspecified' }, /identifies no user. Set subjectAttribute/],
    ['a mapping of a claim of the protocol', { claims: { sub: 'uid' } }, /claims\.sub belongs to the protocol/],
  ])('of SAML refuse %s', (_what, changes, problem) => {
    const saml = { name: 'corp', kind: 'saml', metadataUrl: 'https://idp.example.com/metadata' };
    expect(problemsOfProviders(saml)).toEqual([]);
    expect(problemsOfProviders({ ...saml, ...changes })).toEqual([expect.stringMatching(problem)]);
  });

  it('have names, domains and clients of their own, and need a database', () => {
    const other = { ...corp, name: 'other' };
    expect(problemsOfProviders(corp, corp)).toEqual([expect.stringContaining('another provider has this name')]);
    const domains = ['example.com'];
    expect(problemsOfProviders({ ...corp, domains }, { ...other, domains })).toEqual([
      expect.stringContaining('example.com is in the domains of another provider'),
    ]);
    const clients = ['portal'];
    expect(problemsOfProviders({ ...corp, clients }, { ...other, clients })).toHaveLength(1);
    expect(problemsOf({ directories: [staff], providers: [corp], secondFactors: { policy: 'none' } })).toEqual([
      expect.stringContaining('provider corp: creates users'),
      expect.stringContaining('is missing, and needed by accounts.providers'),
    ]);
  });

  it('need neither a directory nor a database, if second factors are not required', () => {
    expect(problemsOf({ providers: [corp] })).toEqual([]);
    expect(problemsOf({ providers: [corp], secondFactors: { policy: 'required' } })).toEqual([
      expect.stringContaining('secondFactors.policy: needs users'),
    ]);
    const ofBank = { policy: 'none', clients: { bank: 'required' } };
    expect(problemsOf({ providers: [corp], secondFactors: ofBank })).toHaveLength(1);
    expect(problemsOf({ directories: [staff], secondFactors: ofBank })).toEqual([
      expect.stringContaining('is missing, and needed by second factors'),
    ]);
    const [problem] = problemsOf({});
    expect(problem).toContain('is empty. Add at least one directory, or a provider');
  });

  it('have secrets that are masked', () => {
    const config = parse(section({ ...corp, clientSecret: 'hidden' }));
    expect(JSON.stringify(redact(layout.schema, config))).not.toContain('hidden');
  });
});

describe('organizations', () => {
  const corp = { name: 'corp', kind: 'oidc', issuer: 'https://idp.example.com', clientId: 'c', clientSecret: 's' };
  const acme = { name: 'acme', displayName: 'Acme', directories: ['staff'], providers: ['corp'] };
  const globex = { name: 'globex', displayName: 'Globex', members: { groups: ['globex'] } };
  const warningsOf = (accounts: object) =>
    examineConfig(
      { ...base, accounts: { database: 'sqlite:accounts.db', ...accounts } },
      new Map(),
      production,
      layout,
    ).warnings.map(({ text }) => text);
  const problemsWith = (organizations: readonly object[], others: object = {}) =>
    problemsOf({
      database: 'sqlite:accounts.db',
      directories: [users, staff],
      providers: [corp],
      organizations,
      ...others,
    });

  it('have directories, providers or groups', () => {
    expect(problemsWith([acme, globex])).toEqual([]);
    expect(
      optionsOf(
        parse({ directories: [staff], organizations: [{ ...acme, providers: [] }], secondFactors: { policy: 'none' } }),
      ),
    ).toMatchObject({
      organizations: [{ name: 'acme', domains: [], clients: [], members: { groups: [] }, brand: {} }],
    });
  });

  it('are reported with every unknown name at once', () => {
    const unknown = { ...acme, directories: ['staff', 'ldap'], providers: ['entra', 'okta'] };
    expect(problemsWith([unknown, { ...globex, directories: ['files'] }])).toEqual([
      expect.stringMatching(
        /organization acme: there is no directory ldap\..* organization globex: there is no directory files/,
      ),
      expect.stringContaining('organization acme: there is no provider entra, okta. Add it to accounts.providers.'),
    ]);
  });

  it.each([
    ['two with one name', [acme, acme], /another organization has this name/],
    ['one without members', [{ ...acme, directories: [], providers: [] }], /it has no members/],
    ['a name with capitals', [{ ...acme, name: 'Acme' }], /must be lower-case letters/],
    ['an unknown policy', [{ ...acme, secondFactors: 'strict' }], /must be one of none, optional/],
    ['a logo without TLS', [{ ...acme, brand: { logo: 'http://acme.example/logo.svg' } }], /brand\.logo must be https/],
    ['a color by name', [{ ...acme, brand: { color: 'green' } }], /must be a color such as/],
    [
      'a domain of two',
      [
        { ...acme, domains: ['acme.example'] },
        { ...globex, domains: ['acme.example'] },
      ],
      /acme\.example is in the domains of another organization/,
    ],
    [
      'the shared database',
      [{ ...globex, directories: ['users'] }],
      /the provider corp creates users in the directory users/,
    ],
  ])('refuse %s', (_what, organizations, problem) => {
    expect(problemsWith(organizations)).toEqual([expect.stringMatching(problem)]);
  });

  it('refuse the domain of a provider of another organization', () => {
    const domains = ['acme.example'];
    expect(problemsWith([{ ...globex, domains }], { providers: [{ ...corp, domains }] })).toEqual([
      expect.stringContaining('are also those of the provider corp'),
    ]);
    expect(problemsWith([{ ...acme, domains }], { providers: [{ ...corp, domains }] })).toEqual([]);
  });

  it('have all users of the database only if no other user can be created there', () => {
    const all = [{ ...globex, directories: ['users'] }];
    expect(problemsWith(all, { providers: [{ ...corp, signUp: 'off' }] })).toEqual([]);
    const mail = { url: 'smtps://mail.example.com', from: 'a@example.com' };
    expect(problemsWith(all, { providers: [], signUp: { enabled: true }, mail })).toEqual([
      expect.stringContaining('organization globex: everybody can sign up'),
    ]);
  });

  it('have no users whom SCIM clients create, unless by groups, which deserve a warning', () => {
    const scim = { enabled: true, token: 'x'.repeat(32) };
    expect(problemsWith([{ ...globex, directories: ['users'] }], { providers: [], scim })).toEqual([
      expect.stringContaining('organization globex: SCIM clients (accounts.scim.enabled) create users'),
    ]);
    const withGroups = { directories: [users], scim };
    expect(warningsOf({ ...withGroups, organizations: [globex] })).toEqual([]);
    expect(warningsOf({ ...withGroups, organizations: [globex, { ...globex, name: 'initech' }] })).toEqual([
      expect.stringMatching(/organization globex: SCIM clients .* organization initech: SCIM clients/),
    ]);
  });

  it('warn of a directory that gets the passwords of users of others', () => {
    const organizations = [{ ...acme, providers: [] }];
    expect(warningsOf({ directories: [users, staff], organizations })).toEqual([
      expect.stringContaining('organization acme: its directory staff gets the passwords of users of others'),
    ]);
    const withDomains = organizations.map((each) => ({ ...each, domains: ['acme.example'] }));
    expect(warningsOf({ directories: [users, staff], organizations: withDomains })).toEqual([]);
    expect(warningsOf({ directories: [users, { ...staff, realms: ['acme'] }], organizations })).toEqual([]);
    expect(warningsOf({ directories: [staff], organizations })).toEqual([]);
  });

  it('have providers of their own, if there are no directories', () => {
    const [one, other] = ['one', 'other'].map((name) => ({ name, displayName: name, providers: ['corp'] }));
    const broker = { database: undefined, directories: [] };
    expect(problemsWith([{ ...one }], broker)).toEqual([]);
    expect(problemsWith([{ ...one }, { ...other }], broker)).toEqual([
      expect.stringContaining('the provider corp is one of another organization'),
    ]);
    expect(problemsWith([{ ...globex }], broker)).toEqual([expect.stringContaining('members.groups needs users')]);
    expect(problemsWith([{ ...one, secondFactors: 'required' }], broker)).toEqual([
      expect.stringContaining('secondFactors.policy: needs users'),
    ]);
  });
});
