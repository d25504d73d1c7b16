import type { Target } from '../targets/target.ts';
import type { LoginKind } from '../users/kinds.ts';
import { type Logins, openLogins, type User } from '../users/logins.ts';
import { chosenSecret, publicClient, registerClient } from '../users/register-client.ts';
import { offline, remembered, withAcr, withClaims, withDpop, withFormPost, withMaxAge } from './login-kinds.ts';
import { probe } from './probe.ts';
import type { Scenario } from './scenario.ts';

const width = 64;
const load = { amount: 1_500, connections: width };

interface Asked {
  readonly metadata?: () => object;
  readonly kind?: () => LoginKind;
}

const open = async (target: Target, { metadata = () => publicClient, kind = () => ({}) }: Asked): Promise<Logins> => {
  const made = kind();
  const logins = openLogins(target, await registerClient(target, metadata()), width, made);
  await probe(target, logins, made);
  return logins;
};

const firstLogin = (name: string, title: string, asked: Asked = {}): Scenario => ({
  name,
  title,
  ...load,
  async prepare(target) {
    const logins = await open(target, asked);
    return { kind: 'journeys', run: async () => void (await logins.run()) };
  },
});

export const login = firstLogin('login', 'Login, new user, public client');
export const loginMounted: Scenario = {
  ...firstLogin('login-mounted', 'Login, Carnet and pages mounted in an app', { kind: () => ({ isMounted: true }) }),
  isMounted: true,
};
export const loginOffline = firstLogin('login-offline', 'Login, prompt=consent', { kind: () => offline });
export const loginMaxAge = firstLogin('login-max-age', 'Login, max_age', { kind: () => withMaxAge });
export const loginAcr = firstLogin('login-acr', 'Login, acr_values', { kind: () => withAcr });
export const loginClaims = firstLogin('login-claims', 'Login, claims parameter', { kind: () => withClaims });
export const loginFormPost = firstLogin('login-form-post', 'Login, response_mode=form_post', {
  kind: () => withFormPost,
});
export const loginRemember = firstLogin('login-remember', 'Login, to be remembered', { kind: () => remembered });
export const loginDpop = firstLogin('login-dpop', 'Login, code redeemed with a DPoP proof', { kind: withDpop });
export const loginConfidential = firstLogin('login-confidential', 'Login, new user, bcrypt, warm', {
  metadata: chosenSecret,
});

/** Remembered users who log in again and again, each in one login at a time. */
const openReturning = async (logins: Logins, count: number): Promise<() => Promise<void>> => {
  const users = await Promise.all(Array.from({ length: count }, () => logins.remember()));
  return async () => {
    const user = users.pop() as User;
    await logins.comeBack(user);
    users.push(user);
  };
};

const returning = (name: string, title: string, asked: Asked = {}): Scenario => ({
  name,
  title,
  ...load,
  prepare: async (target) => ({ kind: 'journeys', run: await openReturning(await open(target, asked), width) }),
});

export const loginReturning = returning('login-returning', 'Login, remembered user, public client');
export const loginReturningConfidential = returning(
  'login-returning-confidential',
  'Login, remembered user, bcrypt, warm',
  { metadata: chosenSecret },
);

/** Ten logins: 40 % of the simplest kind, 20 % with prompt=consent, 30 % of remembered users, 10 % refused. */
const mix = [
  'plain',
  'returning',
  'offline',
  'plain',
  'returning',
  'refused',
  'plain',
  'offline',
  'returning',
  'plain',
];

export const loginMix: Scenario = {
  name: 'login-mix',
  title: 'Logins: 40 % new, 20 % prompt=consent, 30 % remembered, 10 % refused',
  ...load,
  async prepare(target) {
    const plain = await open(target, {});
    const withConsent = await open(target, { kind: () => offline });
    const comeBack = await openReturning(plain, width);
    let begun = 0;
    const run = async (): Promise<void> => {
      const kind = mix[begun++ % mix.length];
      if (kind === 'returning') await comeBack();
      else if (kind === 'refused') await plain.refuse();
      else await (kind === 'offline' ? withConsent : plain).run();
    };
    return { kind: 'journeys', run };
  },
};
