/** A value that another server has, and that changes at times. */
export interface Renewed<Value> {
  /** The value. It is read at the first call, and again in the background: an outage does not disturb the callers. */
  current(): Promise<Value>;
  /** Reads the value now. Calls at the same time share one read. @throws the error of `read` */
  renew(): Promise<Value>;
  /** The value of the last read that succeeded. */
  latest(): Value | undefined;
}

export interface RenewedOptions<Value> {
  readonly read: (latest: Value | undefined) => Promise<Value>;
  /** A value that is not valid is not used while it is read again. Default: always. */
  readonly isValid?: (value: Value) => boolean;
  /** How long a value is used before it is read again, in milliseconds. */
  readonly freshMs: number;
  /** The pause after a read that failed, in milliseconds. */
  readonly pauseMs: number;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

export const createRenewed = <Value>({
  read,
  isValid = () => true,
  freshMs,
  pauseMs,
  now,
}: RenewedOptions<Value>): Renewed<Value> => {
  let latest: Value | undefined;
  let running: Promise<Value> | undefined;
  let nextAt = 0;

  const readNow = async (): Promise<Value> => {
    nextAt = now() + pauseMs;
    const found = await read(latest);
    latest = found;
    nextAt = now() + freshMs;
    return found;
  };
  const renew = (): Promise<Value> => {
    running ??= readNow().finally(() => {
      running = undefined;
    });
    return running;
  };
  return {
    renew,
    latest: () => latest,
    current: async () => {
      if (latest === undefined || !isValid(latest)) return renew();
      if (now() >= nextAt) renew().catch(() => {});
      return latest;
    },
  };
};
