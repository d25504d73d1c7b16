import type { ConnectedClient, LoginSession } from '../api/sessions-api.ts';
import { Caution } from '../page/caution.tsx';
import { seeOther } from '../page/respond.ts';
import { respondNotice } from '../page/respond-notice.tsx';
import { Problem } from '../problem.ts';
import { accountCookies } from './account-session.ts';
import { dayText } from './dates.ts';
import { ownFactor } from './own-factor.ts';
import { question } from './question.ts';
import { respondRecoveryCodes } from './recovery-codes.tsx';
import { respondSaved } from './saved.ts';

/** /account/factors/remove?id=...: removes a factor or a passkey. */
export const removeFactor = question({
  find: ownFactor,
  ask: ({ account }, { label }) => ({
    title: account.remove,
    heading: account.removeTitle(<strong>{label}</strong>),
    text: account.removeText,
    button: account.remove,
  }),
  act: async ({ accounts, login, view }, { id, kind }) => {
    await accounts.factors.remove({ owner: { subject: login.subject }, id, language: view.language });
    return respondSaved(kind === 'passkey' ? 'passkeys' : 'factors');
  },
});

/** /account/factors/recovery-codes: replaces all codes. */
export const newRecoveryCodes = question({
  find: () => undefined,
  ask: ({ account }) => ({ title: account.newCodes, text: account.newCodesText, button: account.newCodes }),
  act: respondRecoveryCodes,
});

/** /account/sessions/end?sid=...: ends one session. */
export const endSession = question({
  // Only sessions of this user are in the list.
  find: ({ sessions, request }): LoginSession => {
    const sid = new URL(request.url).searchParams.get('sid');
    const session = sessions?.find((each) => each.sid === sid);
    if (session === undefined) throw new Problem('invalid_link');
    return session;
  },
  ask: ({ account }) => ({ title: account.endTitle, text: account.endText, button: account.end }),
  act: async ({ services }, { sid }) => {
    await services.sessionsApi.endSession(sid);
    return respondSaved('sessions');
  },
});

/** /account/sessions/end-all: ends every session, including that of this browser. */
export const endAllSessions = question({
  find: () => undefined,
  ask: ({ account }) => ({ title: account.endAllTitle, text: account.endAllText, button: account.endAll }),
  act: async ({ services, login }) => {
    await services.sessionsApi.endSessions(login.subject);
    return seeOther('/account/signed-out', accountCookies(services).session.clear());
  },
});

/** /account/applications/revoke?client=...: revokes the consents for a client, and its tokens. */
export const revokeApplication = question({
  find: async ({ services, login, request }): Promise<ConnectedClient> => {
    const id = new URL(request.url).searchParams.get('client');
    const client = (await services.sessionsApi.clients(login.subject)).find((each) => each.id === id);
    if (client === undefined) throw new Problem('invalid_link');
    return client;
  },
  ask: ({ account }, { name }) => ({
    title: account.revoke,
    heading: account.revokeTitle(<strong>{name}</strong>),
    text: account.revokeText,
    button: account.revoke,
  }),
  act: async ({ services, login }, { id }) => {
    await services.sessionsApi.revoke(login.subject, id);
    return respondSaved('applications');
  },
});

/** /account/delete: signs the user out everywhere, and deletes the account when the grace period is over. */
export const deleteAccount = question({
  find: ({ profile }) => {
    if (!profile.can.deleteAccount) throw new Problem('invalid_link');
  },
  ask: ({ deletion }) => ({
    title: deletion.title,
    text: deletion.text,
    button: deletion.submit,
    fields: <Caution>{deletion.caution}</Caution>,
  }),
  act: async ({ accounts, login, services, view }) => {
    const { requested, requestedTitle: title } = view.text.deletion;
    const result = await accounts.account.delete({ subject: login.subject, language: view.language });
    if (!result.ok) throw new Problem('invalid_link');
    const text = requested(dayText(view.language, result.deleteAt));
    return respondNotice(view, { title, text }, { cookie: accountCookies(services).session.clear() });
  },
});
