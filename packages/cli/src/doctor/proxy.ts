import { issuerUrl } from '@carnet/provider/server';
import { type Answered, ask } from './ask.ts';
import { type Check, type Finding, fail, ok, warn } from './check.ts';

/** Every response of Carnet has it; the response of a proxy does not. */
const isOurs = ({ response }: Answered): boolean => response.headers.has('x-request-id');

const sizes: readonly {
  readonly what: string;
  readonly url: (issuer: string) => URL;
  readonly headers?: Record<string, string>;
  readonly remedy: string;
}[] = [
  {
    what: 'a URL of 6,000 characters',
    url: (issuer) =>
      issuerUrl(
        issuer,
        `/oauth2/auth?client_id=carnet-doctor&state=${'x'.repeat(1_500)}&scope=${'y'.repeat(1_000)}&login_hint=${'z'.repeat(3_400)}`,
      ),
    remedy:
      'Raise its limit to 8 KB (nginx: `large_client_header_buffers 4 16k;`): large requests and sealed flows need it.',
  },
  {
    what: 'cookies of 6,000 characters',
    url: (issuer) => issuerUrl(issuer, '/.well-known/jwks.json'),
    headers: { cookie: Array.from({ length: 6 }, (_, index) => `doctor${index}=${'x'.repeat(980)}`).join('; ') },
    remedy:
      'Raise its limit to 8 KB (nginx: `large_client_header_buffers 4 16k;`): browsers with many logins in progress send that much.',
  },
];

const checkSizes = async (issuer: string): Promise<Finding[]> => {
  const found: Finding[] = [];
  for (const { what, url, headers, remedy } of sizes) {
    const answer = await ask(url(issuer), headers);
    if (typeof answer !== 'string' && isOurs(answer)) continue;
    found.push(fail(`${what} do${what.startsWith('a ') ? 'es' : ''} not pass the proxy`, remedy));
  }
  return found;
};

const checkHeaders = ({ response: { headers } }: Answered): Finding[] => {
  const lost = ['referrer-policy', 'x-content-type-options', 'cache-control'].filter((name) => !headers.has(name));
  return lost.length === 0 ? [] : [warn(`the proxy removes ${lost.join(', ')}`, 'Do not remove response headers.')];
};

/** Whether only the public listener is public. */
const checkAdmin = async (issuer: string): Promise<Finding[]> => {
  const answers = await Promise.all(['/admin/clients', '/clients'].map((path) => ask(issuerUrl(issuer, path))));
  const isOpen = answers.some((answer) => typeof answer !== 'string' && [200, 401].includes(answer.response.status));
  return isOpen
    ? [
        fail(
          'the admin API answers under the issuer',
          'Do not expose the admin listener: a caller that reaches it can sign in as any user.',
        ),
      ]
    : [];
};

/** Whether the proxy in front of Carnet forwards what it must, and no more. */
export const proxy: Check = {
  name: 'proxy',
  run: async ({ config: { issuer } }) => {
    const plain = await ask(issuerUrl(issuer, '/.well-known/openid-configuration'));
    if (typeof plain === 'string' || plain.response.status !== 200) return [];
    const found = [...checkHeaders(plain), ...(await checkSizes(issuer)), ...(await checkAdmin(issuer))];
    return found.length > 0
      ? found
      : [ok('forwards large requests and response headers, and the admin API is not public')];
  },
};
