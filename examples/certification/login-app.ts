import { type Listening, listen } from '@carnet/test-servers/listen';

export type LoginApp = Pick<Listening, 'origin' | 'close'>;

/** The user of every login. */
export const user = {
  subject: 'alice',
  claims: {
    name: 'Alice Example',
    given_name: 'Alice',
    family_name: 'Example',
    middle_name: 'A.',
    nickname: 'Al',
    preferred_username: 'alice',
    profile: 'https://app.test/alice',
    picture: 'https://app.test/alice.png',
    website: 'https://alice.test',
    email: 'alice@app.test',
    email_verified: true,
    gender: 'female',
    birthdate: '1990-01-01',
    zoneinfo: 'Europe/Berlin',
    locale: 'en',
    phone_number: '+49 30 000000',
    phone_number_verified: false,
    address: { formatted: 'Example Street 1, 10115 Berlin', country: 'Germany' },
    updated_at: 1_767_225_600,
  },
};

const pages = ['login', 'consent', 'logout'] as const;

/** The body that accepts the request of each page. */
const decisions = {
  login: () => ({ subject: user.subject, remember: true }),
  consent: (requestedScope: readonly string[]) => ({
    grant_scope: requestedScope,
    session: { id_token: user.claims },
    remember: true,
  }),
  logout: () => ({}),
} as const satisfies Record<(typeof pages)[number], (requestedScope: readonly string[]) => object>;

/** A login app that accepts every login, consent and logout: it grants all requested scopes to the same user each time. */
export const startLoginApp = (adminApi: string): Promise<LoginApp> => {
  const decide = async (what: (typeof pages)[number], challenge: string): Promise<string> => {
    const url = `${adminApi}/admin/oauth2/auth/requests/${what}`;
    const query = `${what}_challenge=${encodeURIComponent(challenge)}`;
    const request = (await (await fetch(`${url}?${query}`)).json()) as { readonly requested_scope: string[] };
    const body = decisions[what](request.requested_scope);
    const accepted = await fetch(`${url}/accept?${query}`, { method: 'PUT', body: JSON.stringify(body) });
    return ((await accepted.json()) as { readonly redirect_to: string }).redirect_to;
  };

  return listen(async (req, res) => {
    const { pathname, searchParams } = new URL(req.url ?? '', 'http://login');
    const what = pages.find((page) => pathname === `/${page}`);
    if (what === undefined) return void res.writeHead(404).end();
    const location = await decide(what, searchParams.get(`${what}_challenge`) ?? '');
    res.writeHead(303, { location }).end();
  });
};
