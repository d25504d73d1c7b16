import type { FoundRecord } from '@carnet/adapter-contract';
import type { CookieJar } from '../flow/cookies.ts';
import type { BrowserMessage } from '../http/browser-place.ts';
import { isLiveSession, sessionKey } from '../sessions/session-record.ts';
import type { UnitOfWork } from '../storage/unit-of-work.ts';

/** One visit of a browser. */
export interface Browser {
  /** The Cookie header that it sent. */
  readonly cookieHeader: string | undefined;
  /** Its request: shows its place. */
  readonly message: BrowserMessage;
  /** Everything that is read and written for this visit. */
  readonly uow: UnitOfWork;
  /** The `Set-Cookie` lines of the response. */
  readonly cookies: string[];
}

/** The session of this browser; undefined if the browser has none, or if it has ended. */
export const readBrowserSession = async (
  { uow, cookieHeader }: Pick<Browser, 'uow' | 'cookieHeader'>,
  jar: Pick<CookieJar, 'session'>,
): Promise<FoundRecord | undefined> => {
  const sid = jar.session.read(cookieHeader);
  const record = sid === undefined ? undefined : await uow.read(sessionKey(sid));
  return isLiveSession(record) ? record : undefined;
};
