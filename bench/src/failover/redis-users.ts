import type { Endpoints } from '../targets/target.ts';
import { openHttpPool } from '../users/http-pool.ts';
import type { Tokens } from '../users/kinds.ts';
import { openLogins, type User } from '../users/logins.ts';
import type { Client } from '../users/register-client.ts';
import { UnexpectedAnswer } from '../users/unexpected-answer.ts';

/** More than are ever used: no request waits for a connection. */
const connections = 1_024;
const form = { 'content-type': 'application/x-www-form-urlencoded' };

export const steps = ['login', 'returning login', 'logout', 'revocation'] as const;
export type Step = (typeof steps)[number];

export interface Event {
  readonly step: Step;
  /** From `performance.now()`: when the step began and ended. */
  readonly startedAt: number;
  readonly endedAt: number;
  /** `refused`: 503 with Retry-After. `forgotten`: the user has to sign in or to consent again. */
  readonly outcome: 'done' | 'refused' | 'forgotten' | 'failed';
  readonly detail?: string;
}

/** What the server has acknowledged. */
export interface Ledger {
  readonly events: Event[];
  /** Users whose login is remembered. */
  readonly remembered: Set<User>;
  /** Users whose sessions have been ended. */
  readonly loggedOut: User[];
  /** Users whose logout was refused: it may or may not have been carried out. */
  readonly logoutRefused: User[];
  readonly issued: Tokens[];
  readonly revoked: Tokens[];
}

const createLedger = (): Ledger => ({
  events: [],
  remembered: new Set(),
  loggedOut: [],
  logoutRefused: [],
  issued: [],
  revoked: [],
});

const isRefusal = (error: unknown): boolean =>
  error instanceof UnexpectedAnswer && error.status === 503 && error.hasRetryAfter;

/** The request of the login app did not have `skip`. */
const isForgotten = (error: unknown): boolean => /^the (login|consent) request is not/.test((error as Error).message);

/** Does a step and records its outcome. Resolves with undefined unless the step was done. */
const recordingIn =
  ({ events }: Ledger) =>
  async <T>(step: Step, work: () => Promise<T>): Promise<T | undefined> => {
    const startedAt = performance.now();
    const record = (outcome: Event['outcome'], detail = '') =>
      events.push({ step, startedAt, endedAt: performance.now(), outcome, ...(detail && { detail }) });
    try {
      const result = await work();
      record('done');
      return result;
    } catch (error) {
      if (isRefusal(error)) record('refused');
      else if (isForgotten(error)) record('forgotten');
      else record('failed', (error as Error).message);
      return undefined;
    }
  };

/** The requests beside logins. */
const openRequests = (target: Endpoints, client: Client) => {
  const admin = openHttpPool(target.adminUrl, connections);
  const publicPool = openHttpPool(target.publicUrl, connections);
  return {
    async endSessions({ subject }: User): Promise<true> {
      const path = `/admin/oauth2/auth/sessions/login?subject=${encodeURIComponent(subject)}`;
      await admin.send({ method: 'DELETE', path }, 204);
      return true;
    },
    async revoke({ refresh_token: token }: Tokens): Promise<true> {
      const body = new URLSearchParams({ token, client_id: client.id }).toString();
      await publicPool.send({ method: 'POST', path: '/oauth2/revoke', headers: form, body }, 200);
      return true;
    },
    async isActive(token: string): Promise<boolean> {
      const body = new URLSearchParams({ token }).toString();
      const answer = await admin.send({ method: 'POST', path: '/admin/oauth2/introspect', headers: form, body }, 200);
      return (JSON.parse(answer.body) as { active: boolean }).active;
    },
    close() {
      admin.close();
      publicPool.close();
    },
  };
};

/** Users who log in and are remembered, return, and log out or have their tokens revoked. */
export const openRedisUsers = (target: Endpoints, client: Client) => {
  const logins = openLogins(target, client, connections);
  const requests = openRequests(target, client);
  const ledger = createLedger();
  const attempt = recordingIn(ledger);

  let begun = 0;
  return {
    ledger,
    /** A user logs in; the user who logged in longest ago returns, and may log out. Never throws: the ledger has the outcomes. */
    async visit(): Promise<void> {
      const turn = begun++ % 3;
      const newUser = await attempt('login', logins.remember);
      if (newUser !== undefined) ledger.remembered.add(newUser);
      const [user] = ledger.remembered;
      if (user === undefined) return;
      // No other visit uses the cookies of this user meanwhile.
      ledger.remembered.delete(user);
      const tokens = await attempt('returning login', () => logins.comeBack(user));
      if (turn !== 0) ledger.remembered.add(user);
      else if (await attempt('logout', () => requests.endSessions(user))) ledger.loggedOut.push(user);
      else ledger.logoutRefused.push(user);
      if (tokens === undefined) return;
      if (turn === 2) ledger.issued.push(tokens);
      else if (turn === 1 && (await attempt('revocation', () => requests.revoke(tokens)))) ledger.revoked.push(tokens);
    },
    /** Sends the refused logouts again. @throws UnexpectedAnswer if one is refused again */
    async repeatLogouts(): Promise<void> {
      for (const user of ledger.logoutRefused.splice(0)) {
        await requests.endSessions(user);
        ledger.loggedOut.push(user);
      }
    },
    /** Which of the user's login and consent are remembered. */
    async isRemembered(user: User): Promise<'both' | 'login only' | 'neither'> {
      try {
        await logins.comeBack({ subject: user.subject, cookies: new Map(user.cookies) });
        return 'both';
      } catch (error) {
        const { message } = error as Error;
        if (message.startsWith('the login request is not')) return 'neither';
        if (message.startsWith('the consent request is not')) return 'login only';
        throw error;
      }
    },
    isActive: requests.isActive,
    close() {
      logins.close();
      requests.close();
    },
  };
};

export type RedisUsers = ReturnType<typeof openRedisUsers>;
