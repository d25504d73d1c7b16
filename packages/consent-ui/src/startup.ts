import { ConfigError } from './config.ts';
import { recordClientAddresses } from './http/client-address.ts';
import { openServices } from './services.ts';

/** Ends the process with a message if the configuration is not valid: a login page without users must not start. */
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
