/** Nanoseconds, as integers: `1.5h` and `1h30m` are to be the same. */
const unitNanoseconds: Readonly<Record<string, number>> = {
  ns: 1,
  us: 1e3,
  µs: 1e3,
  μs: 1e3,
  ms: 1e6,
  s: 1e9,
  m: 60e9,
  h: 3600e9,
};

const term = /(\d+\.?\d*|\.\d+)(ns|us|µs|μs|ms|s|m|h)/y;
/** 100 years: longer than any token lives, and far below what Go's own type holds. */
const maxSeconds = 100 * 365 * 24 * 3600;

const zero = /^[+-]?(?:0|(?:(?:0+\.?0*|\.0+)(?:ns|us|µs|μs|ms|s|m|h))+)$/;
/** Longer than any duration that Go writes. */
const maxCharacters = 64;

/** Whether a text is a duration of zero, in any of Go's spellings: `0`, `0s`, `0h0m0s`. */
export const isZeroGoDuration = (text: string): boolean => text.length <= maxCharacters && zero.test(text);

/**
 * Seconds of a duration as Go writes them: `31h0m0s`, `1h30m`, `1.5h`, `500ms`.
 * @returns `undefined` for what is no duration, is not positive, or is longer than 100 years
 */
export const parseGoDuration = (text: string): number | undefined => {
  if (text.length === 0 || text.length > maxCharacters) return undefined;
  let nanoseconds = 0;
  term.lastIndex = text.startsWith('+') ? 1 : 0;
  do {
    const match = term.exec(text);
    if (match === null) return undefined;
    nanoseconds += Number(match[1]) * (unitNanoseconds[match[2] as string] as number);
  } while (term.lastIndex < text.length);
  const seconds = nanoseconds / 1e9;
  return seconds > 0 && seconds <= maxSeconds ? seconds : undefined;
};

/** The way Go writes a duration of whole seconds: `1h30m0s`, `45s`. */
export const formatGoDuration = (seconds: number): string => {
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor((seconds % 3600) / 60)];
  const parts = `${hours > 0 ? `${hours}h` : ''}${hours > 0 || minutes > 0 ? `${minutes}m` : ''}`;
  return `${parts}${seconds % 60}s`;
};
