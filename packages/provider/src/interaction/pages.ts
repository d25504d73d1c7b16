import type { FlowState } from '../flow/flow-state.ts';
import { restartUrl } from '../flow/urls.ts';
import { renderPage } from '../http/page.ts';
import type { HttpResponse } from '../http/types.ts';

/** The request again, but for what names a person: whoever opens a stranger's link sees this page too. */
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
  { error, description }: Pick<ErrorPage, 'error' | 'description'>,
): string => {
  const url = new URL(page);
  url.searchParams.set('error', error);
  if (description) url.searchParams.set('error_description', description);
  return url.href;
};

/** What a browser is shown when its flow can't go on. Each says what to do; none holds anything secret. */
export const pages = {
  invalidLink: (): HttpResponse =>
    renderPage({
      status: 400,
      title: 'This link is not valid',
      message: 'Go back to the application you came from and sign in again.',
    }),
  expired: (issuer: string, state: FlowState): HttpResponse =>
    renderPage({
      status: 400,
      title: 'This sign-in has expired',
      message: 'It was left open for too long. Nothing has been lost: start again and sign in.',
      link: startAgain(issuer, state),
    }),
  used: (issuer: string, state: FlowState): HttpResponse =>
    renderPage({
      status: 400,
      title: 'This sign-in was finished already',
      message: 'You are probably signed in: go back to the application. If not, start again.',
      link: startAgain(issuer, state),
    }),
  /** Says nothing of the flow: whoever sees it may not be the person whose flow it is. */
  otherBrowser: (): HttpResponse =>
    renderPage({
      status: 403,
      title: 'This sign-in was begun in another browser',
      message:
        'For your safety it can only be finished where it was begun. If that is here, allow cookies, go back to the application and sign in again.',
    }),
  clientChanged: (): HttpResponse =>
    renderPage({
      status: 400,
      title: 'The application has changed',
      message: 'Its registration was changed while you signed in. Go back to the application and sign in again.',
    }),
  deviceExpired: (issuer: string, state: FlowState): HttpResponse =>
    renderPage({
      status: 400,
      title: 'The code has expired',
      message: 'Ask your device for another one, and start again.',
      link: startAgain(issuer, state),
    }),
  deviceLetIn: (): HttpResponse =>
    renderPage({ status: 200, title: 'Your device is signed in', message: 'You can close this page.' }),
  deviceRefused: (): HttpResponse =>
    renderPage({ status: 200, title: 'Your device was not signed in', message: 'You can close this page.' }),
  noDevicePage: (): HttpResponse =>
    renderPage({
      status: 500,
      title: 'There is no page for codes here',
      message: 'Whoever runs this server has to set urls.device.verification to the page that asks for them.',
    }),
  loggedOut: (): HttpResponse =>
    renderPage({ status: 200, title: 'You are signed out', message: 'You can close this page.' }),
  /** Loads the pages by which clients log the person out (Front-Channel Logout 1.0, section 3), then goes on. */
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
    renderPage({ status, title: `The ${about} can’t continue`, message: `${description} (${error})`, requestId }),
};
