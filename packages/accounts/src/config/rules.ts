import { readTemplates } from '../mail/templates/read-templates.ts';
import { type AccountsConfig, passkeyDomain } from '../options.ts';
import { organizationCautions, organizationRules } from './organization-rules.ts';
import { providerRules } from './provider-rules.ts';
import { type AccountsRule, hasSql, isBrokerOnly, isLoopbackUrl, rule } from './rule.ts';

type Directories = AccountsConfig['directories'];

/** The problem of the first directory that has one. */
const eachDirectory = (
  problemOf: (directory: Directories[number], index: number, all: Directories) => string | false,
): AccountsRule =>
  rule('directories', ({ directories }) => {
    for (const [index, directory] of directories.entries()) {
      const problem = problemOf(directory, index, directories);
      if (problem !== false) return `directory ${directory.name}: ${problem}`;
    }
    return false;
  });

const prefixOf = ({ name, subjectPrefix }: Directories[number]): string => subjectPrefix ?? `${name}.`;

const ldapProblem = (directory: Extract<Directories[number], { kind: 'ldap' }>): string | false => {
  const clear = directory.urls.find((url) => /^ldap:/i.test(url));
  if (clear !== undefined && !directory.startTls && !isLoopbackUrl(clear))
    return `${clear} would send passwords in clear text. Use ldaps://, or remove startTls: false.`;
  if ((directory.bindDn === undefined) !== (directory.bindPassword === undefined))
    return 'bindDn and bindPassword belong together. Set both (bindPassword by ACCOUNTS_DIRECTORY_<NAME>_BIND_PASSWORD), or neither for an anonymous search.';
  if (directory.nestedGroups && directory.groups === 'none')
    return 'nestedGroups needs a source of groups. Set groups to memberOf or search.';
  return false;
};

const sqlProblem = (accounts: AccountsConfig): string | false =>
  !hasSql(accounts) && 'needs a directory of the kind sql. Add one to accounts.directories.';

const serverProblem = ({ mail }: AccountsConfig): string | false =>
  (mail.url === undefined || mail.from === undefined) &&
  'needs a mail server. Set accounts.mail.url (ACCOUNTS_MAIL_URL) and accounts.mail.from (ACCOUNTS_MAIL_FROM).';

const mailProblem = (accounts: AccountsConfig): string | false => sqlProblem(accounts) || serverProblem(accounts);

const emailFactorProblem = (accounts: AccountsConfig): string | false => {
  const problem = accounts.secondFactors.kinds.includes('email') && serverProblem(accounts);
  return problem && `has email, which ${problem}`;
};

/** The policies of all realms, clients and organizations. */
const policiesOf = ({ secondFactors: { policy, realms, clients }, organizations }: AccountsConfig) => [
  policy,
  ...Object.values(realms),
  ...Object.values(clients),
  ...organizations.flatMap(({ secondFactors }) => secondFactors ?? []),
];

const needsDatabase = (accounts: AccountsConfig): string | undefined => {
  if (accounts.providers.some(({ kind }) => kind === 'saml'))
    return 'providers of the kind saml (assertions are used once)';
  if (isBrokerOnly(accounts)) return undefined;
  if (hasSql(accounts)) return 'the directory of the kind sql';
  if (accounts.providers.length > 0) return 'accounts.providers';
  if (accounts.emailSignIn.enabled) return 'accounts.emailSignIn';
  if (policiesOf(accounts).some((policy) => policy !== 'none')) return 'second factors (accounts.secondFactors.policy)';
  if (accounts.cache.place === 'database') return 'accounts.cache.place: database';
  return accounts.validateCheck.enabled ? 'accounts.validateCheck' : undefined;
};

const overlapOf = (directories: Directories): readonly [Directories[number], Directories[number]] | undefined => {
  for (const one of directories) {
    const other = directories.find(
      (each) => each !== one && each.name !== one.name && prefixOf(each).startsWith(prefixOf(one)),
    );
    if (other !== undefined) return [one, other];
  }
  return undefined;
};

const directoryRules: readonly AccountsRule[] = [
  rule(
    'directories',
    ({ directories, providers }) =>
      directories.length === 0 &&
      providers.length === 0 &&
      'is empty. Add at least one directory, or a provider (accounts.providers), or leave out accounts.',
  ),
  eachDirectory(
    ({ name }, index, all) =>
      all.findIndex((other) => other.name === name) !== index && 'another directory has this name. Give each its own.',
  ),
  eachDirectory(
    ({ kind }, index, all) =>
      kind === 'sql' &&
      all.findIndex((other) => other.kind === 'sql') !== index &&
      'the accounts database is one directory. Remove the other one of the kind sql.',
  ),
  eachDirectory(({ realms }, index, all) => {
    const earlier = all.slice(0, index).flatMap((other) => other.realms.map((realm) => realm.toLowerCase()));
    const repeated = realms.find((realm, at) => [...earlier, ...realms.slice(0, at)].includes(realm.toLowerCase()));
    return repeated !== undefined && `the realm ${repeated} is listed before. Give it to one directory.`;
  }),
  rule('directories', ({ directories }) => {
    const overlap = overlapOf(directories);
    if (overlap === undefined) return false;
    const [one, other] = overlap;
    return `the subjectPrefix of ${other.name} begins with that of ${one.name}: a user of one could get the subject of a user of the other. Change one of them.`;
  }),
  eachDirectory(
    (directory) =>
      directory.kind === 'http' &&
      !directory.url.toLowerCase().startsWith('https:') &&
      !isLoopbackUrl(directory.url) &&
      'its url must be https, because passwords are sent there.',
  ),
  eachDirectory((directory) => directory.kind === 'ldap' && ldapProblem(directory)),
];

