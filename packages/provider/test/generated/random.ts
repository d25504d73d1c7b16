/** Choices that are the same for the same seed. */
export interface Random {
  readonly seed: number;
  /** From 0 up to, and without, `below`. */
  whole(below: number): number;
  /** True once in so many times. */
  oneIn(times: number): boolean;
  pick<T>(of: readonly T[]): T;
  /** So many characters of `alphabet`. */
  text(length: number, alphabet: string): string;
  shuffled<T>(of: readonly T[]): T[];
}

/** mulberry32 */
export const createRandom = (seed: number): Random => {
  let state = seed;
  const next = (): number => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
  const whole = (below: number): number => Math.floor(next() * below);
  const pick = <T>(of: readonly T[]): T => of[whole(of.length)] as T;
  return {
    seed,
    whole,
    oneIn: (times) => whole(times) === 0,
    pick,
    text: (length, alphabet) => Array.from({ length }, () => pick([...alphabet])).join(''),
    shuffled: (of) =>
      of
        .map((value) => ({ value, at: next() }))
        .sort((a, b) => a.at - b.at)
        .map(({ value }) => value),
  };
};

/** The seed of a generated test: `CARNET_TEST_SEED`, or one that is always the same. */
export const seedOfTests = Number(process.env.CARNET_TEST_SEED ?? 20_260_101);
/** How often the usual number of generated requests is sent: `CARNET_TEST_TIMES`. */
export const timesOfTests = Number(process.env.CARNET_TEST_TIMES ?? 1);
