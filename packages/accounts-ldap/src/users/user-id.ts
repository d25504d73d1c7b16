/**
 * The text of an `objectGUID`, as Active Directory's own tools show it: the first three fields are little-endian (MS-DTYP,
 * section 2.3.4.2).
 */
const guidToText = (bytes: Buffer): string => {
  const hex = Buffer.concat([
    Buffer.from(bytes.subarray(0, 4)).reverse(),
    Buffer.from(bytes.subarray(4, 6)).reverse(),
    Buffer.from(bytes.subarray(6, 8)).reverse(),
    bytes.subarray(8),
  ]).toString('hex');
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
};

const textToGuid = (text: string): Buffer | undefined => {
  if (!/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(text)) return undefined;
  const bytes = Buffer.from(text.replaceAll('-', ''), 'hex');
  for (const [start, end] of [
    [0, 4],
    [4, 6],
    [6, 8],
  ] as const)
    bytes.subarray(start, end).reverse();
  return bytes;
};

/** The id attribute of a directory product as text, and as the value of a filter. */
export interface IdFormat {
  readonly isBinary: boolean;
  toText(value: Buffer | string): string;
  /** Undefined for a text that is not an id: it needs no search. */
  toValue(text: string): Buffer | string | undefined;
}

const guid: IdFormat = {
  isBinary: true,
  toText: (value) => guidToText(Buffer.isBuffer(value) ? value : Buffer.from(value)),
  toValue: textToGuid,
};

const text: IdFormat = {
  isBinary: false,
  toText: (value) => `${value}`,
  toValue: (value) => (/^[\w.-]{1,255}$/.test(value) ? value : undefined),
};

/** The format of an id attribute by its name. */
export const idFormat = (attribute: string): IdFormat => (attribute.toLowerCase() === 'objectguid' ? guid : text);
