import type { Accounts } from '@carnet/accounts';
import type { LoginRequest } from '../src/api/wire.ts';
import { createSealedCookies } from '../src/cookies/sealed-cookie.ts';
import { createFormTokens, formTokenField } from '../src/csrf/form-token.ts';
import { createAttemptLimit } from '../src/device/attempt-limit.ts';
import { defaultUi } from '../src/page/ui.ts';
import type { Operation, Services } from '../src/services.ts';

export const origin = 'https://login.example.com';

const asks: LoginRequest = {
  skip: false,
  subject: '',
  client: { client_id: 'shop', client_name: 'Shop' },
  oidc_context: {},
};

/** The services of pages that browsers reach over HTTP, with these members. A member that is not named here does not work. */
export const partOfServices = (members: Partial<Services>): Services => ({
  api: {} as Services['api'],
  accounts: {} as Accounts,
  sessionsApi: {} as Services['sessionsApi'],
  accountClient: {} as Services['accountClient'],
  formTokens: createFormTokens({ secure: false }),
  userCodes: createAttemptLimit({ limit: 20, windowSeconds: 300 }),
  ui: defaultUi,
  cookies: createSealedCookies({ secrets: ['a'.repeat(32)], secure: false, issuer: new URL('http://127.0.0.1:4444') }),
  settings: {
    rememberForSeconds: 60,
    consentTicked: true,
    trustedProxyHops: 0,
    uiUrl: new URL('http://127.0.0.1:3000'),
    issuer: new URL('http://127.0.0.1:4444'),
  },
  ...members,
});

/** Posts a form of the challenge `c1`, in a browser that has seen it and has this cookie. */
export const postForm = (
  services: Services,
  submit: Operation,
  url: string,
  fields: [name: string, value: string][],
  otherCookie = '',
): Promise<Response> => {
  const { token, cookie } = services.formTokens.issue(new Request(url), 'c1');
  const body = new URLSearchParams([[formTokenField, token], ...fields]);
  const headers = { cookie: `${cookie.split(';')[0]}; ${otherCookie}` };
  return submit(services, new Request(url, { method: 'POST', body, headers }));
};

export interface TestServices {
  readonly services: Services;
  /** The login requests that were accepted. */
  readonly accepted: { readonly challenge: string; readonly body: object }[];
}

/** The services of the pages with these accounts, and with a provider that has every login request. */
export const createTestServices = (
  accounts: Accounts,
  members: Partial<Services> = {},
  asked: Partial<LoginRequest> = {},
): TestServices => {
  const accepted: { challenge: string; body: object }[] = [];
  const decide = async (challenge: string, body: object) => {
    accepted.push({ challenge, body });
    return { state: 'decided', redirectTo: 'https://id.example.com/oauth2/auth?login_verifier=v' } as const;
  };
  const login = {
    find: async () => ({ state: 'open', request: { ...asks, ...asked } }) as const,
    accept: decide,
    reject: decide,
  } satisfies Services['api']['login'];
  const initial = partOfServices({
    api: { login } as unknown as Services['api'],
    accounts,
    formTokens: createFormTokens({ secure: true }),
    ui: { ...defaultUi, secureCookies: true },
    cookies: createSealedCookies({
      secrets: ['a'.repeat(32)],
      secure: true,
      issuer: new URL('https://id.example.com'),
    }),
  });
  const settings = { ...initial.settings, uiUrl: new URL(origin), issuer: new URL('https://id.example.com') };
  const services: Services = { ...initial, settings, ...members };
  return { services, accepted };
};
