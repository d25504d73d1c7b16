import type { Json } from '../login.ts';
import type { Held } from './fault-points.ts';
import type { ProviderProcess } from './provider-process.ts';
import {
  assertionUse,
  newCode,
  newTokens,
  redemption,
  refreshing,
  signedRedemption,
  type TokenRequest,
} from './token-requests.ts';

interface Prepared {
  readonly request: TokenRequest;
  /** Tokens that an earlier use of the same code or refresh token gave. */
  readonly earlier?: Json;
}

export interface Scenario {
  readonly title: string;
  readonly prepare: (at: ProviderProcess) => Promise<Prepared>;
  /** Whether it is sent to the provider without a grace period. */
  readonly withoutGrace?: boolean;
  /** The status of a retry after nothing was stored, and after everything was. */
  readonly retries: { readonly nothingStored: number; readonly allStored: number };
  /** Whether what may be used once is claimed by itself where a commit is atomic for one grant only. */
  readonly isClaimedFirst?: boolean;
  /** How many may work after the retry, by its status, if more than usual. */
  readonly mostAccessTokens?: Readonly<Record<number, number>>;
}

/** What may be redeemed once. */
const once = { nothingStored: 200, allStored: 400 };

export const scenarios: readonly Scenario[] = [
  {
    title: 'the redemption of a code',
    prepare: async (at) => ({ request: redemption(await newCode(at)) }),
    retries: once,
  },
  {
    title: 'the redemption of a code of a remembered login',
    prepare: async (at) => ({ request: redemption(await newCode(at, { remember: true })) }),
    retries: once,
  },
  {
    title: 'the redemption of a code by a client that signs assertions',
    prepare: async (at) => ({ request: await signedRedemption(at) }),
    retries: once,
  },
  {
    title: 'the second redemption of a code',
    prepare: async (at) => {
      const request = redemption(await newCode(at));
      return { request, earlier: (await request(at)).body };
    },
    retries: { nothingStored: 400, allStored: 400 },
  },
  {
    title: 'a refresh within the grace period',
    prepare: async (at) => ({ request: refreshing(await newTokens(at)) }),
    retries: { nothingStored: 200, allStored: 200 },
    // The successor is handed out a second time, with an access token of its own.
    mostAccessTokens: { 200: 2 },
  },
  {
    title: 'a refresh without a grace period',
    prepare: async (at) => ({ request: refreshing(await newTokens(at)) }),
    withoutGrace: true,
    retries: once,
  },
  {
    title: 'the second use of a refresh token without a grace period',
    prepare: async (at) => {
      const request = refreshing(await newTokens(at));
      return { request, earlier: (await request(at.withoutGrace)).body };
    },
    withoutGrace: true,
    retries: { nothingStored: 400, allStored: 400 },
  },
  {
    title: 'the use of a client assertion',
    prepare: async () => ({ request: await assertionUse() }),
    retries: { nothingStored: 200, allStored: 401 },
    isClaimedFirst: true,
  },
];

/** A request that the killed process got as far as a step with. */
export interface Case {
  readonly id: string;
  readonly scenario: Scenario;
  readonly step: string;
  readonly prepared: Prepared;
}

export const addressee = (at: ProviderProcess, { withoutGrace = false }: Scenario) =>
  withoutGrace ? at.withoutGrace : at;

/** The steps of a scenario's request, as one that nothing stopped went through them. */
const stepsOf = async (at: ProviderProcess, scenario: Scenario): Promise<string[]> => {
  const { request } = await scenario.prepare(at);
  const { headers } = await request(addressee(at, scenario), { 'x-case': 'trial' });
  return JSON.parse(headers.get('x-steps') ?? '[]');
};

export const prepareCases = async (at: ProviderProcess): Promise<Case[]> => {
  const cases = scenarios.map(async (scenario) => {
    const steps = await stepsOf(at, scenario);
    return Promise.all(
      steps.map(async (step) => {
        const prepared = await scenario.prepare(at);
        return { id: `${scenario.title}, ${step}`, scenario, step, prepared };
      }),
    );
  });
  return (await Promise.all(cases)).flat();
};

/** Sends every case to a process that dies when each has come to its step. */
export const killAmid = async (victim: ProviderProcess, cases: readonly Case[]): Promise<readonly Held[]> => {
  const death = victim.dieWith(cases.length);
  const attempts = cases.map(async ({ id, scenario, step, prepared }) => {
    const answer = prepared.request(addressee(victim, scenario), { 'x-case': id, 'x-stop-at': step });
    const arrived = await answer.catch(() => undefined);
    if (arrived !== undefined) throw new Error(`${id}: was answered with ${arrived.status}`);
  });
  const [held] = await Promise.all([death, ...attempts]);
  return held;
};
