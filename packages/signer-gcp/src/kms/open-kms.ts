import { openCredentials } from '../access-token.ts';
import { type GoogleApi, openGoogleApi } from '../google-api.ts';

/** Opens the Cloud KMS API. */
export const openKms = (cryptoKey: string, endpoint: URL | undefined, permissions: string): GoogleApi =>
  openGoogleApi({
    origin: endpoint ?? new URL('https://cloudkms.googleapis.com'),
    credentials: openCredentials(endpoint),
    advice: `Check that ${cryptoKey} exists and is enabled, and that the service account of Carnet has ${permissions} on it.`,
  });
