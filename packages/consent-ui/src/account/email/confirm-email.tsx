import { Notice } from '../../page/notice.tsx';
import { respond } from '../../page/respond.ts';
import { Strong } from '../../page/strong.tsx';
import { type View, viewOf } from '../../page/view.ts';
import type { AccountContext, AccountPage } from '../account-context.ts';
import { respondForm } from '../account-page.tsx';
import { respondSaved } from '../saved.ts';
import { emailProof } from './email-proof.ts';

const maximumLength = 8192;

const tokenOf = ({ request }: Pick<AccountContext, 'request'>): string =>
  (new URL(request.url).searchParams.get('token') ?? '').slice(0, maximumLength);

interface Refusal {
  readonly title: string;
  readonly text: string;
  readonly status: number;
}

const respondRefusal = (view: View, { title, text, status }: Refusal): Promise<Response> => {
  const action = { id: 'again', label: view.text.newEmail.title, href: '/account/email' };
  return respond(view, <Notice view={view} title={title} text={text} action={action} />, { status });
};

/** The page in a browser that did not request the address. It comes before the sign-in, which would be of no use. */
const respondOtherBrowser = (view: View): Promise<Response> => {
  const { newEmail } = view.text;
  return respondRefusal(view, { title: newEmail.otherBrowserTitle, text: newEmail.otherBrowser, status: 410 });
};

/**
 * /account/email/confirm?token=...: the page of an emailed link. The link is used by the POST only, because mail programs
 * open links to check them.
 *
 * Safe against a thief who forwards the link because the server accepts it only with the proof in the cookie of the browser
 * that requested the address, and for the user who is signed in.
 */
export const confirmEmail: AccountPage = {
  isFresh: false,
  refuse: (services, request) =>
    emailProof(services).read(request) === undefined ? respondOtherBrowser(viewOf(services, request)) : undefined,
  show: (context) => {
    const { newEmail, signUp } = context.view.text;
    const email = emailProof(context.services).read(context.request)?.email;
    return respondForm(context, {
      title: signUp.confirmTitle,
      heading: signUp.confirmTitle,
      text: newEmail.confirmText(<Strong>{email}</Strong>),
      button: signUp.confirm,
    });
  },
  submit: async (context) => {
    const { accounts, login, services, view, request } = context;
    const proof = emailProof(services);
    const result = await accounts.account.confirmEmail({
      subject: login.subject,
      token: tokenOf(context),
      proof: proof.read(request)?.proof ?? '',
    });
    if (result.ok) return respondSaved('profile', proof.clear());
    const { newEmail, links } = view.text;
    return result.error === 'already_registered'
      ? respondRefusal(view, { title: newEmail.takenTitle, text: newEmail.taken, status: 409 })
      : respondRefusal(view, { title: links.invalidTitle, text: newEmail.invalid, status: 410 });
  },
};
