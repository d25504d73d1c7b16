import type { AccountsOptions } from '@carnet/accounts';
import type { AccountsConfig } from './config.ts';

/** The parts of the configuration that decide about accounts. */
export interface AccountsSettings {
  readonly dev: boolean;
  readonly accounts?: AccountsConfig | undefined;
  readonly urls: { readonly login?: string | undefined; readonly registration?: string | undefined };
}

const isAddress = (hostname: string): boolean => hostname.startsWith('[') || /^[\d.]+$/.test(hostname);

/** The domain of passkeys: as configured, or the host of the login page. Browsers refuse an IP address. */
export const passkeyDomain = ({ accounts, urls }: AccountsSettings): string | undefined => {
  const hostname = urls.login === undefined ? undefined : new URL(urls.login).hostname;
  return accounts?.passkeys.rpId ?? (hostname === undefined || isAddress(hostname) ? undefined : hostname);
};

/** The options of `openAccounts`; undefined if another program checks users. */
export const accountsOptionsOf = (settings: AccountsSettings): AccountsOptions | undefined => {
  const { accounts, urls, dev } = settings;
  if (accounts === undefined) return undefined;
  const rpId = passkeyDomain(settings);
  const pages = [urls.login, urls.registration].filter((url) => url !== undefined).map((url) => new URL(url).origin);
  const origins = accounts.passkeys.origins.length > 0 ? accounts.passkeys.origins : pages.slice(0, 1);
  return {
    ...accounts,
    migrate: accounts.migrate ?? dev,
    directories: accounts.directories.map((directory) => ({
      ...directory,
      subjectPrefix: directory.subjectPrefix ?? `${directory.name}.`,
    })),
    passkeys: {
      ...accounts.passkeys,
      enabled: rpId !== undefined && accounts.secondFactors.kinds.includes('passkey'),
      rpId,
      origins,
    },
    // Emails link to these pages only: a caller of the admin API cannot send users a link to another site.
    linkOrigins: [...new Set([...pages, ...origins])],
  };
};
