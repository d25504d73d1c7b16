import { viewOf } from '../page/view.ts';
import type { Services } from '../services.ts';
import type { AccountContext } from './account-context.ts';
import { accountCookies, isRevoked } from './account-session.ts';

/** The context of a request of a signed-in user; undefined if the user is not signed in, or not any more. */
export const accountContextOf = async (services: Services, request: Request): Promise<AccountContext | undefined> => {
  const { accounts } = services;
  const login = accountCookies(services).session.read(request);
  if (login === undefined) return undefined;
  const { subject, sid } = login;
  const [profile, sessions] = await Promise.all([
    accounts.account.show({ subject }),
    services.sessionsApi.sessions(subject),
  ]);
  const isGone = login.isKept && !sessions?.some((session) => session.sid === sid);
  if (isGone || isRevoked(login, profile) || profile.user === undefined) return undefined;
  return { services, accounts, request, view: viewOf(services, request), login, profile, sessions };
};
