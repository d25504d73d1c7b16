import type { FoundRecord } from '@carnet/adapter-contract';
import type { CookieJar } from '../flow/cookies.ts';
import type { RequestState } from '../library/request-state.ts';
import { isLiveSession, sessionKey } from '../sessions/session-record.ts';

/** The session that this browser is in, if it lives. */
export const readBrowserSession = async (
  { uow, cookieHeader }: Pick<RequestState, 'uow' | 'cookieHeader'>,
  jar: Pick<CookieJar, 'session'>,
): Promise<FoundRecord | undefined> => {
  const sid = jar.session.read(cookieHeader);
  const record = sid === undefined ? undefined : await uow.read(sessionKey(sid));
  return isLiveSession(record) ? record : undefined;
};
