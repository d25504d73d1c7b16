import { openLogins, type Person } from '../people/login.ts';
import { chosenSecret, publicClient, registerClient } from '../people/register-client.ts';
import type { Scenario } from './scenario.ts';

const logins = (name: string, title: string, metadata: () => object): Scenario => ({
  name,
  title,
  amount: 1_500,
  connections: 64,
  async prepare(target) {
    const people = openLogins(target, await registerClient(target, metadata()), 64);
    return { kind: 'journeys', run: async () => void (await people.run()) };
  },
});

export const login = logins('login', 'Login, new person, public client', () => publicClient);
export const loginConfidential = logins('login-confidential', 'Login, new person, bcrypt, warm', chosenSecret);

const width = 64;

/** Each of these people logs in again and again, never twice at once. */
const returning = (name: string, title: string, metadata: () => object): Scenario => ({
  name,
  title,
  amount: 1_500,
  connections: width,
  async prepare(target) {
    const logins = openLogins(target, await registerClient(target, metadata()), width);
    const people = await Promise.all(Array.from({ length: width }, () => logins.remember()));
    return {
      kind: 'journeys',
      run: async () => {
        const person = people.pop() as Person;
        await logins.comeBack(person);
        people.push(person);
      },
    };
  },
});

export const loginReturning = returning(
  'login-returning',
  'Login, remembered person, public client',
  () => publicClient,
);
export const loginReturningConfidential = returning(
  'login-returning-confidential',
  'Login, remembered person, bcrypt, warm',
  chosenSecret,
);
