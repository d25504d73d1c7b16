import { keyOfWrite, type Write } from '@carnet/adapter-contract';
import { sidOf } from '../flow/flow-id.ts';
import { type FlowState, isAllowed } from '../flow/flow-state.ts';
import { restartUrl } from '../flow/urls.ts';
import { redirect } from '../http/redirect.ts';
import type { HttpResponse } from '../http/types.ts';
import type { SessionEnded } from '../sessions/delivery-record.ts';
import { isLiveSession, sessionKey } from '../sessions/session-record.ts';
import { conflictName, type StoppedCommit } from '../storage/stopped-commit.ts';
import type { Browser } from './browser.ts';
import { pages } from './pages.ts';
import type { FlowDependencies } from './step.ts';

/** The visit whose writes are committed. */
interface Visit {
  readonly flow: FlowState;
  readonly browser: Browser;
  /** The browser is sent to the consent app. Otherwise the flow ends here. */
  readonly isUnderWay: boolean;
  /** The session that the writes end. */
  readonly ended: SessionEnded | undefined;
}

/**
 * Whether a write is part of the new login. The other writes end the former session or name its successor, and are not
 * needed if another request has ended the former session.
 */
const isOfLogin = (write: Write): boolean =>
  keyOfWrite(write)?.kind !== 'delivery' && !(write.type === 'put' && write.record.kind === 'session');

/** Notifies the clients of an ended session, and writes the audit record of a flow that ends here. */
const announce = ({ flow, isUnderWay, ended }: Visit, { deliveries, finished, audit }: FlowDependencies): void => {
  if (ended) deliveries.announce(ended);
  if (isUnderWay) return;
  finished.add(flow.id);
  audit({
    action: 'login',
    outcome: isAllowed(flow) ? 'success' : 'denied',
    reason: flow.rejection?.error,
    clientId: flow.params.client_id,
    subject: flow.login?.subject,
  });
};

/** Commits a visit, and returns its response. */
export const createCommit = (deps: FlowDependencies) => {
  const { issuer } = deps.options;

  /** Carries out what a conflict has left undone. */
  const commitRest = async (visit: Visit, writes: readonly Write[]): Promise<boolean> => {
    const { uow } = visit.browser;
    for (const write of writes) uow.write(write);
    const isDone = (await uow.commit()) === undefined;
    if (isDone && writes.length > 0) announce(visit, deps);
    return isDone;
  };

  /**
   * The response if an earlier visit has written the login: the browser has loaded the same URL again. While the session
   * exists, the browser is sent to the consent app once more (undefined: the prepared response). After a logout, or for
   * another user, the request starts again. A flow that ends here is refused.
   */
  const loginKeptBefore = async (visit: Visit, { undone }: StoppedCommit): Promise<HttpResponse | undefined> => {
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

  /** The response that replaces the prepared one when a commit was stopped. Undefined: the prepared one is sent. */
  const answerConflict = async (visit: Visit, stopped: StoppedCommit): Promise<HttpResponse | undefined> => {
    switch (conflictName(stopped.conflict)) {
      case 'claim:session':
        return loginKeptBefore(visit, stopped);
      // The former session has ended meanwhile. The rest of the login is carried out without it.
      case 'consume:session':
        return (await commitRest(visit, stopped.undone.filter(isOfLogin))) ? undefined : pages.invalidLink();
      // A verifier that is replayed, a session that has ended, or a device that another flow has answered.
      default:
        return pages.used(issuer, visit.flow);
    }
  };

  return async (visit: Visit, response: HttpResponse): Promise<HttpResponse> => {
    const { uow, cookies } = visit.browser;
    const writes = uow.writes();
    const conflict = await uow.commit();
    if (conflict === undefined) {
      announce(visit, deps);
      return response;
    }
    deps.logger.info({ conflict: conflictName(conflict), reason: conflict.reason }, 'commit conflict');
    const replacement = await answerConflict(visit, { conflict, undone: deps.undoneBy(conflict, writes) });
    if (replacement === undefined) return response;
    cookies.length = 0;
    return replacement;
  };
};

export type CommitVisit = ReturnType<typeof createCommit>;
