import { createEnvelope } from '../../src/flow/envelope.ts';
import { createFlowId } from '../../src/flow/flow-id.ts';
import type { FlowState } from '../../src/flow/flow-state.ts';
import { createKeyRing } from '../../src/flow/key-ring.ts';
import { encodeState } from '../../src/flow/state-codec.ts';
import { redirectUri, testRegistration } from '../clients.ts';
import { testSecret } from '../harness.ts';
import { codeChallenge } from '../login.ts';
import type { Random } from './random.ts';

/** What the pages of a person have decided about a client's request. */
export interface Decided {
  readonly clientId: string;
  readonly sid: string;
  /** Seconds since 1970. */
  readonly now: number;
}

const letters = 'abcdefghijklmnopqrstuvwxyz';

const maybe = <T>(random: Random, onceIn: number, value: T): T | undefined =>
  random.oneIn(onceIn) ? value : undefined;

const scopesOf = (random: Random): string[] =>
  ['openid', 'offline_access', 'profile', 'email', 'offline'].filter((scope) =>
    scope === 'openid' || scope === 'offline_access' ? !random.oneIn(8) : random.oneIn(2),
  );

const claims = { name: 'Alice', roles: ['a', 'b'], sub: 'mallory', aud: 'other', nested: { deep: [1, null, 'ü'] } };

const paramsOf = (random: Random, { clientId }: Decided): Record<string, string> => {
  const all: Record<string, string | undefined> = {
    client_id: clientId,
    redirect_uri: redirectUri,
    response_type: random.oneIn(25) ? 'code id_token' : 'code',
    scope: 'openid offline_access profile',
    state: random.text(24, letters),
    nonce: maybe(random, 2, random.text(24, letters)),
    code_challenge: random.oneIn(10) ? undefined : codeChallenge,
    claims: maybe(random, 25, '{"id_token":{"name":null}}'),
    acr_values: maybe(random, 25, 'gold silver'),
    resource: maybe(random, 25, 'https://api.test'),
    dpop_jkt: maybe(random, 40, random.text(43, letters)),
  };
  if (all.code_challenge !== undefined) all.code_challenge_method = random.oneIn(30) ? 'plain' : 'S256';
  return Object.fromEntries(Object.entries(all).filter((entry): entry is [string, string] => entry[1] !== undefined));
};

const loginOf = (random: Random, { now }: Decided) => ({
  subject: random.pick(['alice', 'bob', 'Ünï cödé', 'x'.repeat(200)]),
  authTime: now - random.whole(4_000),
  remember: random.oneIn(4),
  rememberFor: maybe(random, 3, random.pick([0, 60, 3_600])),
  acr: maybe(random, 3, 'gold'),
  amr: maybe(random, 3, ['pwd', 'otp']),
  forcedSubject: maybe(random, 10, 'forced'),
});

const consentOf = (random: Random, { now }: Decided) => ({
  scopes: scopesOf(random),
  audience: random.oneIn(3) ? ['https://api.test', 'https://other.test'] : [],
  remember: random.oneIn(5),
  handledAt: random.oneIn(30) ? now - 100_000 : now,
  registration: random.oneIn(30) ? random.pick([undefined, 'reg-past']) : testRegistration,
  idToken: maybe(random, 3, claims),
  accessToken: maybe(random, 3, { tenant: 7, scope: 'stolen', ext: {} }),
  authorizationDetails: maybe(random, 30, [{ type: 'payment' }]),
  context: maybe(random, 10, { note: 'x' }),
});

/** A decided flow, as pages could have made it, and some as none could. */
export const decidedFlow = (random: Random, decided: Decided): FlowState => {
  const login = loginOf(random, decided);
  const isSkipped = random.oneIn(6);
  const session = { sid: decided.sid, subject: login.subject, authTime: login.authTime };
  return {
    id: createFlowId(decided.now * 1000),
    expiresAt: decided.now + (random.oneIn(20) ? -1 : 600),
    params: paramsOf(random, decided),
    login,
    consent: consentOf(random, decided),
    ...(isSkipped ? { session, skipLogin: true } : {}),
    ...(random.oneIn(15) ? { pushedId: random.text(22, letters) } : {}),
  };
};

/** Codes of an issuer with the secret of the tests. */
export const createMint = (issuer: string): ((flow: FlowState) => string) => {
  const envelope = createEnvelope(createKeyRing({ issuer, secrets: [testSecret], now: () => Date.now() }));
  return (flow) => `carnet_ac_${envelope.seal('authorization_code', encodeState(flow))}`;
};
