import { randomBytes } from 'node:crypto';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { answering, GoogleRefusal } from './google-status.ts';
import { type StandIn, type StandInOptions, type StandInRequest, startStandIn } from './stand-in.ts';

export interface GoogleOptions extends StandInOptions {
  /** Whether a request without an access token is refused. Default: false, as an emulator. */
  readonly isTokenDemanded?: boolean;
}

/** A stand-in of one of Google's APIs. `google-auth-library` gets access tokens from it by workload identity federation. */
export interface GoogleStandIn extends StandIn {
  readonly tokens: {
    /** A file for `GOOGLE_APPLICATION_CREDENTIALS`. */
    readonly credentials: string;
    /** The tokens that were issued are accepted no longer. */
    revokeAll(): void;
    /** The tokens are accepted, but the account may do nothing. */
    setPermitted(isPermitted: boolean): void;
  };
}

const writeCredentials = (url: string): string => {
  const folder = mkdtempSync(join(tmpdir(), 'carnet-google-'));
  const [subject, credentials] = [join(folder, 'subject-token'), join(folder, 'credentials.json')];
  writeFileSync(subject, 'a subject token');
  const content = {
    type: 'external_account',
    audience: '//iam.googleapis.com/projects/1/locations/global/workloadIdentityPools/carnet/providers/test',
    subject_token_type: 'urn:ietf:params:oauth:token-type:jwt',
    token_url: `${url}/v1/token`,
    credential_source: { file: subject },
  };
  writeFileSync(credentials, JSON.stringify(content), { mode: 0o600 });
  return credentials;
};

/** Serves `answer`, which throws a GoogleRefusal. It calls `assertAuthorized` for a request that needs an access token. */
export const startGoogleStandIn = async (
  answer: (request: StandInRequest, assertAuthorized: () => void) => unknown,
  options: GoogleOptions,
): Promise<GoogleStandIn> => {
  const issued = new Set<string>();
  let isPermitted = true;

  /** The answer to `POST /v1/token` (RFC 8693). */
  const issue = () => {
    const token = randomBytes(16).toString('base64url');
    issued.add(token);
    const issued_token_type = 'urn:ietf:params:oauth:token-type:access_token';
    return { access_token: token, issued_token_type, token_type: 'Bearer', expires_in: 3_600 };
  };

  const assertAuthorized = ({ headers }: StandInRequest): void => {
    if (!options.isTokenDemanded) return;
    const token = /^Bearer (.+)$/.exec(headers.authorization ?? '')?.[1];
    if (token === undefined || !issued.has(token)) {
      throw new GoogleRefusal(
        'UNAUTHENTICATED',
        'Request is missing required authentication credential. Expected OAuth 2 access token.',
      );
    }
    if (!isPermitted)
      throw new GoogleRefusal('PERMISSION_DENIED', 'Permission denied on resource (or it may not exist).');
  };

  const standIn = await startStandIn((request) => {
    if (request.method === 'POST' && request.path === '/v1/token') return { status: 200, body: issue() };
    return answering(() => answer(request, () => assertAuthorized(request)));
  }, options);
  return {
    ...standIn,
    tokens: {
      credentials: writeCredentials(standIn.url),
      revokeAll: () => issued.clear(),
      setPermitted(next) {
        isPermitted = next;
      },
    },
  };
};
