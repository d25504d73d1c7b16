/**
 * The clocks of two machines may differ by this, in seconds. Where the time of one machine is compared with the clock of
 * another, the comparison allows for it; docs/operate/operations.md lists these places.
 */
export const clockSkewSeconds = 30;

/** The time of the provider, which tests replace. */
export interface Clock {
  /** Milliseconds since 1970. */
  readonly now: () => number;
}
