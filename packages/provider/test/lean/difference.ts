const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null;

/** Each place where two values are not the same, with what stands there on either side. */
export const differencesOf = (lean: unknown, reference: unknown, at = ''): readonly string[] => {
  if (!isObject(lean) || !isObject(reference))
    return Object.is(lean, reference)
      ? []
      : [`${at}\n  lean:      ${JSON.stringify(lean)}\n  reference: ${JSON.stringify(reference)}`];
  const names = new Set([...Object.keys(reference), ...Object.keys(lean)]);
  return [...names].flatMap((name) => differencesOf(lean[name], reference[name], at === '' ? name : `${at}.${name}`));
};
