import type { NewUser, Users } from '../store/index.ts';

/** The password is public: the configuration accepts the demo user in dev mode only. */
const demoUser = {
  email: 'demo@example.com',
  emailVerified: true,
  username: 'dana',
  password: 'carnet-demo',
  claims: {
    name: 'Dana Moreno',
    given_name: 'Dana',
    family_name: 'Moreno',
    nickname: 'Dani',
    locale: 'en',
    zoneinfo: 'Europe/Madrid',
  },
} as const satisfies NewUser;

/** Gives an empty accounts database the demo user. Several processes may do so at once. */
export const createDemoUser = async (users: Pick<Users, 'list' | 'create'>): Promise<void> => {
  const { users: present } = await users.list({ limit: 1 });
  if (present.length > 0) return;
  const creation = await users.create(demoUser);
  if (!creation.created && creation.reason !== 'taken') throw new Error(`The demo user: ${creation.message}`);
};
