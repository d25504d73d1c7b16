import { clientAddress } from '../http/client-address.ts';
import { passwordIn } from '../http/form-password.ts';
import { deviceCookie } from '../login/device-cookie.ts';
import { PasswordChangeFields } from '../page/password-change-fields.tsx';
import type { AccountContext, AccountPage } from './account-context.ts';
import { respondForm } from './account-page.tsx';
import { accountCookies } from './account-session.ts';
import { respondSaved } from './saved.ts';

interface Problem {
  readonly field: 'current' | 'next' | undefined;
  readonly message: string;
}

const respondPassword = async (context: AccountContext, problem?: Problem): Promise<Response> => {
  const { view } = context;
  const { account, newPassword } = view.text;
  const { minimumPasswordLength: minLength } = await context.accounts.settings();
  return respondForm(context, {
    title: account.changePassword,
    text: account.passwordText,
    problem: problem && { field: problem.field ?? 'current', message: problem.message },
    button: newPassword.save,
    fields: <PasswordChangeFields view={view} current="current" minLength={minLength} invalid={problem?.field} />,
  });
};

/** /account/password. */
export const password: AccountPage = {
  isFresh: true,
  show: (context) => respondPassword(context),
  submit: async (context, form) => {
    const { accounts, login, services, request, view } = context;
    const result = await accounts.account.changePassword({
      subject: login.subject,
      current: passwordIn(form, 'current'),
      next: passwordIn(form, 'next'),
      address: clientAddress(request, services.settings.trustedProxyHops),
      device: deviceCookie(services).read(request),
      language: view.language,
    });
    if (result.ok) {
      // This request has proved the old password: its browser stays signed in, and all others are signed out.
      const profile = await accounts.account.show({ subject: login.subject });
      // The clock of the provider may be ahead of this one.
      const authTime = Math.max(Date.now(), profile.sessionsEndedAt?.getTime() ?? 0) / 1000;
      const renewed = { ...login, authTime, isKept: false, passwordVersion: profile.passwordVersion };
      return respondSaved('password', accountCookies(services).session.set(renewed));
    }
    const { account, newPassword } = view.text;
    const problems = {
      wrong_password: { field: 'current', message: newPassword.wrong },
      weak_password: { field: 'next', message: newPassword.weak },
      limited: { field: undefined, message: account.limited },
      not_supported: { field: undefined, message: account.passwordElsewhere },
    } as const;
    return respondPassword(context, problems[result.error]);
  },
};
