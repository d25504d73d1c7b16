import { secretsIn } from '../leaks.ts';

/** What an answer has to be while the store works. */
interface Expected {
  readonly status: number;
  readonly holds?: string;
}

/** What a client has no business to know: where the store is, and what its driver says. */
const innards = /ECONN|EPIPE|socket|postgres|redis|sqlite|sentinel|terminat|timeout|mysql|mariadb|carnet_record/i;

const assertOutage = (headers: Headers, text: string): string => {
  const type = headers.get('content-type') ?? '';
  if (!/^\d+$/.test(headers.get('retry-after') ?? '')) return '503 without Retry-After';
  if (headers.has('location') || headers.has('set-cookie')) return '503 that changes something';
  if (innards.test(text) || secretsIn(text).length > 0) return `503 that tells too much: ${text.slice(0, 200)}`;
  if (type.startsWith('text/html')) return 'unavailable';
  const isTold = type.startsWith('application/json') && JSON.parse(text).error === 'temporarily_unavailable';
  return isTold ? 'unavailable' : `503 that is not told as an outage: ${text.slice(0, 200)}`;
};

/** `answered`; `unavailable`, told as an outage has to be; or what is wrong with it. */
export const verdictOn = async (response: Response, { status, holds = '' }: Expected): Promise<string> => {
  const text = await response.text();
  if (response.status === 503) return assertOutage(response.headers, text);
  return response.status === status && text.includes(holds)
    ? 'answered'
    : `${response.status} instead of ${status}: ${text.slice(0, 200)}`;
};
