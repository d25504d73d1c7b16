import { type Directories, normaliseLogin } from '@carnet/directory';
import type { OpenedDatabase } from './opening/open-database.ts';
import type { AccountsOptions } from './options.ts';
import type { Accounts, Output } from './wire.ts';

type Settings = Output<'settings'>;

const acrValues = (options: AccountsOptions, hasFactors: boolean, passkeys: boolean): string[] => {
  const isSecondFactorOn = hasFactors && options.secondFactors.kinds.length > 0;
  return ['urn:carnet:1fa', ...(isSecondFactorOn ? ['urn:carnet:2fa'] : []), ...(passkeys ? ['phr'] : [])];
};

/** The features that are on. A feature that needs the database or the mail server is off without it. */
export const settingsOf = (options: AccountsOptions, database: OpenedDatabase | undefined): Settings => {
  const hasMail = database?.mail !== undefined;
  const hasLocalUsers = options.directories.some(({ kind }) => kind === 'sql');
  const passkeys = database !== undefined && options.passkeys.enabled && options.passkeys.rpId !== undefined;
  return {
    sign_up: options.signUp.enabled && hasMail && hasLocalUsers,
    password_recovery: options.recovery.enabled && hasMail && hasLocalUsers,
    passkeys,
    identifier_first: options.directories.filter(({ realms }) => realms.length > 0).length > 1,
    minimum_password_length: options.passwords.minimumLength,
    scopes: Object.fromEntries(Object.entries(options.scopes).map(([scope, claims]) => [scope, [...claims]])),
    second_factor: database === undefined ? 'none' : options.secondFactors.policy,
    factor_kinds:
      database === undefined ? [] : options.secondFactors.kinds.filter((kind) => kind !== 'passkey' || passkeys),
    acr_values: acrValues(options, database !== undefined, passkeys),
  };
};

/** `settings` and `sign-in/identify`: what pages show before the user has entered a password. */
export const createSettings = (
  settings: Settings,
  directories: Pick<Directories, 'realmOf'>,
): Pick<Accounts, 'settings' | 'sign-in/identify'> => ({
  settings: async () => settings,
  'sign-in/identify': async ({ login }) => {
    const realm = directories.realmOf(normaliseLogin(login) ?? login);
    return {
      ...(realm !== undefined && { realm }),
      methods: settings.passkeys ? ['password', 'passkey'] : ['password'],
    };
  },
});
