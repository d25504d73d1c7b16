import { z } from 'zod';
import { isBase64url } from '../text/base64url.ts';
import { decisionsSchema, type FlowState } from './flow-state.ts';

/**
 * The bytes inside a sealed token: fields of (tag, length, value), small because they travel in URLs. Two bits of a
 * parameter's tag name the form of its value: unchanged, hexadecimal digits packed to half their size, canonical
 * base64url (`code_challenge`, UUIDs) packed to three quarters, or space-delimited values in which each known one takes
 * one byte.
 *
 * Never change a tag or a form, and only append to the lists: tokens of earlier releases are still in use.
 */
const tags = { id: 1, expiresAt: 2, decisions: 3, otherParams: 4, reference: 5 } as const;
const firstParamTag = 16;
const formBits = 0xc0;
const forms = { asIs: 0, hex: 0x40, base64url: 0x80, spaceDelimited: 0xc0 } as const;
const paramNames =
  `client_id redirect_uri response_type scope state nonce code_challenge code_challenge_method prompt max_age
  login_hint acr_values ui_locales display id_token_hint response_mode claims audience resource claims_locales`.split(
    /\s+/,
  );
const tagOfParam = new Map(paramNames.map((name, index) => [name, firstParamTag + index]));

/** Parameters that are omitted if they have these values. */
const defaults: Readonly<Record<string, string>> = { response_type: 'code', code_challenge_method: 'S256' };

/** Each known value is written as the control character of its position, counted from 1. */
const knownValues = 'openid offline_access offline profile email address phone consent login none select_account'.split(
  ' ',
);
const codeOfValue = new Map(knownValues.map((value, index) => [value, String.fromCharCode(index + 1)]));

/** The text with its known values encoded. Undefined if that is not shorter, or if the text has control characters. */
const codeValues = (text: string): string | undefined => {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are the codes
  if (/[\x00-\x1f]/.test(text)) return undefined;
  const coded = text
    .split(' ')
    .map((value) => codeOfValue.get(value) ?? value)
    .join(' ');
  return coded.length < text.length ? coded : undefined;
};

const decodeValues = (coded: string): string =>
  coded
    .split(' ')
    .map((value) => (value.length === 1 ? knownValues[value.charCodeAt(0) - 1] : undefined) ?? value)
    .join(' ');

/** Packing shorter values saves no bytes. */
const minPackedLength = 16;
/** Whether decoding and encoding the text as hexadecimal digits or as base64url gives the same text. */
const isHex = (text: string): boolean => text.length % 2 === 0 && /^[0-9a-f]{16,}$/.test(text);
const isPackable = (text: string): boolean => text.length >= minPackedLength && isBase64url(text);

const encodingOf = (tag: number): BufferEncoding => {
  if (tag === tags.expiresAt) return 'hex';
  if (tag === tags.id || tag === tags.reference) return 'base64url';
  const form = tag & formBits;
  if (form === forms.hex) return 'hex';
  return form === forms.base64url ? 'base64url' : 'utf8';
};

interface Field {
  readonly tag: number;
  readonly text: string;
  readonly sizeBytes: number;
}

const field = (tag: number, text: string): Field => ({
  tag,
  text,
  sizeBytes: Buffer.byteLength(text, encodingOf(tag)),
});

const paramField = (tag: number, value: string): Field => {
  if (isHex(value)) return field(tag | forms.hex, value);
  if (isPackable(value)) return field(tag | forms.base64url, value);
  const coded = codeValues(value);
  return coded === undefined ? field(tag, value) : field(tag | forms.spaceDelimited, coded);
};

const hasDefault = (params: FlowState['params'], name: string): boolean =>
  params[name] === defaults[name] && (name !== 'code_challenge_method' || params.code_challenge !== undefined);

const headFields = (id: string, expiresAt: number): Field[] => [
  field(tags.id, id),
  // 32 bits, big-endian.
  field(tags.expiresAt, (expiresAt >>> 0).toString(16).padStart(8, '0')),
];

/** LEB128: seven bits a byte. */
const lengthBytes = (length: number): number => (length < 0x80 ? 1 : 1 + lengthBytes(length >> 7));

/** Writes the lowest bits first. Returns the offset behind the length. */
const writeLength = (bytes: Buffer, offset: number, length: number): number =>
  length < 0x80
    ? bytes.writeUInt8(length, offset)
    : writeLength(bytes, bytes.writeUInt8((length & 0x7f) | 0x80, offset), length >> 7);

