import type { FlowState } from '../flow/flow-state.ts';
import { restartUrl } from '../flow/urls.ts';
import { type Page, renderPage } from '../http/page.ts';
import type { HttpResponse } from '../http/types.ts';

/** The link that repeats the request without parameters that name a user: another user may see this page. */
const startAgain = (issuer: string, { params, waiting, redirectUriOmitted }: FlowState) => {
  const { id_token_hint: _token, login_hint: _login, ...rest } = params;
  return { href: restartUrl(issuer, { params: rest, waiting, redirectUriOmitted }), label: 'Start again' };
};

interface ErrorPage extends Pick<Page, 'status' | 'requestId'> {
  readonly about: 'sign-in' | 'sign-out';
  readonly error: string;
  readonly description: string;
}

/** The operator's error page (`urls.error`), with the members of an OAuth error in its query. */
export const errorPageUrl = (
  page: string,
  error: { readonly error: string; readonly description?: string | undefined; readonly requestId?: string },
): string => {
  const url = new URL(page);
  url.searchParams.set('error', error.error);
  if (error.description) url.searchParams.set('error_description', error.description);
  if (error.requestId) url.searchParams.set('request_id', error.requestId);
  return url.href;
};

const page = (status: number, title: string, message: string) => (): HttpResponse =>
  renderPage({ status, title, message });

/** A page with the link that repeats the request of a flow. */
const pageOfFlow =
  (title: string, message: string) =>
  (issuer: string, flow: FlowState): HttpResponse =>
    renderPage({ status: 400, title, message, link: startAgain(issuer, flow) });

/** The pages of flows that cannot continue. Each says what to do, and none contains a secret. */
export const pages = {
  invalidLink: page(400, 'This link is not valid', 'Go back to the application you came from and sign in again.'),
  expired: pageOfFlow('This sign-in has expired', 'It was left open for too long. Start again and sign in.'),
  used: pageOfFlow(
    'This sign-in is already finished',
    'You are probably signed in: go back to the application. If not, start again.',
  ),
  /** Contains nothing of the flow: the flow may belong to another user. */
  otherBrowser: page(
    403,
    'This sign-in began in another browser',
    'For your safety, only that browser can finish it. If it is this browser, allow cookies, go back to the application and sign in again.',
  ),
  clientChanged: page(
    400,
    'The application has changed',
    'Its registration changed while you signed in. Go back to the application and sign in again.',
  ),
  deviceExpired: pageOfFlow('The code has expired', 'Get a new code on your device, and start again.'),
  deviceLetIn: page(200, 'Your device is signed in', 'You can close this page.'),
  deviceRefused: page(200, 'Your device was not signed in', 'You can close this page.'),
  noDevicePage: page(
    404,
    'Devices cannot be connected here',
    'The operator must set urls.device.verification to the page that asks for user codes.',
  ),
  loggedOut: page(200, 'You are signed out', 'You can close this page.'),
  /** Loads the logout pages of clients in frames (Front-Channel Logout 1.0, section 3), then redirects. */
  loggingOut: (options: {
    readonly frames: readonly string[];
    readonly redirectTo: string | undefined;
    readonly seconds: number;
  }): HttpResponse =>
    renderPage({
      status: 200,
      title: options.redirectTo === undefined ? 'You are signed out' : 'You are being signed out',
      message: options.redirectTo === undefined ? 'You can close this page.' : 'This takes a moment.',
      frames: options.frames,
      continueTo: options.redirectTo === undefined ? undefined : { href: options.redirectTo, seconds: options.seconds },
    }),
  error: ({ about, error, description, ...rest }: ErrorPage): HttpResponse =>
    renderPage({ ...rest, title: `The ${about} cannot continue`, message: `${description} (${error})` }),
};
