/** How many commits in a row have to fail. Fewer failures may be caused by a single request. */
const minFailures = 3;
/** Longer than between two probes of most orchestrators. */
const failingSeconds = 10;

/**
 * Whether the store still accepts commits. It may answer reads and pings while it refuses them: its disk or memory is
 * full.
 *
 * @param now in milliseconds, from a clock that never goes back
 */
export const createCommitHealth = (now: () => number = () => performance.now()) => {
  let failures = 0;
  let last: { readonly error: unknown; readonly at: number } | undefined;
  return {
    /** A commit was carried out. */
    succeeded(): void {
      failures = 0;
    },
    failed(error: unknown): void {
      failures += 1;
      last = { error, at: now() };
    },
    /** The last error while commits fail; `undefined` once one succeeded, or when none failed for `failingSeconds`. */
    failure: (): unknown =>
      last !== undefined && failures >= minFailures && now() - last.at < failingSeconds * 1000 ? last.error : undefined,
  };
};

export type CommitHealth = ReturnType<typeof createCommitHealth>;