const writeFields = (fields: readonly Field[]): Buffer => {
  let total = 0;
  for (const { sizeBytes } of fields) total += 1 + lengthBytes(sizeBytes) + sizeBytes;
  const bytes = Buffer.allocUnsafe(total);
  let offset = 0;
  for (const { tag, text, sizeBytes } of fields) {
    offset = writeLength(bytes, bytes.writeUInt8(tag, offset), sizeBytes);
    bytes.write(text, offset, encodingOf(tag));
    offset += sizeBytes;
  }
  return bytes;
};

/**
 * The bytes of the parameters of decoded states. A request does not change on its way through a flow: the next state of
 * the flow gets the same bytes, not encoded again.
 */
const encodedParams = new WeakMap<FlowState['params'], Buffer>();

const encodeParams = (params: FlowState['params']): Buffer => {
  const fields: Field[] = [];
  const others: Record<string, string> = {};
  for (const name of Object.keys(params)) {
    const value = params[name] as string;
    const tag = tagOfParam.get(name);
    if (tag === undefined) others[name] = value;
    else if (!hasDefault(params, name)) fields.push(paramField(tag, value));
  }
  const json = JSON.stringify(others);
  return writeFields(json === '{}' ? fields : [...fields, field(tags.otherParams, json)]);
};

export const encodeState = ({ id, expiresAt, params, ...decisions }: FlowState): Buffer => {
  const json = JSON.stringify(decisions);
  return Buffer.concat([
    writeFields(headFields(id, expiresAt)),
    encodedParams.get(params) ?? encodeParams(params),
    writeFields(json === '{}' ? [] : [field(tags.decisions, json)]),
  ]);
};

/** A token whose state is in the store under `recordName`. */
export const encodeReference = (id: string, expiresAt: number, recordName: string): Buffer =>
  writeFields([...headFields(id, expiresAt), field(tags.reference, recordName)]);

const otherParams = z.record(z.string(), z.string());

const addParam = (params: Record<string, string>, tag: number, text: string): void => {
  if (tag === tags.otherParams) Object.assign(params, otherParams.parse(JSON.parse(text)));
  const name = paramNames[(tag & ~formBits) - firstParamTag];
  if (name !== undefined) params[name] = (tag & formBits) === forms.spaceDelimited ? decodeValues(text) : text;
};

export type DecodedState =
  | { readonly isReference: false; readonly state: FlowState }
  | { readonly isReference: true; readonly id: string; readonly expiresAt: number; readonly recordName: string };

/** The field that begins at an offset, and where it ends. */
const readField = (bytes: Buffer, start: number) => {
  const tag = bytes.readUInt8(start);
  let offset = start + 1;
  let length = 0;
  for (let shift = 0, byte = 0x80; byte >= 0x80; shift += 7) {
    byte = bytes.readUInt8(offset++);
    length |= (byte & 0x7f) << shift;
  }
  return { tag, text: bytes.toString(encodingOf(tag), offset, offset + length), end: offset + length };
};

/** Throws on bytes that `encodeState` did not write. Call it only with the plaintext of an opened token. */
export const decodeState = (bytes: Buffer): DecodedState => {
  const params: Record<string, string> = {};
  let id = '';
  let expiresAt = 0;
  let json = '{}';
  let paramsAt = 0;
  let paramsEnd = 0;
  for (let start = 0; start < bytes.length; ) {
    const { tag, text, end } = readField(bytes, start);
    if (tag === tags.id) id = text;
    else if (tag === tags.expiresAt) {
      expiresAt = Number.parseInt(text, 16);
      paramsAt = end;
    } else if (tag === tags.reference) return { isReference: true, id, expiresAt, recordName: text };
    else if (tag === tags.decisions) json = text;
    else {
      addParam(params, tag, text);
      paramsEnd = end;
    }
    start = end;
  }
  params.response_type ??= 'code';
  if (params.code_challenge !== undefined) params.code_challenge_method ??= 'S256';
  // The parameters are between the expiry and the decisions, in every release.
  encodedParams.set(params, bytes.subarray(paramsAt, Math.max(paramsAt, paramsEnd)));
  const decisions = json === '{}' ? {} : decisionsSchema.parse(JSON.parse(json));
  return { isReference: false, state: { id, expiresAt, params, ...decisions } };
};
