/** How a scope is compared with those that a client, an issuer or a token has. */
export const scopeStrategies = ['exact', 'wildcard'] as const;

export type ScopeStrategy = (typeof scopeStrategies)[number];

/** Whether one of `held` matches `scope`. */
export type ScopeMatch = (held: ReadonlySet<string>, scope: string) => boolean;

/** `photos.*` matches `photos.read` and `photos.albums.read`, but not `photos`: Hydra's rules. */
const covers = (pattern: readonly string[], parts: readonly string[]): boolean =>
  pattern.length <= parts.length &&
  (pattern.length === parts.length || pattern.at(-1) === '*') &&
  pattern.every((part, place) => part === parts[place] || (part === '*' && parts[place] !== ''));

const wildcard: ScopeMatch = (held, scope) => {
  if (held.has(scope)) return true;
  const parts = scope.split('.');
  for (const one of held) if (one.includes('*') && covers(one.split('.'), parts)) return true;
  return false;
};

export const scopeMatches: Readonly<Record<ScopeStrategy, ScopeMatch>> = {
  exact: (held, scope) => held.has(scope),
  wildcard,
};
