import { get } from 'node:http';

/** The answer of a listener, or the reason why there is none. */
export type HealthAnswer =
  | { readonly status: number; readonly body: string }
  | { readonly reason: string; readonly isRefused: boolean };

const reasons: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'the connection is refused',
  ECONNRESET: 'it closed the connection',
  ENOTFOUND: 'its host name does not resolve',
};

/** The beginning of a body is enough for one line. */
const maxBodyChars = 200;

/** GET of a health URL. Follows no redirect, and never throws. */
export const askHealth = (url: URL, timeoutMs: number): Promise<HealthAnswer> =>
  new Promise((resolve) => {
    const request = get(url, { agent: false, timeout: timeoutMs }, (response) => {
      let body = '';
      response.setEncoding('utf8');
      response.on('data', (chunk: string) => {
        body = `${body}${chunk}`.slice(0, maxBodyChars);
      });
      response.on('end', () => resolve({ status: response.statusCode ?? 0, body }));
    });
    request.on('timeout', () => {
      resolve({ reason: `it does not answer within ${timeoutMs / 1000} s`, isRefused: false });
      request.destroy();
    });
    request.on('error', ({ code = '' }: NodeJS.ErrnoException) =>
      resolve({ reason: reasons[code] ?? `it can't be reached (${code})`, isRefused: code === 'ECONNREFUSED' }),
    );
  });
