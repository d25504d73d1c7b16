import type { Target } from '../targets/target.ts';
import type { LoginKind } from '../users/kinds.ts';
import { type Code, type Logins, openLogins, type Refreshing } from '../users/logins.ts';
import { publicClient, registerClient } from '../users/register-client.ts';
import { resource, withDpop, withResource } from './login-kinds.ts';
import { probe } from './probe.ts';
import type { Scenario } from './scenario.ts';
import { strategyOf, type TokenType } from './token-type.ts';

const userinfoOf = (name: string, title: string, type: TokenType): Scenario => ({
  name,
  title,
  amount: 10_000,
  connections: 100,
  async prepare(target) {
    const logins = openLogins(target, await registerClient(target, { ...publicClient, ...strategyOf(type) }), 1);
    const { access_token } = await logins.run();
    logins.close();
    return {
      kind: 'requests',
      url: `${target.publicUrl}/userinfo`,
      headers: { Authorization: `Bearer ${access_token}` },
      isRight: (body) => body.includes('"sub"'),
    };
  },
});

export const userinfo = userinfoOf('userinfo', 'Userinfo, opaque', 'opaque');
export const userinfoJwt = userinfoOf('userinfo-jwt', 'Userinfo, JWT', 'jwt');

const connections = 50;

interface Asked {
  readonly metadata?: object;
  readonly kind?: () => LoginKind;
}

const opaque: Asked = { metadata: strategyOf('opaque') };
const jwt: Asked = { metadata: strategyOf('jwt') };
const bound: Asked = { ...opaque, kind: withDpop };
const forResource: Asked = { metadata: { ...strategyOf('opaque'), audience: [resource] }, kind: () => withResource };

const open = async (target: Target, { metadata = {}, kind = () => ({}) }: Asked): Promise<Logins> => {
  const made = kind();
  const client = await registerClient(target, { ...publicClient, ...metadata });
  const logins = openLogins(target, client, connections, made);
  await probe(target, logins, made);
  return logins;
};

const refreshOf = (name: string, title: string, asked: Asked): Scenario => ({
  name,
  title,
  amount: 2_000,
  connections,
  async prepare(target) {
    const logins = await open(target, asked);
    const tokens = await Promise.all(Array.from({ length: connections }, () => logins.startRefreshing()));
    return {
      kind: 'journeys',
      run: async () => {
        tokens.push(await logins.refresh(tokens.pop() as Refreshing));
      },
    };
  },
});

export const refresh = refreshOf('refresh', 'Refresh, rotating, opaque', opaque);
export const refreshJwt = refreshOf('refresh-jwt', 'Refresh, rotating, JWT', jwt);
export const refreshDpop = refreshOf('refresh-dpop', 'Refresh, rotating, DPoP', bound);
export const refreshResource = refreshOf('refresh-resource', 'Refresh, rotating, for a resource', forResource);

/** Measures the redemption alone, without the login before it. */
const redeemOf = (name: string, title: string, asked: Asked): Scenario => ({
  name,
  title,
  amount: 1_000,
  connections,
  async prepare(target) {
    const logins = await open(target, asked);
    const codes: Code[] = [];
    const authorize = async (): Promise<void> => void codes.push(await logins.authorize());
    return {
      kind: 'journeys',
      async renew(amount) {
        while (codes.length < amount) {
          const missing = Math.min(connections, amount - codes.length);
          await Promise.all(Array.from({ length: missing }, authorize));
        }
      },
      run: async () => void (await logins.redeem(codes.pop() as Code)),
    };
  },
});

export const redeem = redeemOf('redeem', 'Code redemption, opaque', opaque);
export const redeemJwt = redeemOf('redeem-jwt', 'Code redemption, JWT', jwt);
export const redeemDpop = redeemOf('redeem-dpop', 'Code redemption, DPoP', bound);
export const redeemResource = redeemOf('redeem-resource', 'Code redemption, for a resource', forResource);
