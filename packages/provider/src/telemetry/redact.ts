/** Names whose value never reaches a log, whatever it is. The last word decides: `login_challenge`, `codeVerifier`. */
const secretName =
  /^(?:proxy-?)?authorization$|^(?:set-?)?cookies?$|^(?:(?:user|device|auth|authorization)[_-]?)?code$|(?:token|secret|challenge|verifier|password|passphrase|assertion|token_?hint|private_?key|jwks?)s?$/i;

const mask = '***';
const maximumDepth = 8;

/** The part of a URL after its path, up to the end of the JSON string. Linear in the length of the text. */
const queryPattern = /([\w.~%)\]/-])(?:\?|#(?=\w+=))[^\s"'<>\\]+/g;
const credentialsPattern = /(\w:\/\/)[^\s/"'\\]*@/g;

/** A text without any of these characters matches no pattern. */
const anyMark = /[?#@]/;

/** The text without the query or fragment of any URL or path in it, and without credentials inside URLs. */
export const scrubText = (text: string): string =>
  anyMark.test(text) ? text.replace(queryPattern, `$1?${mask}`).replace(credentialsPattern, `$1${mask}@`) : text;

/** An error in the log: its name, code, message, stack and cause. No other member. */
const describeError = (error: Error, depth: number): Record<string, unknown> => {
  const code = (error as NodeJS.ErrnoException).code;
  return {
    type: error.name,
    message: error.message,
    ...(typeof code === 'string' && { code }),
    stack: error.stack,
    ...(error.cause !== undefined && { cause: redactValue(error.cause, depth + 1) }),
  };
};

const redactValue = (value: unknown, depth: number): unknown => {
  if (typeof value !== 'object' || value === null || value instanceof Date) return value;
  if (depth > maximumDepth) return '[deep]';
  if (value instanceof Error) return describeError(value, depth);
  if (Array.isArray(value)) return value.map((item) => redactValue(item, depth + 1));
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [
      name,
      secretName.test(name) ? mask : redactValue(member, depth + 1),
    ]),
  );
};

/** A copy for the log: members with the name of a secret are masked at any depth, and errors are reduced to `describeError`. */
export const redactRecord = (record: object): Record<string, unknown> =>
  redactValue(record, 0) as Record<string, unknown>;
