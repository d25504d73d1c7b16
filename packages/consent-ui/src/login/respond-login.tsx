import { ChooserForm } from '../chooser/chooser-form.tsx';
import { createRememberedAccounts, type RememberedAccount } from '../chooser/remembered-accounts.ts';
import type { Open } from '../page/flow.ts';
import { issueForm } from '../page/form.tsx';
import { respond } from '../page/respond.ts';
import { beginAtOnlyProvider, beginAtProvider } from '../providers/begin.ts';
import { offeredProviders } from '../providers/offered.ts';
import { enteredName } from './entered-name.ts';
import { LoginForm, NameForm, ProvidersForm } from './login-form.tsx';
import { otherWaysOf } from './other-ways.tsx';
import type { Refusal } from './refusal.ts';

interface ShownLogin extends Partial<Refusal> {
  /** The field to which the message leads. Default: the password. */
  readonly field?: 'email';
  readonly email: string;
  /** The user has chosen the account before. */
  readonly isKnown?: boolean;
  readonly remember?: boolean;
}

/** Whether users of the site, or of the organization of the request, have no passwords here. */
const hasProvidersOnly = async (open: Open<'login'>): Promise<boolean> =>
  (await open.services.accounts.settings()).providersOnly || (await offeredProviders(open)).providersOnly === true;

/** The URL of the sign-in page for another account than the suggested ones. */
const otherHref = ({ url }: Open<'login'>['view']): string => {
  const query = new URLSearchParams(url.searchParams);
  query.set('account', 'other');
  return `${url.pathname}?${query}`;
};

const common = ({ services, request, challenge, asked, view }: Open<'login'>) => {
  const { target, cookie } = issueForm(services, request, challenge);
  return { props: { view, target, client: asked.client }, cookie };
};

/** After the user has entered or chosen a login name: its provider, or the form for its password. */
export const respondNamed = async (open: Open<'login'>, login: string): Promise<Response> =>
  (await beginAtOnlyProvider(open, { loginHint: login })) ?? respondForm(open, { email: login, isKnown: true });

/** The form for a password, and for a login name unless it is known. */
export const respondForm = async (
  open: Open<'login'>,
  { status, retryAfterSeconds, ...shown }: ShownLogin,
): Promise<Response> => {
  const { props, cookie } = common(open);
  const ways = await otherWaysOf(open, props.target.token);
  const page = <LoginForm {...props} {...shown} otherHref={otherHref(open.view)} ways={ways} />;
  return respond(open.view, page, { status, cookie, retryAfterSeconds });
};

const respondProviders = async (open: Open<'login'>): Promise<Response> => {
  const { props, cookie } = common(open);
  const ways = await otherWaysOf(open, props.target.token);
  return respond(open.view, <ProvidersForm {...props} ways={ways} />, { cookie });
};

const asksNameFirst = async ({ services }: Open<'login'>): Promise<boolean> =>
  (await services.accounts.settings()).identifierFirst;

const respondEmpty = async (open: Open<'login'>): Promise<Response> => {
  const email = enteredName(open.services).read(open.request) ?? '';
  const isNameFirst = await asksNameFirst(open);
  if (!isNameFirst || email !== '') return respondForm(open, { email, isKnown: isNameFirst });
  const { props, cookie } = common(open);
  const ways = await otherWaysOf(open, props.target.token);
  return respond(open.view, <NameForm {...props} ways={ways} />, { cookie });
};

const respondChooser = async (
  open: Open<'login'>,
  accounts: readonly RememberedAccount[],
  changed?: string,
): Promise<Response> => {
  const { props, cookie } = common(open);
  const { providers } = await offeredProviders(open);
  const page = <ChooserForm {...props} accounts={accounts} providers={providers} otherHref={otherHref(open.view)} />;
  return respond(open.view, page, { cookie, cookies: changed ? [changed] : [] });
};

/**
 * The first page of a sign-in: that of the only provider, or one with the account that the client suggests, with those of this
 * browser, or with an empty form.
 */
export const respondLogin = async (open: Open<'login'>): Promise<Response> => {
  const isOther = open.view.url.searchParams.get('account') === 'other';
  const hint = isOther ? undefined : open.asked.oidc_context?.login_hint?.slice(0, 320);
  const redirected = await beginAtOnlyProvider(open, { loginHint: hint, isOther });
  if (redirected !== undefined) return redirected;
  if (await hasProvidersOnly(open)) return respondProviders(open);
  if (isOther) return respondEmpty(open);
  if (hint) return respondForm(open, { email: hint, isKnown: await asksNameFirst(open) });
  const accounts = createRememberedAccounts(open.services.cookies).list(open.request);
  return accounts.length === 0 ? respondEmpty(open) : respondChooser(open, accounts);
};

/** The user has chosen an account: continues at its provider, if this still exists, or asks for the password. */
const respondAccount = async (open: Open<'login'>, { login, provider }: RememberedAccount): Promise<Response> => {
  const { providers } = await offeredProviders(open, login);
  const found = providers.find(({ name }) => name === provider);
  // The account is in the list because the user wants to stay signed in in this browser.
  const options = { loginHint: login, remember: true };
  return found === undefined ? respondNamed(open, login) : beginAtProvider(open, { provider: found.name, ...options });
};

/** After a click in the list of accounts: continues with one, or removes one. */
export const respondChosen = async (open: Open<'login'>, form: URLSearchParams): Promise<Response> => {
  const remembered = createRememberedAccounts(open.services.cookies);
  const accounts = remembered.list(open.request);
  const place = form.get('account') ?? form.get('forget') ?? '';
  const chosen = accounts.find((_, index) => String(index) === place);
  if (chosen === undefined) return respondLogin(open);
  if (form.has('account')) return respondAccount(open, chosen);
  const left = accounts.filter((each) => each !== chosen);
  return respondChooser(open, left, remembered.remove(open.request, chosen.login));
};
