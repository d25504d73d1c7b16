import { ConfigError } from './config.ts';
import { recordClientAddresses } from './http/client-address.ts';
import { openServices } from './services.ts';

/** Ends the process with a message if the configuration can't be used: a login page that can't log anybody in must not be up. */
export const startUp = (): void => {
  try {
    openServices(process.env);
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    console.error(error.message);
    process.exit(1);
  }
  recordClientAddresses();
};
