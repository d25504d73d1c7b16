import type { Scenario } from './scenario.ts';

const document = (name: string, title: string, path: string, member: string): Scenario => ({
  name,
  title,
  amount: 10_000,
  connections: 100,
  prepare: async ({ publicUrl }) => ({
    kind: 'requests',
    url: publicUrl + path,
    isRight: (body) => body.includes(`"${member}"`),
  }),
});

export const discovery = document('discovery', 'Discovery', '/.well-known/openid-configuration', 'issuer');
export const jwks = document('jwks', 'JWKS', '/.well-known/jwks.json', 'keys');
