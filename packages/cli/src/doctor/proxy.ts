import { issuerUrl } from '@carnet/provider/server';
import { type Answered, ask } from './ask.ts';
import { type Check, type Finding, fail, ok, warn } from './check.ts';

/** Every answer of ours has it; that of a proxy has not. */
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
      'Raise its limit to 8 KB (nginx: `large_client_header_buffers 4 16k;`): browsers with many logins under way send that much.',
  },
];

const checkSizes = async (issuer: string): Promise<Finding[]> => {
  const found: Finding[] = [];
  for (const { what, url, headers, remedy } of sizes) {
    const answer = await ask(url(issuer), headers);
    if (typeof answer !== 'string' && isOurs(answer)) continue;
    found.push(fail(`${what} do${what.startsWith('a ') ? 'es' : ''} not get through the proxy`, remedy));
  }
  return found;
};

const checkHeaders = ({ response: { headers } }: Answered): Finding[] => {
  const lost = ['referrer-policy', 'x-content-type-options', 'cache-control'].filter((name) => !headers.has(name));
  return lost.length === 0
    ? []
    : [warn(`the proxy takes away ${lost.join(', ')}`, 'Let the headers of the answer through.')];
};

/** That only the public listener is public. */
const checkAdmin = async (issuer: string): Promise<Finding[]> => {
  const answers = await Promise.all(['/admin/clients', '/clients'].map((path) => ask(issuerUrl(issuer, path))));
  const isOpen = answers.some((answer) => typeof answer !== 'string' && [200, 401].includes(answer.response.status));
  return isOpen
    ? [
        fail(
          'the admin API answers under the issuer',
          'Keep the public from the admin listener: whoever reaches it can log in as anybody.',
        ),
      ]
    : [];
};

/** Whether what stands between the clients and us lets through what it has to, and no more. */
export const proxy: Check = {
  name: 'proxy',
  run: async ({ config: { issuer } }) => {
    const plain = await ask(issuerUrl(issuer, '/.well-known/openid-configuration'));
    if (typeof plain === 'string' || plain.response.status !== 200) return [];
    const found = [...checkHeaders(plain), ...(await checkSizes(issuer)), ...(await checkAdmin(issuer))];
    return found.length > 0
      ? found
      : [ok('lets large requests and our headers through, and the admin API is not public')];
  },
};
