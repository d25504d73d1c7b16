import { Caution } from '../page/caution.tsx';
import { Notice } from '../page/notice.tsx';
import { respond } from '../page/respond.ts';
import { Problem } from '../problem.ts';
import type { AccountContext, AccountPage } from './account-context.ts';
import { accountCookies } from './account-cookies.ts';
import { respondForm } from './account-page.tsx';
import { dayText } from './dates.ts';

const assertAllowed = ({ profile }: AccountContext): void => {
  if (!profile.can.deleteAccount) throw new Problem('invalid_link');
};

/** /account/delete: signs the user out everywhere, and deletes the account when the grace period is over. */
export const deleteAccount: AccountPage = {
  isFresh: true,
  show: async (context) => {
    assertAllowed(context);
    const { deletion } = context.view.text;
    return respondForm(context, {
      title: deletion.title,
      heading: deletion.title,
      text: deletion.text,
      button: deletion.submit,
      fields: <Caution>{deletion.caution}</Caution>,
    });
  },
  submit: async (context) => {
    assertAllowed(context);
    const { accounts, login, services, view } = context;
    const { deletion } = view.text;
    const result = await accounts.account.delete({ subject: login.subject, language: view.language });
    if (!result.ok) throw new Problem('invalid_link');
    const text = deletion.requested(dayText(view.language, result.deleteAt));
    const page = <Notice view={view} title={deletion.requestedTitle} text={text} />;
    return respond(view, page, { cookie: accountCookies(services).session.clear() });
  },
};
