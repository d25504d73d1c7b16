import { formBody } from '../http/form-body.ts';
import { Problem } from '../problem.ts';
import type { Operation, Services } from '../services.ts';
import { type AccountContext, type AccountPage, accountFlow } from './account-context.ts';
import { beginSignIn, finishSignIn, showSignedOut, signOut } from './account-sign-in.tsx';
import { addFactor } from './add-factor.tsx';
import { changeEmail, confirmEmail } from './change-email.tsx';
import { addIdentity, removeIdentity } from './change-identities.tsx';
import { exportData } from './export-data.ts';
import { accountContextOf } from './open-context.ts';
import { overview } from './overview.tsx';
import { password } from './password.tsx';
import { profile } from './profile.tsx';
import {
  deleteAccount,
  endAllSessions,
  endSession,
  newRecoveryCodes,
  removeFactor,
  revokeApplication,
} from './questions.tsx';
import { resyncFactor } from './resync-factor.tsx';

const pages: ReadonlyMap<string, AccountPage> = new Map([
  ['', overview],
  ['profile', profile],
  ['email', changeEmail],
  ['email/confirm', confirmEmail],
  ['password', password],
  ['factors/add', addFactor],
  ['factors/resync', resyncFactor],
  ['factors/remove', removeFactor],
  ['factors/recovery-codes', newRecoveryCodes],
  ['providers/add', addIdentity],
  ['providers/remove', removeIdentity],
  ['sessions/end', endSession],
  ['sessions/end-all', endAllSessions],
  ['applications/revoke', revokeApplication],
  ['export', exportData],
  ['delete', deleteAccount],
]);

/** How long after the sign-in a user may change the account without a new one, in seconds. */
const freshSeconds = 300;

const pathOf = (request: Request): string => new URL(request.url).pathname.replace(/^\/account\/?/, '');

const pageOf = (request: Request): AccountPage => {
  const page = pages.get(pathOf(request));
  if (page === undefined) throw new Problem('invalid_link');
  return page;
};

const withContext = async (
  services: Services,
  request: Request,
  page: Pick<AccountPage, 'isFresh' | 'refuse'>,
  answer: (context: AccountContext) => Promise<Response>,
): Promise<Response> => {
  // No user could be shown, so that the sign-in would begin again for ever.
  if ((await services.accounts.settings()).providersOnly) throw new Problem('invalid_link');
  const refused = page.refuse?.(services, request);
  if (refused !== undefined) return refused;
  const context = await accountContextOf(services, request);
  if (context === undefined) return beginSignIn(services, request);
  const ageSeconds = Date.now() / 1000 - context.login.authTime;
  if (page.isFresh && ageSeconds > freshSeconds) {
    const loginHint = context.profile.user?.detail;
    return beginSignIn(services, request, { maxAgeSeconds: freshSeconds, loginHint });
  }
  return answer(context);
};

/** GET /account and the pages below it. Without a session, the user is first redirected to the provider. */
export const showAccount: Operation = async (services, request) => {
  const path = pathOf(request);
  if (path === 'signed-out') return showSignedOut(services, request);
  if (path === 'callback') return finishSignIn(services, request);
  const page = pageOf(request);
  return withContext(services, request, page, (context) => page.show(context));
};

/** POST of a form of the account pages. */
export const submitAccount: Operation = async (services, request) => {
  const form = await formBody(request);
  services.formTokens.check(request, accountFlow, form);
  if (pathOf(request) === 'sign-out') return signOut(services, request);
  const page = pageOf(request);
  const isFresh = page.isFresh && page.continues?.(form) !== true;
  return withContext(services, request, { ...page, isFresh }, (context) => {
    if (page.submit === undefined) throw new Problem('invalid_form');
    return page.submit(context, form);
  });
};
