/** The parts of a DN (RFC 4514), split at the separators that are not escaped. */
const split = (dn: string): readonly string[] => dn.match(/(?:\\.|[^,\\])+/gs) ?? [];

const unescapeValue = (value: string): string =>
  Buffer.from(
    value.replaceAll(/(?:\\[0-9a-f]{2})+/gi, (bytes) => Buffer.from(bytes.replaceAll('\\', ''), 'hex').toString()),
  )
    .toString()
    .replaceAll(/\\(.)/gs, '$1');

/** The value of the first RDN: `cn=Staff,ou=groups` -> `Staff`. */
export const nameOf = (dn: string): string => {
  const first = split(dn)[0] ?? '';
  return unescapeValue(first.slice(first.indexOf('=') + 1).trim());
};

const normalised = (dn: string): readonly string[] =>
  split(dn).map((part) =>
    part
      .trim()
      .replace(/\s*=\s*/, '=')
      .toLowerCase(),
  );

/** Whether an entry is the base or below it. False if the two DNs escape a character in different ways. */
export const isBelow = (dn: string, base: string): boolean => {
  const [parts, end] = [normalised(dn), normalised(base)];
  return end.length <= parts.length && end.every((part, index) => part === parts[parts.length - end.length + index]);
};
