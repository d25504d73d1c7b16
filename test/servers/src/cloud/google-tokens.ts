import { randomBytes } from 'node:crypto';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { GoogleRefusal } from './google-status.ts';
import type { StandInAnswer, StandInRequest } from './stand-in.ts';

/** Access tokens, which `google-auth-library` gets by workload identity federation from the stand-in. */
export interface GoogleTokens {
  /** A file for `GOOGLE_APPLICATION_CREDENTIALS`. */
  writeCredentials(url: string): string;
  /** Answers `POST /v1/token` (RFC 8693). Undefined for other requests. */
  exchange(request: StandInRequest): StandInAnswer | undefined;
  /** @throws GoogleRefusal */
  assertAuthorized(request: StandInRequest): void;
  /** The tokens that were issued are accepted no longer. */
  revokeAll(): void;
  /** The tokens are accepted, but the account may do nothing. */
  setPermitted(isPermitted: boolean): void;
}

/** @param isDemanded whether a request without a token is refused, as by Google. An emulator demands none. */
export const createGoogleTokens = (isDemanded: boolean): GoogleTokens => {
  const issued = new Set<string>();
  let isPermitted = true;
  return {
    writeCredentials(url) {
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
    },
    exchange({ method, path }) {
      if (method !== 'POST' || path !== '/v1/token') return undefined;
      const token = randomBytes(16).toString('base64url');
      issued.add(token);
      const issued_token_type = 'urn:ietf:params:oauth:token-type:access_token';
      return {
        status: 200,
        body: { access_token: token, issued_token_type, token_type: 'Bearer', expires_in: 3_600 },
      };
    },
    assertAuthorized({ headers }) {
      if (!isDemanded) return;
      const token = /^Bearer (.+)$/.exec(headers.authorization ?? '')?.[1];
      if (token === undefined || !issued.has(token)) {
        throw new GoogleRefusal(
          'UNAUTHENTICATED',
          'Request is missing required authentication credential. Expected OAuth 2 access token.',
        );
      }
      if (!isPermitted)
        throw new GoogleRefusal('PERMISSION_DENIED', 'Permission denied on resource (or it may not exist).');
    },
    revokeAll: () => issued.clear(),
    setPermitted(next) {
      isPermitted = next;
    },
  };
};
