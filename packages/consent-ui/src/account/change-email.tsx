import { z } from 'zod';
import type { SealedCookie } from '../cookies/sealed-cookie.ts';
import { clientAddress } from '../http/client-address.ts';
import { Field } from '../page/form.tsx';
import { Page } from '../page/page.tsx';
import { respond } from '../page/respond.ts';
import { respondNotice } from '../page/respond-notice.tsx';
import { Strong } from '../page/strong.tsx';
import { type View, viewOf } from '../page/view.ts';
import type { Services } from '../services.ts';
import type { AccountContext, AccountPage } from './account-context.ts';
import { respondForm } from './account-page.tsx';
import { respondSaved } from './saved.ts';

/** The time for which the link of the email is valid. */
const maxAgeSeconds = 3600;

const sent = z.object({
  /** The answer to `account/change-email`: this browser sent the form. */
  proof: z.string().min(1).max(128),
  /** For display. */
  email: z.string(),
});

/** Remembers in the browser that it requested a new email address, until the link of the email is opened. */
const emailProof = ({ cookies }: Pick<Services, 'cookies'>): SealedCookie<z.infer<typeof sent>> =>
  cookies.create({ name: 'carnet_new_email', schema: sent, maxAgeSeconds });

const respondEmail = (context: AccountContext, email: string, message?: string): Promise<Response> => {
  const { newEmail } = context.view.text;
  return respondForm(context, {
    title: newEmail.title,
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
    <Page view={view} title={signUp.sentTitle} text={signUp.sent(<Strong>{email}</Strong>)} action={action}>
      <p>{newEmail.sameBrowser}</p>
      <p>{signUp.sentHint}</p>
    </Page>
  );
  return respond(view, page, { cookie: emailProof(services).set({ proof, email }) });
};

/** /account/email: sends a link to a new address. The answer is the same for free and taken addresses. */
export const changeEmail: AccountPage = {
  isFresh: true,
  show: (context) => respondEmail(context, ''),
  submit: async (context, form) => {
    const { accounts, login, services, request, view } = context;
    const email = (form.get('email') ?? '').trim().slice(0, 320);
    const { account, newEmail, signUp } = view.text;
    if (email === '') return respondEmail(context, email, signUp.invalidEmail);
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
    return respondEmail(context, email, messages[result.error]);
  },
};

const maximumLength = 8192;

const respondRefusal = (view: View, title: string, text: string, status: number): Promise<Response> => {
  const action = { id: 'again', label: view.text.newEmail.title, href: '/account/email' };
  return respondNotice(view, { title, text, action }, { status });
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
  // In a browser that did not request the address, the sign-in would be of no use.
  refuse: (services, request) => {
    if (emailProof(services).read(request) !== undefined) return undefined;
    const view = viewOf(services, request);
    return respondRefusal(view, view.text.newEmail.otherBrowserTitle, view.text.newEmail.otherBrowser, 410);
  },
  show: (context) => {
    const { newEmail, signUp } = context.view.text;
    const email = emailProof(context.services).read(context.request)?.email;
    const text = newEmail.confirmText(<Strong>{email}</Strong>);
    return respondForm(context, { title: signUp.confirmTitle, text, button: signUp.confirm });
  },
  submit: async ({ accounts, login, services, view, request }) => {
    const cookie = emailProof(services);
    const result = await accounts.account.confirmEmail({
      subject: login.subject,
      token: (new URL(request.url).searchParams.get('token') ?? '').slice(0, maximumLength),
      proof: cookie.read(request)?.proof ?? '',
    });
    if (result.ok) return respondSaved('profile', cookie.clear());
    const { newEmail, links } = view.text;
    return result.error === 'already_registered'
      ? respondRefusal(view, newEmail.takenTitle, newEmail.taken, 409)
      : respondRefusal(view, links.invalidTitle, newEmail.invalid, 410);
  },
};
