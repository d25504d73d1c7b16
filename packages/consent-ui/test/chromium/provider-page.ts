import { listen } from '../../../../test/servers/src/listen.ts';

/** The page of a provider on another site than the pages: it answers by a redirect, and by a form of its own. */
export interface ProviderPage {
  readonly origin: string;
  close(): Promise<void>;
}

const answers = ['good', 'factor', 'first', 'link', 'denied', 'provider_failed', 'unknown_user'];

const html = (callback: string, state: string): string => {
  const link = (code: string) =>
    `<p><a id="${code}" href="${callback}?${new URLSearchParams({ code, state })}">${code}</a>`;
  return `<!doctype html><html lang="en"><title>Provider</title><h1>Provider</h1>${answers.map(link).join('')}
    <form method="post" action="${callback}"><input type="hidden" name="state" value="${state}">
    <input type="hidden" name="code" value="good"><button id="form-post">Post</button></form>`;
};

/** The addresses of these pages have only the characters of URLs. */
export const startProviderPage = async (): Promise<ProviderPage> => {
  const { origin, close } = await listen((request, response) => {
    const { searchParams } = new URL(request.url ?? '/', 'http://127.0.0.1');
    const [callback = '', state = ''] = [searchParams.get('callback') ?? '', searchParams.get('state') ?? ''];
    response.setHeader('content-type', 'text/html; charset=utf-8');
    response.setHeader('referrer-policy', 'no-referrer');
    response.end(html(callback, state));
  });
  return { origin, close };
};
