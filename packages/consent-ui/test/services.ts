import type { Accounts } from '@carnet/accounts';
import type { LoginRequest } from '../src/api/wire.ts';
import { createLoginAttempts } from '../src/attempts/login-attempts.ts';
import { createSealedCookies } from '../src/cookies/sealed-cookie.ts';
import { createFormTokens } from '../src/csrf/form-token.ts';
import { submitEnrolment } from '../src/factors/submit-enrolment.ts';
import { startAgain, submitFactor } from '../src/factors/submit-factor.ts';
import { submitNewPassword } from '../src/factors/submit-new-password.ts';
import { showLogin, submitLogin } from '../src/login/login.tsx';
import { defaultUi } from '../src/page/ui.ts';
import { submitPasskey } from '../src/passkeys/submit-passkey.ts';
import type { Services } from '../src/services.ts';
import { createAccountsUsers } from '../src/users/accounts-users.ts';
import type { Routes } from './browser.ts';

export const origin = 'https://login.example.com';

export const signInRoutes: Routes = {
  '/login': [showLogin, submitLogin],
  '/login/factor': [startAgain, submitFactor],
  '/login/enrol': [startAgain, submitEnrolment],
  '/login/passkey': [startAgain, submitPasskey],
  '/login/new-password': [startAgain, submitNewPassword],
};

const asks: LoginRequest = {
  skip: false,
  subject: '',
  client: { client_id: 'shop', client_name: 'Shop' },
  oidc_context: {},
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
  const services: Services = {
    api: { login } as unknown as Services['api'],
    users: createAccountsUsers(accounts),
    accounts,
    sessionsApi: {} as Services['sessionsApi'],
    accountClient: {} as Services['accountClient'],
    formTokens: createFormTokens({ secure: true }),
    attempts: createLoginAttempts(),
    ui: { ...defaultUi, secureCookies: true },
    cookies: createSealedCookies({ secrets: ['a'.repeat(32)], secure: true }),
    settings: {
      rememberForSeconds: 60,
      scopesTicked: true,
      trustedProxyHops: 0,
      passwordAcr: 'urn:carnet:1fa',
      uiUrl: new URL(origin),
      issuer: new URL('https://id.example.com'),
    },
    ...members,
  };
  return { services, accepted };
};
