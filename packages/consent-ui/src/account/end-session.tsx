import type { LoginSession } from '../api/sessions-api.ts';
import { seeOther } from '../page/respond.ts';
import { Problem } from '../problem.ts';
import type { AccountContext, AccountPage } from './account-context.ts';
import { accountCookies } from './account-cookies.ts';
import { respondForm } from './account-page.tsx';
import { respondSaved } from './saved.ts';

/** The session that the URL names. Only sessions of this user are in the list. */
const ownSession = ({ sessions, request }: AccountContext): LoginSession => {
  const sid = new URL(request.url).searchParams.get('sid');
  const session = sessions?.find((each) => each.sid === sid);
  if (session === undefined) throw new Problem('invalid_link');
  return session;
};

/** /account/sessions/end?sid=...: ends one session. */
export const endSession: AccountPage = {
  isFresh: true,
  show: async (context) => {
    const { account } = context.view.text;
    ownSession(context);
    return respondForm(context, {
      title: account.endTitle,
      heading: account.endTitle,
      text: account.endText,
      button: account.end,
    });
  },
  submit: async (context) => {
    await context.services.sessionsApi.endSession(ownSession(context).sid);
    return respondSaved('sessions');
  },
};

/** /account/sessions/end-all: ends every session, including that of this browser. */
export const endAllSessions: AccountPage = {
  isFresh: true,
  show: (context) => {
    const { account } = context.view.text;
    return respondForm(context, {
      title: account.endAllTitle,
      heading: account.endAllTitle,
      text: account.endAllText,
      button: account.endAll,
    });
  },
  submit: async ({ services, login }) => {
    await services.sessionsApi.endSessions(login.subject);
    return seeOther('/account/signed-out', accountCookies(services).session.clear());
  },
};
