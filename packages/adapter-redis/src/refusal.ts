import { StoreUnfitError } from '@carnet/adapter-contract';

/** The command of an error holds what was sent, a password perhaps. */
const withoutCommand = (error: unknown): unknown => {
  if (error instanceof Error && 'command' in error) delete error.command;
  return error;
};

/** The server refuses settings of the URL, so that another attempt is useless. */
const refusals: readonly (readonly [answer: RegExp, message: string])[] = [
  [/^(WRONGPASS|NOAUTH|ERR invalid password)/, 'Redis refuses the user or password of the URL.'],
  [
    /^NOPERM/,
    'The Redis user of the URL lacks permissions that the store needs: see the README of @carnet/adapter-redis.',
  ],
  [
    /cluster support disabled/,
    'The Redis server is not a node of a Cluster. Use a URL that starts with redis:// or rediss://.',
  ],
  // Such an answer quotes what was sent with the command, a password perhaps.
  [
    /unknown (?:sub)?command|with args beginning/i,
    'Redis does not know a command that the store needs, or does not let it be used: see the README of @carnet/adapter-redis.',
  ],
  [/DB index is out of range/, 'Redis does not have the database whose number the URL names.'],
];

/** Converts an error for logs: a StoreUnfitError if an operator must act, and never with the sent command. */
export const explain = (error: unknown): unknown => {
  const text = error instanceof Error ? error.message : '';
  const refusal = refusals.find(([answer]) => answer.test(text));
  return refusal ? new StoreUnfitError(refusal[1]) : withoutCommand(error);
};
