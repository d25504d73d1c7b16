import type { Page } from 'playwright-core';

/**
 * Does what sends the browser on, up to the first request with this parameter, which never leaves; answers with its address.
 * By the browser's own protocol, because `page.route` does not see the hops of a redirect.
 */
export const catchRequest = async (page: Page, parameter: string, act: () => Promise<void>): Promise<string> => {
  const session = await page.context().newCDPSession(page);
  const caught = new Promise<string>((resolve) => {
    session.once('Fetch.requestPaused', ({ requestId, request }) => {
      void session.send('Fetch.failRequest', { requestId, errorReason: 'Aborted' });
      resolve(request.url);
    });
  });
  await session.send('Fetch.enable', { patterns: [{ urlPattern: `*?${parameter}=*` }] });
  await act();
  const url = await caught;
  await session.detach();
  return url;
};