/** The rules of the section `accounts`. */
export const accountsRules: readonly AccountsRule[] = [
  ...directoryRules,
  ...providerRules,
  ...organizationRules,
  rule('database', (accounts, _draft, { variableFor }) => {
    const reason = accounts.database === undefined ? needsDatabase(accounts) : undefined;
    const variable = variableFor?.('accounts.database');
    const setIt = variable === undefined ? 'Set it' : `Set it, or the variable ${variable},`;
    return reason !== undefined && `is missing, and needed by ${reason}. ${setIt} to a URL such as sqlite:accounts.db.`;
  }),
  rule(
    'secondFactors.policy',
    (accounts) =>
      isBrokerOnly(accounts) &&
      policiesOf(accounts).some((policy) => policy === 'required' || policy === 'phishing_resistant') &&
      'needs users, to whom second factors belong. Add a directory to accounts.directories.',
  ),
  rule('secondFactors.kinds', emailFactorProblem),
  rule('signUp.enabled', (accounts) => accounts.signUp.enabled && mailProblem(accounts)),
  rule('emailSignIn.enabled', (accounts) => {
    if (!accounts.emailSignIn.enabled) return false;
    if (isBrokerOnly(accounts)) return 'needs users who have an address here. Add a directory to accounts.directories.';
    return serverProblem(accounts);
  }),
  rule('recovery.enabled', (accounts) => accounts.recovery.enabled && mailProblem(accounts)),
  rule('deletion.enabled', (accounts) => accounts.deletion.enabled && sqlProblem(accounts)),
  rule(
    'mail.url',
    ({ mail }, { dev }) =>
      mail.url === 'log:' &&
      !dev &&
      'log: shows links that sign users in, and is accepted in dev mode only. Set the URL of a mail server.',
  ),
  rule('mail.templates', ({ mail: { templates } }) => {
    const problems = templates === undefined ? [] : readTemplates(templates).problems;
    return problems.length > 0 && problems.join('\n    ');
  }),
  rule(
    'demoUser',
    ({ demoUser }, { dev }) =>
      demoUser &&
      !dev &&
      'is accepted in dev mode only: its password is public. Remove it, and run `carnet users create`.',
  ),
  rule('passkeys.rpId', ({ passkeys: { rpId } }, { urls }) => {
    if (rpId === undefined || urls.login === undefined) return false;
    const { hostname } = new URL(urls.login);
    return (
      hostname !== rpId &&
      !hostname.endsWith(`.${rpId}`) &&
      `must be the host of the login page (${hostname}), or a domain above it.`
    );
  }),
  rule(
    'validateCheck.enabled',
    ({ validateCheck }) =>
      validateCheck.enabled &&
      validateCheck.token === undefined &&
      validateCheck.allow.length === 0 &&
      'needs callers that may use it. Set accounts.validateCheck.token or accounts.validateCheck.allow.',
  ),
  rule('scim.enabled', (accounts) => accounts.scim.enabled && sqlProblem(accounts)),
  rule(
    'scim.token',
    ({ scim }) =>
      scim.enabled &&
      scim.token === undefined &&
      scim.tokens.length === 0 &&
      'is missing. Set it, or the variable ACCOUNTS_SCIM_TOKEN, to the token of the SCIM client: `openssl rand -hex 32` makes one.',
  ),
  rule(
    'scim.tokens',
    ({ scim: { tokens } }) =>
      new Set(tokens.map(({ name }) => name)).size < tokens.length &&
      'has two tokens of the same name. Audit records must tell them apart: give each a name of its own.',
  ),
];

/** Settings of the section `accounts` that work, but deserve a warning. */
export const accountsCautions: readonly AccountsRule[] = [
  ...organizationCautions,
  rule(
    'secondFactors.kinds',
    (accounts, { urls }) =>
      accounts.secondFactors.policy !== 'none' &&
      accounts.secondFactors.kinds.includes('passkey') &&
      urls.login !== undefined &&
      passkeyDomain(accounts, { urls }) === undefined &&
      'has passkey, but browsers accept passkeys only for https and a host name, or for localhost. Change urls.login, such as to http://localhost:3000/login.',
  ),
];
