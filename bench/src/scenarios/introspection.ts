import type { Target } from '../targets/target.ts';
import { openLogins } from '../users/logins.ts';
import { publicClient, registerClient } from '../users/register-client.ts';
import type { Scenario } from './scenario.ts';
import { form, strategyOf, type TokenType } from './token-type.ts';

/** Issues access tokens of 50 users. */
const issue = async (target: Target, type: TokenType): Promise<readonly string[]> => {
  const logins = openLogins(target, await registerClient(target, { ...publicClient, ...strategyOf(type) }), 4);
  const tokens = await Promise.all(Array.from({ length: 50 }, () => logins.run()));
  logins.close();
  return tokens.map(({ access_token }) => access_token);
};

interface Asked {
  readonly tokens: (target: Target) => Promise<readonly string[]>;
  readonly answer: string;
}

const introspectionOf = (name: string, title: string, { tokens, answer }: Asked): Scenario => ({
  name,
  title,
  amount: 10_000,
  connections: 100,
  prepare: async (target) => ({
    kind: 'requests',
    url: `${target.adminUrl}/admin/oauth2/introspect`,
    method: 'POST',
    headers: form,
    bodies: (await tokens(target)).map((token) => `token=${encodeURIComponent(token)}`),
    isRight: (body) => body.includes(answer),
  }),
});

export const introspection = introspectionOf('introspection', 'Introspection, opaque', {
  tokens: (target) => issue(target, 'opaque'),
  answer: '"active":true',
});

export const introspectionJwt = introspectionOf('introspection-jwt', 'Introspection, JWT', {
  tokens: (target) => issue(target, 'jwt'),
  answer: '"active":true',
});

/** As many well-formed tokens that were never issued. */
export const introspectionInactive = introspectionOf('introspection-inactive', 'Introspection, no such token', {
  tokens: async (target) =>
    (await issue(target, 'opaque')).map((token) => token.slice(0, -4) + [...token.slice(-4)].reverse().join('')),
  answer: '"active":false',
});
