import type { Key, PathElement, Timestamp, Value } from './protocol.ts';
import { refuse } from './refusal.ts';

/** Greater than each character of an encoding. */
export const afterAll = '\u0100';

const isPrintableAscii = (text: string): boolean => /^[ -~]*$/.test(text);

/** UTF-8, so that texts compare by their bytes. It ends itself: no encoding is the beginning of another. */
export const encodeText = (text: string): string =>
  isPrintableAscii(text)
    ? `${text}\0\x01`
    : `${Buffer.from(text, 'utf8').toString('latin1').replaceAll('\0', '\0\xff')}\0\x01`;

const encodeBytes = (bytes: Buffer): string => `${bytes.toString('latin1').replaceAll('\0', '\0\xff')}\0\x01`;

const encodeInteger = (integer: string): string => {
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64BE(BigInt(integer) + 2n ** 63n);
  return bytes.toString('latin1');
};

const encodeDouble = (double: number): string => {
  const bytes = Buffer.alloc(8);
  bytes.writeDoubleBE(double === 0 ? 0 : double);
  const bits = bytes.readBigUInt64BE();
  bytes.writeBigUInt64BE(bits >> 63n === 1n ? ~bits & (2n ** 64n - 1n) : bits | (1n << 63n));
  return bytes.toString('latin1');
};

/** Integers before names, as the API orders them. */
const encodeElement = ({ kind, id, name }: PathElement): string =>
  `${encodeText(kind)}${name === undefined ? `\x01${encodeInteger(id ?? '0')}` : `\x02${encodeText(name)}`}`;

/** A key as text that sorts as keys do: by namespace, then along the path, an ancestor before its descendants. */
export const encodeKey = ({ partitionId, path }: Key): string =>
  `${encodeText(partitionId?.namespaceId ?? '')}${path.map(encodeElement).join('')}`;

const microseconds = ({ seconds, nanos }: Timestamp): bigint =>
  BigInt(seconds) * 1_000_000n + BigInt(Math.floor(nanos / 1_000));

/** A value as text that sorts as values do. The first character is the type. */
export const encodeValue = (value: Value): string => {
  switch (value.valueType) {
    case 'nullValue':
      return '\x05';
    case 'integerValue':
      return `\x10${encodeInteger(value.integerValue ?? '0')}`;
    case 'timestampValue':
      return `\x11${encodeInteger(`${microseconds(value.timestampValue ?? { seconds: '0', nanos: 0 })}`)}`;
    case 'booleanValue':
      return `\x18${value.booleanValue ? '\x01' : '\0'}`;
    case 'blobValue':
      return `\x20${encodeBytes(value.blobValue ?? Buffer.alloc(0))}`;
    case 'stringValue':
      return `\x21${encodeText(value.stringValue ?? '')}`;
    case 'doubleValue':
      return `\x30${encodeDouble(value.doubleValue ?? 0)}`;
    case 'geoPointValue':
      return `\x38${encodeDouble(value.geoPointValue?.latitude ?? 0)}${encodeDouble(value.geoPointValue?.longitude ?? 0)}`;
    case 'keyValue':
      return `\x40${encodeText(encodeKey(value.keyValue ?? { partitionId: null, path: [] }))}`;
    default:
      return refuse('UNIMPLEMENTED', `This server has no index of values of the type ${value.valueType}.`);
  }
};

export const invert = (encoded: string): string => {
  const bytes = Buffer.from(encoded, 'latin1');
  for (let at = 0; at < bytes.length; at += 1) bytes[at] = 255 - (bytes[at] ?? 0);
  return bytes.toString('latin1');
};
