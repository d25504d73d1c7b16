import type { ConsoleServer, CurrentUser } from '../server/console-server.ts';
import type { Operator } from './operator.ts';
import type { SignedIn } from './relying-party.ts';
import { type AccessRules, mayHaveRole, nameOf, roleOf, type SessionLimits } from './settings.ts';

/** The content of the session cookie. Times are seconds since 1970. */
export interface Session {
  readonly token: string;
  readonly name: string;
  readonly role: Operator['role'];
  readonly begunAt: number;
  readonly seenAt: number;
  readonly authTime: number;
  /** Present if the sign-in at the provider is remembered: the console then ends with it. */
  readonly sid?: string | undefined;
  readonly passwordVersion?: string | undefined;
}

/** Without directories, the role is that of the last sign-in, which is repeated after this time: 10 minutes. */
const roleSeconds = 600;

/** The state of a session, now. `renew`: the operator signs in again, usually without a page. */
export type Checked = { readonly operator: Operator } | 'ended' | 'renew' | 'without role';

export interface SessionDependencies {
  readonly server: Pick<ConsoleServer, 'tokens' | 'sessions' | 'account'>;
  readonly rules: AccessRules;
  readonly limits: Required<SessionLimits>;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

/** A user has few sessions: those of all browsers in which the user is signed in. */
const mostSessions = 500;

/** The role by the claims of a directory, or by those of the sign-in. */
const roleIn = (
  { subject, claims, account }: { subject: string; claims: CurrentUser['claims']; account: CurrentUser | undefined },
  rules: AccessRules,
): Operator['role'] | undefined =>
  mayHaveRole(account, rules) ? roleOf({ ...claims, sub: subject }, rules) : undefined;

export const createSessionChecks = ({ server, rules, limits, now }: SessionDependencies) => {
  const seconds = (): number => Math.floor(now() / 1000);

  const isAlive = async (subject: string, sid: string): Promise<boolean> => {
    const { items } = await server.sessions.list({ subject, limit: mostSessions });
    return items.some((session) => session.sid === sid);
  };

  return {
    /** The session after a sign-in. Undefined if the user has no role. */
    async begin({ accessToken, claims, authTime, sid }: SignedIn): Promise<Session | undefined> {
      const token = await server.tokens.introspect(accessToken);
      if (!token.active) return undefined;
      const account = await server.account?.(token.sub);
      const current = account?.claims ?? claims;
      const role = roleIn({ subject: token.sub, claims: current, account }, rules);
      if (role === undefined) return undefined;
      const isRemembered = sid !== undefined && (await isAlive(token.sub, sid));
      return {
        token: accessToken,
        name: nameOf(current, token.sub),
        role,
        ...{ begunAt: seconds(), seenAt: seconds(), authTime },
        ...(isRemembered && { sid }),
        passwordVersion: account?.passwordVersion,
      };
    },

    /**
     * Checks a session with the store, at each request: the access token of the session is revoked by a sign-out, a new
     * password, and the end of the user's access, in whichever process or place that happens.
     */
    async check(session: Session): Promise<Checked> {
      const { token: value, begunAt, seenAt, authTime, sid, passwordVersion } = session;
      if (seconds() - seenAt >= limits.idleSeconds || seconds() - begunAt >= limits.maximumSeconds) return 'ended';
      const token = await server.tokens.introspect(value);
      if (!token.active) return 'ended';
      const [account, isOpen] = await Promise.all([
        server.account?.(token.sub),
        sid === undefined || isAlive(token.sub, sid),
      ]);
      if (!isOpen || account?.passwordVersion !== passwordVersion) return 'ended';
      if (account?.sessionsEndedAt !== undefined && authTime * 1000 < account.sessionsEndedAt.getTime()) return 'ended';
      if (account === undefined) {
        if (seconds() - begunAt >= roleSeconds) return 'renew';
        return { operator: { subject: token.sub, name: session.name, role: session.role } };
      }
      const role = roleIn({ subject: token.sub, claims: account.claims, account }, rules);
      if (role === undefined) return 'without role';
      return { operator: { subject: token.sub, name: nameOf(account.claims, token.sub), role } };
    },

    /** The session after a request, with the time that counts for the idle limit; undefined if that need not be written yet. */
    seen(session: Session): Session | undefined {
      return seconds() - session.seenAt < Math.min(60, limits.idleSeconds / 4)
        ? undefined
        : { ...session, seenAt: seconds() };
    },
  };
};
