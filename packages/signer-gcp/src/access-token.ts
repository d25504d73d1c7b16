import { SignerUnavailableError, SignerUnfitError } from '@carnet/signer-contract';
import { GoogleAuth } from 'google-auth-library';

/** The headers that authorize a request. */
export type Authorization = Readonly<Record<string, string>>;

export interface Credentials {
  /** Without a promise while a token is kept. @throws SignerUnavailableError, SignerUnfitError */
  authorize(): Authorization | Promise<Authorization>;
  /** Gets another token after this one was refused. Undefined without credentials. */
  replace(refused: Authorization): Promise<Authorization> | undefined;
}

const scope = 'https://www.googleapis.com/auth/cloud-platform';

/** With a project id, the library does not look for one by `gcloud` and the network. It is not part of the requests. */
const openAuth = (): GoogleAuth => new GoogleAuth({ scopes: scope, projectId: 'not-used' });

/** How long the library is not asked. It renews a token, which lives an hour, five minutes before its end. */
const keptMs = 10_000;

/** Errors of the library that another attempt does not change. */
const isUnfit = ({ status, message }: { readonly status?: number; readonly message: string }): boolean => {
  if (status !== undefined) return status >= 400 && status < 500 && status !== 429;
  return /could not load the default credentials|ENOENT|does not exist|not valid|must |JSON/i.test(message);
};

/** The cause is dropped deliberately: errors of the library have the request, and so the credential. */
const withAdvice = (error: { readonly status?: number; readonly message: string }): Error => {
  const reason = `No access token from Google: ${error.message}`;
  if (!isUnfit(error)) return new SignerUnavailableError(reason);
  return new SignerUnfitError(
    `${reason}. Set GOOGLE_APPLICATION_CREDENTIALS, or give the machine or the workload a service account.`,
  );
};

const withoutCredentials: Credentials = { authorize: () => ({}), replace: () => undefined };

/**
 * The application default credentials: `GOOGLE_APPLICATION_CREDENTIALS`, or the identity of the machine, or of the workload.
 * `google-auth-library` finds them, keeps the access token and renews it.
 *
 * @param endpoint the address that was configured. Over http, which is loopback only, requests have a token only if
 *   `GOOGLE_APPLICATION_CREDENTIALS` is set, so that an emulator needs no credentials
 */
export const openCredentials = (endpoint?: URL): Credentials => {
  if (endpoint?.protocol === 'http:' && !process.env.GOOGLE_APPLICATION_CREDENTIALS) return withoutCredentials;
  let auth = openAuth();
  let kept: Authorization | undefined;
  let keptUntil = 0;
  let pending: Promise<Authorization> | undefined;

  const ask = async (): Promise<Authorization> => {
    try {
      kept = { authorization: `Bearer ${await auth.getAccessToken()}` };
      keptUntil = performance.now() + keptMs;
      return kept;
    } catch (error) {
      throw withAdvice(error as Error);
    } finally {
      pending = undefined;
    }
  };
  const askOnce = (): Promise<Authorization> => {
    pending ??= ask();
    return pending;
  };
  return {
    authorize: () => (kept !== undefined && performance.now() < keptUntil ? kept : askOnce()),
    replace(refused) {
      // A hundred calls may be refused at once: the first one asks for a token, which is for all.
      if (kept !== refused && kept !== undefined) return Promise.resolve(kept);
      if (pending === undefined) {
        auth = openAuth();
        kept = undefined;
      }
      return askOnce();
    },
  };
};
