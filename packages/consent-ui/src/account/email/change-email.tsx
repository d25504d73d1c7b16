import { clientAddress } from '../../http/client-address.ts';
import { Field } from '../../page/form.tsx';
import { Notice } from '../../page/notice.tsx';
import { respond } from '../../page/respond.ts';
import { Strong } from '../../page/strong.tsx';
import type { AccountContext, AccountPage } from '../account-context.ts';
import { respondForm } from '../account-page.tsx';
import { emailProof } from './email-proof.ts';

interface Shown {
  readonly email: string;
  readonly message?: string | undefined;
}

const respondEmail = (context: AccountContext, { email, message }: Shown): Promise<Response> => {
  const { newEmail } = context.view.text;
  return respondForm(context, {
    title: newEmail.title,
    heading: newEmail.title,
    text: newEmail.text,
    problem: message === undefined ? undefined : { field: 'email', message },
    button: newEmail.submit,
    fields: (
      <Field
        name="email"
        label={newEmail.address}
        type="email"
        inputMode="email"
        autoComplete="email"
        maxLength={320}
        value={email}
        isWrong={message !== undefined}
        autoFocus
      />
    ),
  });
};

const respondSent = ({ services, view }: AccountContext, proof: string, email: string): Promise<Response> => {
  const { account, newEmail, signUp } = view.text;
  const action = { id: 'back', label: account.back, href: '/account' };
  const page = (
    <Notice view={view} title={signUp.sentTitle} text={signUp.sent(<Strong>{email}</Strong>)} action={action}>
      <p>{newEmail.sameBrowser}</p>
      <p>{signUp.sentHint}</p>
    </Notice>
  );
  return respond(view, page, { cookie: emailProof(services).set({ proof, email }) });
};

/** /account/email: sends a link to a new address. The answer is the same for free and taken addresses. */
export const changeEmail: AccountPage = {
  isFresh: true,
  show: (context) => respondEmail(context, { email: '' }),
  submit: async (context, form) => {
    const { accounts, login, services, request, view } = context;
    const email = (form.get('email') ?? '').trim().slice(0, 320);
    const { account, newEmail, signUp } = view.text;
    if (email === '') return respondEmail(context, { email, message: signUp.invalidEmail });
    const { uiUrl, trustedProxyHops } = services.settings;
    const result = await accounts.account.changeEmail({
      subject: login.subject,
      email,
      language: view.language,
      linkBase: new URL('/account/email/confirm', uiUrl).href,
      address: clientAddress(request, trustedProxyHops),
    });
    if (result.ok) return respondSent(context, result.proof, email);
    const messages = {
      invalid_email: signUp.invalidEmail,
      unchanged: newEmail.unchanged,
      limited: account.limited,
      not_supported: account.notChanged,
    } as const;
    return respondEmail(context, { email, message: messages[result.error] });
  },
};
