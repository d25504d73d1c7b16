import type { BrowserContext, ConsoleMessage, Request, Response } from 'playwright-core';

/** Parameters of an address, or of a form, whose values nobody but the browser and whom it sends them to may learn. */
const secretNames = [
  'login_challenge',
  'login_verifier',
  'consent_challenge',
  'consent_verifier',
  'logout_challenge',
  'logout_verifier',
  'code',
  'id_token_hint',
  'password',
  'form_token',
];

export interface Observer {
  /** What should never happen and did, so far. */
  complaints(): Promise<string[]>;
}

const valuesIn = (params: URLSearchParams): string[] =>
  secretNames.flatMap((name) => params.getAll(name)).filter((value) => value !== '');

const cookieValuesIn = (setCookie: string | undefined): string[] =>
  (setCookie ?? '')
    .split('\n')
    .map((line) => /^[^=;]+=([^;]{16,})/.exec(line)?.[1])
    .filter((value) => value !== undefined);

/** An address as it may be shown: without its query. */
const shown = (url: string): string => url.split('?', 1)[0] ?? '';

/** Chromium logs every document that came with an error status: which pages those are is for the tests to say. */
const isStatusOfDocument = (message: ConsoleMessage, documents: ReadonlySet<string>): boolean =>
  message.text().startsWith('Failed to load resource') && documents.has(message.location().url);

/** Watches all that a browser does; adds every secret it sees to `secrets`. */
export const observe = (context: BrowserContext, secrets: Set<string>): Observer => {
  const complaints: string[] = [];
  const documents = new Set<string>();
  const pending: Promise<void>[] = [];
  const keep = (values: readonly string[]) => {
    for (const value of values) secrets.add(value);
  };

  const onRequest = async (request: Request): Promise<void> => {
    const url = new URL(request.url());
    if (request.isNavigationRequest()) documents.add(url.href);
    keep([...valuesIn(url.searchParams), ...valuesIn(new URLSearchParams(request.postData() ?? ''))]);
    if (!['127.0.0.1', 'localhost'].includes(url.hostname)) complaints.push(`a request to ${url.host}`);
    const headers = await request.allHeaders();
    if (headers.host !== undefined && headers.host !== url.host) complaints.push(`a request with Host ${headers.host}`);
    // Every page says no-referrer, so there is nothing for an address to leak by.
    if (headers.referer) complaints.push(`${shown(url.href)} was told of ${shown(headers.referer)}`);
  };

  const onResponse = async (response: Response): Promise<void> => {
    keep(cookieValuesIn((await response.allHeaders())['set-cookie']));
    if (response.status() >= 500) complaints.push(`${shown(response.url())} answered ${response.status()}`);
  };

  const onConsole = (message: ConsoleMessage): void => {
    const isProblem = ['error', 'warning', 'assert'].includes(message.type());
    if (isProblem && !isStatusOfDocument(message, documents)) complaints.push(`console: ${message.text()}`);
  };

  context.on('request', (request) => void pending.push(onRequest(request)));
  context.on('response', (response) => void pending.push(onResponse(response)));
  context.on('console', onConsole);
  context.on('weberror', (error) => void complaints.push(`script: ${error.error().message}`));
  return {
    complaints: async () => {
      await Promise.all(pending);
      return complaints;
    },
  };
};
