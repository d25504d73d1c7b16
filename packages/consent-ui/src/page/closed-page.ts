import type { Challenged, Closed } from '../api/admin-api.ts';
import { Problem } from '../problem.ts';
import { respondNotice } from './respond-notice.tsx';
import type { View } from './view.ts';

/** The page for a challenge that has expired or was used, with a link to start again. */
export const respondClosed = (view: View, flow: Challenged, closed: Closed): Promise<Response> => {
  if (closed.state === 'unknown') throw new Problem('invalid_link');
  const { reason, signIn, signOut } = view.text.expired;
  const { title, label, withLink, withoutLink } = flow === 'logout' ? signOut : signIn;
  const action = closed.restartAt ? { id: 'start-again', label, href: closed.restartAt } : undefined;
  const elsewhere = flow === 'device' ? signIn.withoutLinkOnDevice : withoutLink;
  return respondNotice(view, { title, text: `${reason} ${action ? withLink : elsewhere}`, action }, { status: 410 });
};
