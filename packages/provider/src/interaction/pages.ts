import type { FlowState } from '../flow/flow-state.ts';
import { restartUrl } from '../flow/urls.ts';
import { type Page, renderPage } from '../http/page.ts';
import type { HttpResponse } from '../http/types.ts';

/** The link that repeats the request without parameters that name a user: another user may see this page. */
const startAgain = (issuer: string, { params, waiting, redirectUriOmitted }: FlowState) => {
  const { id_token_hint: _token, login_hint: _login, ...rest } = params;
  return { href: restartUrl(issuer, { params: rest, waiting, redirectUriOmitted }), label: 'Start again' };
};

export interface ErrorPage {
  readonly status: number;
  readonly error: string;
  readonly description: string;
  /** Default `sign-in`. */
  readonly about?: 'sign-in' | 'sign-out';
  readonly requestId?: string;
}

/** The operator's error page (`urls.error`), with the members of an OAuth error in its query. */
export const errorPageUrl = (
  page: string,
  { error, description, requestId }: Pick<ErrorPage, 'error' | 'description' | 'requestId'>,
): string => {
  const url = new URL(page);
  url.searchParams.set('error', error);
  if (description) url.searchParams.set('error_description', description);
  if (requestId) url.searchParams.set('request_id', requestId);
  return url.href;
};

const page = (status: number, title: string, message: string, link?: Page['link']): HttpResponse =>
  renderPage({ status, title, message, link });

/** The pages of flows that cannot continue. Each says what to do, and none contains a secret. */
export const pages = {
  invalidLink: () => page(400, 'This link is not valid', 'Go back to the application you came from and sign in again.'),
  expired: (issuer: string, state: FlowState) =>
    page(
      400,
      'This sign-in has expired',
      'It was left open for too long. Start again and sign in.',
      startAgain(issuer, state),
    ),
  used: (issuer: string, state: FlowState) =>
    page(
      400,
      'This sign-in is already finished',
      'You are probably signed in: go back to the application. If not, start again.',
      startAgain(issuer, state),
    ),
  /** Contains nothing of the flow: the flow may belong to another user. */
  otherBrowser: () =>
    page(
      403,
      'This sign-in began in another browser',
      'For your safety, only that browser can finish it. If it is this browser, allow cookies, go back to the application and sign in again.',
    ),
  clientChanged: () =>
    page(
      400,
      'The application has changed',
      'Its registration changed while you signed in. Go back to the application and sign in again.',
    ),
  deviceExpired: (issuer: string, state: FlowState) =>
    page(400, 'The code has expired', 'Get a new code on your device, and start again.', startAgain(issuer, state)),
  deviceLetIn: () => page(200, 'Your device is signed in', 'You can close this page.'),
  deviceRefused: () => page(200, 'Your device was not signed in', 'You can close this page.'),
  noDevicePage: () =>
    page(
      404,
      'Devices cannot be connected here',
      'The operator must set urls.device.verification to the page that asks for user codes.',
    ),
  loggedOut: () => page(200, 'You are signed out', 'You can close this page.'),
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
  error: ({ status, error, description, about = 'sign-in', requestId }: ErrorPage): HttpResponse =>
    renderPage({ status, title: `The ${about} cannot continue`, message: `${description} (${error})`, requestId }),
};
