import { ChooserForm } from '../chooser/chooser-form.tsx';
import { createRememberedAccounts, type RememberedAccount } from '../chooser/remembered-accounts.ts';
import { formAction } from '../page/challenge.ts';
import type { Open } from '../page/flow.ts';
import { respond } from '../page/respond.ts';
import type { Services } from '../services.ts';
import { enteredName } from './entered-name.ts';
import { LoginForm } from './login-form.tsx';
import { NameForm } from './name-form.tsx';
import { otherWaysOf } from './other-ways.tsx';

export interface Refusal {
  readonly status: number;
  readonly message: string;
  readonly retryAfterSeconds?: number;
}

export interface ShownLogin extends Partial<Refusal> {
  readonly email: string;
  /** The user has chosen the account before. */
  readonly isKnown?: boolean;
  readonly remember?: boolean;
}

/** The URL of the sign-in page for another account than the suggested ones. */
const otherHref = ({ url }: Open<'login'>['view']): string => {
  const query = new URLSearchParams(url.searchParams);
  query.set('account', 'other');
  return `${url.pathname}?${query}`;
};

const wantsOther = ({ url }: Open<'login'>['view']): boolean => url.searchParams.get('account') === 'other';

const common = (services: Services, request: Request, { challenge, asked, view }: Open<'login'>) => {
  const { token, cookie } = services.formTokens.issue(request, challenge);
  return { props: { view, action: formAction(request), token, client: asked.client }, cookie };
};

/** The form for a password, and for a login name unless it is known. */
export const respondForm = async (
  services: Services,
  request: Request,
  open: Open<'login'>,
  { status, retryAfterSeconds, ...shown }: ShownLogin,
): Promise<Response> => {
  const { props, cookie } = common(services, request, open);
  const ways = await otherWaysOf(services, request, open, props.token);
  const page = <LoginForm {...props} {...shown} otherHref={otherHref(open.view)} ways={ways} />;
  return respond(open.view, page, { status, cookie, retryAfterSeconds });
};

const asksNameFirst = async ({ accounts }: Services): Promise<boolean> => (await accounts.settings()).identifierFirst;

const respondEmpty = async (services: Services, request: Request, open: Open<'login'>): Promise<Response> => {
  const email = enteredName(services).read(request) ?? '';
  const isNameFirst = await asksNameFirst(services);
  if (!isNameFirst || email !== '') return respondForm(services, request, open, { email, isKnown: isNameFirst });
  const { props, cookie } = common(services, request, open);
  const ways = await otherWaysOf(services, request, open, props.token);
  return respond(open.view, <NameForm {...props} ways={ways} />, { cookie });
};

const respondChooser = (
  services: Services,
  request: Request,
  open: Open<'login'>,
  accounts: readonly RememberedAccount[],
  changed?: string,
): Promise<Response> => {
  const { props, cookie } = common(services, request, open);
  const page = <ChooserForm {...props} accounts={accounts} otherHref={otherHref(open.view)} />;
  return respond(open.view, page, { cookie, cookies: changed ? [changed] : [] });
};

/** The first page of a sign-in: with the account that the client suggests, those of this browser, or an empty form. */
export const respondLogin = async (services: Services, request: Request, open: Open<'login'>): Promise<Response> => {
  if (wantsOther(open.view)) return respondEmpty(services, request, open);
  const hint = open.asked.oidc_context?.login_hint?.slice(0, 320);
  if (hint) return respondForm(services, request, open, { email: hint, isKnown: await asksNameFirst(services) });
  const accounts = createRememberedAccounts(services.cookies).list(request);
  if (accounts.length === 0) return respondEmpty(services, request, open);
  return respondChooser(services, request, open, accounts);
};

/** After a click in the list of accounts: asks for the password of one, or removes one. */
export const respondChosen = async (
  services: Services,
  request: Request,
  open: Open<'login'>,
  form: URLSearchParams,
): Promise<Response> => {
  const remembered = createRememberedAccounts(services.cookies);
  const accounts = remembered.list(request);
  const place = form.get('account') ?? form.get('forget') ?? '';
  const chosen = accounts.find((_, index) => String(index) === place);
  if (chosen === undefined) return respondLogin(services, request, open);
  if (form.has('account')) return respondForm(services, request, open, { email: chosen.login, isKnown: true });
  const left = accounts.filter((each) => each !== chosen);
  return respondChooser(services, request, open, left, remembered.remove(request, chosen.login));
};
