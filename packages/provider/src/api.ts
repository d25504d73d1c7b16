// biome-ignore lint/suspicious/noTsIgnore: the package exists here, so that @ts-expect-error would fail
/** @ts-ignore An app without accounts does not install this optional peer, and compiles without skipLibCheck. */
import type { Accounts, GroupOperations, UserOperations } from '@carnet/accounts';
// biome-ignore lint/suspicious/noTsIgnore: the package exists here, so that @ts-expect-error would fail
/** @ts-ignore An optional peer, as above. */
import type { Events } from '@carnet/events';
import type { Clients } from './clients/manage-clients.ts';
import type { RegistrationTokens } from './clients/registration-tokens.ts';
import type { Consents } from './consents/consent.ts';
import type { Keys } from './keys/sets/manage-keys.ts';
import type { Requests } from './requests/create-requests.ts';
import type { Sessions } from './sessions/revoke-sessions.ts';
import type { Tokens } from './tokens/manage-tokens.ts';
import type { TrustedIssuers } from './trust/trusted-issuers.ts';

/**
 * Everything that the admin API does over HTTP, as functions in process. All of them throw CarnetError
 * `storage_unavailable` when the store does not answer.
 */
export interface Api {
  /**
   * The login, consent, logout, device and CIBA requests that your pages answer.
   *
   * @example
   * app.get('/login', async (request, response) => {
   *   const { client, requestedScopes } = await carnet.requests.login.get(request.query.login_challenge);
   *   response.render('login', { application: client.client_name, requestedScopes });
   * });
   */
  readonly requests: Requests;
  readonly clients: Clients;
  readonly tokens: Tokens;
  readonly sessions: Sessions;
  readonly consents: Consents;
  readonly keys: Keys;
  readonly trustedIssuers: TrustedIssuers;
  readonly registrationTokens: RegistrationTokens;
  /**
   * Sign-in, sign-up, recovery and second factors of users. Undefined if `accounts` is not configured.
   *
   * @example
   * const signIn = await carnet.accounts?.signIn.password({ login, password, binding: loginChallenge });
   * if (signIn?.state === 'done') {
   *   const { subject, acr, amr, authTime } = signIn;
   *   await carnet.requests.login.accept(loginChallenge, { subject, acr, amr, authTime });
   * }
   */
  readonly accounts: Accounts | undefined;
  /** The users, for administrators: list, change, disable, delete. Undefined if `accounts` is not configured. */
  readonly users: UserOperations | undefined;
  /** The groups of users, for administrators. Undefined if `accounts` is not configured. */
  readonly groups: GroupOperations | undefined;
  /** The events that are kept, and the webhooks. Undefined if `events` is not configured. */
  readonly events: Events | undefined;
}
