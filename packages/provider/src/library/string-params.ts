/** The parameters of a validated request, as a flow state has them: those that are a single text. */
export const stringParams = (params: object): Record<string, string> =>
  Object.fromEntries(Object.entries(params).filter((entry): entry is [string, string] => typeof entry[1] === 'string'));
