import type { Settings } from './api/accounts.ts';
import type { SignInOperations } from './api/sign-in.ts';
import { type Directories, normaliseLogin } from './directory/index.ts';
import type { OpenedDatabase } from './opening/open-database.ts';
import type { AccountsOptions } from './options.ts';
import type { FactorKind } from './second-factors/index.ts';

const acrValues = (options: AccountsOptions, hasFactors: boolean, passkeys: boolean): string[] => {
  const isSecondFactorOn = hasFactors && options.secondFactors.kinds.length > 0;
  return ['urn:carnet:1fa', ...(isSecondFactorOn ? ['urn:carnet:2fa'] : []), ...(passkeys ? ['phr'] : [])];
};

/** The kinds that this server can verify. */
export const usableKinds = (
  { secondFactors, passkeys }: Pick<AccountsOptions, 'secondFactors' | 'passkeys'>,
  database: Pick<OpenedDatabase, 'mail'>,
): FactorKind[] => {
  const isOn = { passkey: passkeys.enabled && passkeys.rpId !== undefined, email: database.mail !== undefined };
  return secondFactors.kinds.filter((kind) => (kind !== 'passkey' && kind !== 'email') || isOn[kind]);
};

/** The claims of each scope. The scope of organizations has its claim, whatever the configuration of scopes is. */
const scopesOf = ({ scopes, organizations }: AccountsOptions): Settings['scopes'] => ({
  ...Object.fromEntries(Object.entries(scopes).map(([scope, claims]) => [scope, [...claims]])),
  ...(organizations.length > 0 && { organization: ['organization'] }),
});

/** The features that are on. A feature that needs the database or the mail server is off without it. */
export const settingsOf = (options: AccountsOptions, database: OpenedDatabase | undefined): Settings => {
  const hasMail = database?.mail !== undefined;
  const hasLocalUsers = options.directories.some(({ kind }) => kind === 'sql');
  const passkeys = database !== undefined && options.passkeys.enabled && options.passkeys.rpId !== undefined;
  return {
    signUp: options.signUp.enabled && hasMail && hasLocalUsers,
    passwordRecovery: options.recovery.enabled && hasMail && hasLocalUsers,
    passkeys,
    emailSignIn: options.emailSignIn.enabled && hasMail && options.directories.length > 0,
    identifierFirst:
      options.directories.filter(({ realms }) => realms.length > 0).length > 1 ||
      [...options.providers, ...options.organizations].some(({ domains }) => domains.length > 0),
    organizations: options.organizations.length > 0,
    providersOnly: options.directories.length === 0,
    minimumPasswordLength: options.passwords.minimumLength,
    scopes: scopesOf(options),
    secondFactor: database === undefined ? 'none' : options.secondFactors.policy,
    factorKinds: database === undefined ? [] : usableKinds(options, database),
    acrValues: acrValues(options, database !== undefined, passkeys),
  };
};

/** `signIn.identify`: what pages show before the user has entered a password. */
export const createIdentify =
  (settings: Settings, directories: Pick<Directories, 'realmOf'>): SignInOperations['identify'] =>
  async ({ login }) => {
    const realm = directories.realmOf(normaliseLogin(login) ?? login);
    return {
      ...(realm !== undefined && { realm }),
      methods: settings.passkeys ? ['password', 'passkey'] : ['password'],
    };
  };
