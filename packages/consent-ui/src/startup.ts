import { type Accounts, AccountsError } from '@carnet/accounts/client';
import { recordClientAddresses } from './http/client-address.ts';
import { openServices } from './services.ts';
import { ConfigError } from './settings/config.ts';
import { fromEnvironment } from './settings/read-settings.ts';

const remedies: Partial<Record<string, string>> = {
  not_supported: 'Carnet has no users: add the section `accounts` to its configuration (docs/guides/directories.md)',
  unauthorized: 'CARNET_ADMIN_TOKEN: the admin API of Carnet refuses this token',
};

/** @throws ConfigError if Carnet has no users. An admin API that does not answer yet is no reason not to start. */
const checkAccounts = async (accounts: Pick<Accounts, 'settings'>): Promise<void> => {
  try {
    await accounts.settings();
  } catch (error) {
    const remedy = error instanceof AccountsError ? remedies[error.code] : undefined;
    if (remedy !== undefined) throw new ConfigError(`The consent UI can't start:\n  - ${remedy}`);
    console.warn(`The accounts of Carnet could not be checked: ${error}`);
  }
};

/** EX_CONFIG of sysexits.h, as `carnet serve`: the systemd unit does not restart pages with a wrong configuration. */
const configurationRefused = 78;

/** Ends the process with a message if the configuration is not valid: a login page without users must not start. */
export const startUp = async (): Promise<void> => {
  try {
    await checkAccounts(openServices(fromEnvironment(process.env)).accounts);
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    console.error(error.message);
    process.exit(configurationRefused);
  }
  recordClientAddresses();
};
