import type { FailureKind } from './http-client.ts';

/** A login, with what followed it. Times in milliseconds of one clock. */
export interface Attempt {
  readonly begunAt: number;
  readonly endedAt: number;
  /** Undefined: it succeeded. */
  readonly failure?: FailureKind | undefined;
}

/** A request that failed. Each is repeated by its client, or fails the login. */
export interface FailedRequest {
  readonly at: number;
  readonly kind: FailureKind;
}

/** A fault of the run. */
export interface FaultTimes {
  readonly name: string;
  readonly from: number;
  /** When the new primary was ready: for a fault that has one. */
  readonly primaryReadyAt?: number | undefined;
  /** The begin of the next fault, or the end of the load. */
  readonly to: number;
}

export interface FaultFigures {
  readonly name: string;
  readonly logins: number;
  readonly failedLogins: number;
  /** Requests that were answered 503 with Retry-After. */
  readonly refused: number;
  /** Requests whose connection failed, or that timed out. */
  readonly unanswered: number;
  /** Logins that ended with an answer that is neither right nor 503 with Retry-After. */
  readonly wrong: number;
  readonly primaryReadySeconds?: number | undefined;
  /** From the readiness of the new primary, or else from the fault, to the end of the last login that failed. */
  readonly lastFailureSeconds: number;
  /** The longest time in which no login ended with success. */
  readonly longestGapSeconds: number;
  readonly p99Ms: number;
}

const inSeconds = (ms: number): number => Math.round(ms / 100) / 10;

const longestGap = (ends: readonly number[], from: number, to: number): number => {
  const points = [from, ...ends.toSorted((one, other) => one - other), to];
  return Math.max(...points.slice(1).map((point, index) => point - (points[index] as number)));
};

const percentile = (values: readonly number[], share: number): number =>
  values.toSorted((one, other) => one - other)[Math.min(values.length - 1, Math.floor(values.length * share))] ?? 0;

/** The figures of the logins that ended between the fault and the next one, which may have begun before. */
export const figuresOf = (
  { attempts, failures }: { readonly attempts: readonly Attempt[]; readonly failures: readonly FailedRequest[] },
  fault: FaultTimes,
): FaultFigures => {
  const own = attempts.filter(({ endedAt }) => endedAt >= fault.from && endedAt < fault.to);
  const failed = own.filter(({ failure }) => failure !== undefined);
  const succeeded = own.filter(({ failure }) => failure === undefined);
  const count = (kind: FailureKind) =>
    failures.filter((each) => each.kind === kind && each.at >= fault.from && each.at < fault.to).length;
  const lastFailureAt = Math.max(...failed.map(({ endedAt }) => endedAt), fault.primaryReadyAt ?? fault.from);
  return {
    name: fault.name,
    logins: own.length,
    failedLogins: failed.length,
    refused: count('refused'),
    unanswered: count('unanswered'),
    wrong: failed.filter(({ failure }) => failure === 'wrong').length,
    primaryReadySeconds: fault.primaryReadyAt === undefined ? undefined : inSeconds(fault.primaryReadyAt - fault.from),
    lastFailureSeconds: inSeconds(lastFailureAt - (fault.primaryReadyAt ?? fault.from)),
    longestGapSeconds: inSeconds(
      longestGap(
        succeeded.map(({ endedAt }) => endedAt),
        fault.from,
        fault.to,
      ),
    ),
    p99Ms: Math.round(
      percentile(
        succeeded.map(({ begunAt, endedAt }) => endedAt - begunAt),
        0.99,
      ),
    ),
  };
};
