/** What no statement may contain, so that Citus, CockroachDB and YugabyteDB can run it, and why. */
export const forbidden: Readonly<Record<string, RegExp>> = {
  'sequences: one counter for all nodes': /\b(sequence|(small|big)?serial|identity|nextval|setval)\b/i,
  'foreign keys: a lookup on another node': /\b(references|foreign\s+key)\b/i,
  'advisory locks: of one node only': /advisory/i,
  'LISTEN and NOTIFY: of one node only': /\b(un)?listen\b|\bnotify\b/i,
  'JSON: a payload is text': /\bjsonb?\b|->|#>|@>|<@/i,
  'the clock of the server: expiry is held against that of the process':
    /\bnow\s*\(|\bcurrent_(timestamp|time|date)\b|clock_timestamp/i,
  'where a row lies in its file': /\bctid\b/i,
  'code on the server': /\b(trigger|function|procedure|extension)\b/i,
  'temporary tables: a pooler gives the next statement another session': /\btemp(orary)?\b/i,
};

export const brokenRules = (text: string): readonly string[] =>
  Object.entries(forbidden).flatMap(([rule, pattern]) => (pattern.test(text) ? [rule] : []));
