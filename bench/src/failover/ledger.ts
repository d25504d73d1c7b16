/** Everything that a client or an operator was answered, and that must be true at the end. */
export interface Ledger {
  /** Access tokens that were issued, by their login. */
  readonly active: Map<string, string>;
  /** Access tokens whose revocation or logout was acknowledged. */
  readonly revoked: Map<string, string>;
  /** Sessions of browsers that were ended: the cookies. */
  readonly endedSessions: ReadonlyMap<string, string>[];
  /** Codes that were redeemed, and the number of the acknowledged redemptions. */
  readonly redemptions: Map<string, number>;
  issue(login: string, accessToken: string): void;
  /** The token's state is not known any more: a request that may have changed it was not answered. */
  forget(accessToken: string): void;
  revoke(accessToken: string): void;
  redeemed(code: string): void;
}

export const createLedger = (): Ledger => {
  const active = new Map<string, string>();
  const revoked = new Map<string, string>();
  const redemptions = new Map<string, number>();
  return {
    active,
    revoked,
    endedSessions: [],
    redemptions,
    issue: (login, accessToken) => void active.set(accessToken, login),
    forget: (accessToken) => void active.delete(accessToken),
    revoke(accessToken) {
      revoked.set(accessToken, active.get(accessToken) ?? '');
      active.delete(accessToken);
    },
    redeemed: (code) => void redemptions.set(code, (redemptions.get(code) ?? 0) + 1),
  };
};

export interface Audit {
  readonly acknowledgedTokens: number;
  readonly lostTokens: number;
  readonly acknowledgedRevocations: number;
  readonly revivedTokens: number;
  readonly endedSessions: number;
  readonly revivedSessions: number;
  readonly redeemedCodes: number;
  /** Codes for which two redemptions were answered with tokens. */
  readonly codesRedeemedTwice: number;
}

export interface AuditQuestions {
  isActive(accessToken: string): Promise<boolean>;
  isSessionAlive(cookies: ReadonlyMap<string, string>): Promise<boolean>;
  /** Redeems a used code once more. Whether tokens were issued. */
  redeemsAgain(code: string): Promise<boolean>;
}

const atOnce = 16;

/** How many of the items the answer is true for. */
const countWhere = async <T>(items: Iterable<T>, isTrue: (item: T) => Promise<boolean>): Promise<number> => {
  const queue = [...items];
  let count = 0;
  const work = async (): Promise<void> => {
    for (let item = queue.pop(); item !== undefined; item = queue.pop()) if (await isTrue(item)) count += 1;
  };
  await Promise.all(Array.from({ length: atOnce }, work));
  return count;
};

/** How many used codes are redeemed once more at the end. */
const mostRedeemedAgain = 500;

/** Asks the server about everything in the ledger. Used codes come last: a second redemption revokes the tokens. */
export const audit = async (ledger: Ledger, ask: AuditQuestions): Promise<Audit> => {
  const lostTokens = await countWhere(ledger.active.keys(), async (token) => !(await ask.isActive(token)));
  const revivedTokens = await countWhere(ledger.revoked.keys(), ask.isActive);
  const revivedSessions = await countWhere(ledger.endedSessions, ask.isSessionAlive);
  const codes = [...ledger.redemptions.keys()];
  const step = Math.max(1, Math.floor(codes.length / mostRedeemedAgain));
  const sample = codes.filter((_, index) => index % step === 0);
  const redeemedAgain = await countWhere(sample, ask.redeemsAgain);
  const redeemedAtOnce = [...ledger.redemptions.values()].filter((count) => count > 1).length;
  return {
    acknowledgedTokens: ledger.active.size,
    lostTokens,
    acknowledgedRevocations: ledger.revoked.size,
    revivedTokens,
    endedSessions: ledger.endedSessions.length,
    revivedSessions,
    redeemedCodes: codes.length,
    codesRedeemedTwice: redeemedAtOnce + redeemedAgain,
  };
};
