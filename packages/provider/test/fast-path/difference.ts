const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null;

/** Each place where two values are not the same, with what stands there on either side. */
export const differencesOf = (fast: unknown, library: unknown, at = ''): readonly string[] => {
  if (!isObject(fast) || !isObject(library))
    return Object.is(fast, library)
      ? []
      : [`${at}\n  fast:      ${JSON.stringify(fast)}\n  library: ${JSON.stringify(library)}`];
  const names = new Set([...Object.keys(library), ...Object.keys(fast)]);
  return [...names].flatMap((name) => differencesOf(fast[name], library[name], at === '' ? name : `${at}.${name}`));
};
