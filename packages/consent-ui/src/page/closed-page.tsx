import type { Challenged, Closed } from '../api/admin-api.ts';
import { Problem } from '../problem.ts';
import { Notice } from './notice.tsx';
import { respond } from './respond.ts';

interface Texts {
  readonly title: string;
  /** The label of the link that starts again. */
  readonly label: string;
  readonly withLink: string;
  readonly withoutLink: string;
}

const signIn: Texts = {
  title: 'This sign-in has expired',
  label: 'Start again',
  withLink: 'Nothing went wrong: just start again.',
  withoutLink: 'Go back to the application and sign in from there.',
};

const texts: Readonly<Record<Challenged, Texts>> = {
  device: { ...signIn, withoutLink: 'Go back to your device and start again from there.' },
  login: signIn,
  consent: signIn,
  logout: {
    title: 'This sign-out has expired',
    label: 'Sign out again',
    withLink: 'You may still be signed in: to be sure, sign out again.',
    withoutLink: 'You may still be signed in: go back to the application and sign out from there.',
  },
};

/** The page for a challenge that has expired or was used, with a link to start again. */
export const respondClosed = (flow: Challenged, closed: Closed): Promise<Response> => {
  if (closed.state === 'unknown') throw new Problem('invalid_link');
  const { title, label, withLink, withoutLink } = texts[flow];
  const action = closed.restartAt ? { id: 'start-again', label, href: closed.restartAt } : undefined;
  const text = `It was open for too long, or is already finished. ${action ? withLink : withoutLink}`;
  return respond(<Notice title={title} text={text} action={action} />, { status: 410 });
};
