import type { Closed } from '../api/admin-api.ts';
import { Problem } from '../problem.ts';
import { Notice } from './notice.tsx';
import { respond } from './respond.ts';

/** The answer for a challenge that is over, with a way to start again. */
export function respondClosed(closed: Closed): Promise<Response> {
  if (closed.state === 'unknown') throw new Problem('invalid_link');
  const action = closed.restartAt ? { id: 'start-again', label: 'Start again', href: closed.restartAt } : undefined;
  const text = action
    ? 'It was open for too long, or has been finished already. Nothing went wrong: just start again.'
    : 'It was open for too long, or has been finished already. Go back to the application and sign in from there.';
  return respond(<Notice title="This sign-in has expired" text={text} action={action} />, { status: 410 });
}
