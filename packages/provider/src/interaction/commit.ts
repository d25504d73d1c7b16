import { keyOfWrite, type Write } from '@carnet/adapter-contract';
import { sidOf } from '../flow/flow-id.ts';
import type { FlowState } from '../flow/flow-state.ts';
import { restartUrl } from '../flow/urls.ts';
import { redirect } from '../http/redirect.ts';
import type { HttpResponse } from '../http/types.ts';
import { isLiveSession, sessionKey } from '../sessions/session-record.ts';
import { conflictName, type StoppedCommit } from '../storage/stopped-commit.ts';
import type { Browser } from './browser.ts';
import { pages } from './pages.ts';
import type { FlowDependencies } from './step.ts';

/** The visit whose writes are committed. */
export interface Visit {
  readonly flow: FlowState;
  readonly browser: Browser;
  /** The browser is sent to the consent app. Otherwise the flow ends here. */
  readonly isUnderWay: boolean;
  /** Called after the commit, to write audit records. */
  readonly afterCommit: () => void;
}

/**
 * Whether a write is part of the new login. The other writes end the former session or name its successor, and are not
 * needed if another request has ended the former session.
 */
const isOfLogin = (write: Write): boolean =>
  keyOfWrite(write)?.kind !== 'delivery' && !(write.type === 'put' && write.record.kind === 'session');

/** Carries out what a conflict has left undone. */
const commitRest = async ({ browser: { uow }, afterCommit }: Visit, writes: readonly Write[]): Promise<boolean> => {
  for (const write of writes) uow.write(write);
  const isDone = (await uow.commit()) === undefined;
  if (isDone && writes.length > 0) afterCommit();
  return isDone;
};

/**
 * The response if an earlier visit has written the login: the browser has loaded the same URL again. While the session
 * exists, the browser is sent to the consent app once more (undefined: the prepared response). After a logout, or for
 * another user, the request starts again. A flow that ends here is refused.
 */
const loginKeptBefore = async (
  visit: Visit,
  { undone }: StoppedCommit,
  issuer: string,
): Promise<HttpResponse | undefined> => {
  const { flow, browser, isUnderWay } = visit;
  if (flow.login === undefined || !isUnderWay) return pages.used(issuer, flow);
  const record = await browser.uow.read(sessionKey(sidOf(flow)));
  if (!isLiveSession(record) || record.subject !== flow.login.subject)
    return redirect(302, restartUrl(issuer, flow, { prompt: 'login' }));
  // Where a commit is atomic for one record only, the process that claimed the session may have stopped before it
  // ended the former session. A conflict means that the former session has ended.
  await commitRest(visit, undone);
  return undefined;
};

/**
 * The response that replaces the prepared one when the commit of a visit was stopped. Undefined: the prepared one is
 * sent.
 */
const answerConflict = async (
  visit: Visit,
  stopped: StoppedCommit,
  issuer: string,
): Promise<HttpResponse | undefined> => {
  switch (conflictName(stopped.conflict)) {
    case 'claim:session':
      return loginKeptBefore(visit, stopped, issuer);
    // The former session has ended meanwhile. The rest of the login is carried out without it.
    case 'consume:session':
      return (await commitRest(visit, stopped.undone.filter(isOfLogin))) ? undefined : pages.invalidLink();
    // A verifier that is replayed, a session that has ended, or a device that another flow has answered.
    default:
      return pages.used(issuer, visit.flow);
  }
};

/** Commits a visit, and returns its response. */
export const createCommit =
  ({ options, undoneBy, logger }: FlowDependencies) =>
  async (visit: Visit, response: HttpResponse): Promise<HttpResponse> => {
    const { uow, cookies } = visit.browser;
    const writes = uow.writes();
    const conflict = await uow.commit();
    if (conflict === undefined) {
      visit.afterCommit();
      return response;
    }
    logger.info({ conflict: conflictName(conflict), reason: conflict.reason }, 'commit conflict');
    const stopped = { conflict, undone: undoneBy(conflict, writes) };
    const replacement = await answerConflict(visit, stopped, options.issuer);
    if (replacement === undefined) return response;
    cookies.length = 0;
    return replacement;
  };

export type CommitVisit = ReturnType<typeof createCommit>;
