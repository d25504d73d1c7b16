import { z } from 'zod';
import { decisionsSchema, type FlowState } from './flow-state.ts';

/**
 * The bytes inside a sealed token: fields of (tag, length, value), small because they travel in URLs. A parameter's
 * value that is canonical base64url (`state`, `nonce`, `code_challenge`, UUIDs, hex) is packed to three quarters.
 *
 * Never change a tag, and only ever append to the list of parameters: old tokens are still on their way.
 */
const tags = { id: 1, expiresAt: 2, decisions: 3, otherParams: 4, spilled: 5 } as const;
const firstParamTag = 16;
const packedFlag = 0x80;
const paramNames = [
  'client_id',
  'redirect_uri',
  'response_type',
  'scope',
  'state',
  'nonce',
  'code_challenge',
  'code_challenge_method',
  'prompt',
  'max_age',
  'login_hint',
  'acr_values',
  'ui_locales',
  'display',
  'id_token_hint',
  'response_mode',
  'claims',
  'audience',
  'resource',
  'claims_locales',
] as const;
const tagOfParam = new Map<string, number>(paramNames.map((name, index) => [name, firstParamTag + index]));

/** Left out when they have these values. */
const defaults: Readonly<Record<string, string>> = { response_type: 'code', code_challenge_method: 'S256' };

const packable = /^[A-Za-z0-9_-]{16,}$/;

/** LEB128: seven bits a byte, the lowest first. */
const encodeLength = (length: number): number[] =>
  length < 0x80 ? [length] : [(length & 0x7f) | 0x80, ...encodeLength(length >> 7)];

const encodeField = (tag: number, value: Buffer): Buffer[] => [
  Buffer.from([tag, ...encodeLength(value.length)]),
  value,
];

const encodeParam = (tag: number, text: string): Buffer[] => {
  if (packable.test(text)) {
    const packed = Buffer.from(text, 'base64url');
    if (packed.toString('base64url') === text) return encodeField(tag | packedFlag, packed);
  }
  return encodeField(tag, Buffer.from(text));
};

const hasDefault = (params: FlowState['params'], name: string): boolean =>
  params[name] === defaults[name] && (name !== 'code_challenge_method' || params.code_challenge !== undefined);

const encodeParams = (params: FlowState['params']): Buffer[] => {
  const fields: Buffer[] = [];
  const others: Record<string, string> = {};
  for (const [name, value] of Object.entries(params)) {
    const tag = tagOfParam.get(name);
    if (tag === undefined) others[name] = value;
    else if (!hasDefault(params, name)) fields.push(...encodeParam(tag, value));
  }
  if (Object.keys(others).length > 0)
    fields.push(...encodeField(tags.otherParams, Buffer.from(JSON.stringify(others))));
  return fields;
};

const encodeSeconds = (seconds: number): Buffer => {
  const bytes = Buffer.allocUnsafe(4);
  bytes.writeUInt32BE(seconds);
  return bytes;
};

const encodeHead = (id: string, expiresAt: number): Buffer[] => [
  ...encodeField(tags.id, Buffer.from(id, 'base64url')),
  ...encodeField(tags.expiresAt, encodeSeconds(expiresAt)),
];

export const encodeState = ({ id, expiresAt, params, ...decisions }: FlowState): Buffer => {
  const json = Buffer.from(JSON.stringify(decisions));
  const fields = [...encodeHead(id, expiresAt), ...encodeParams(params)];
  return Buffer.concat(json.length > 2 ? [...fields, ...encodeField(tags.decisions, json)] : fields);
};

/** A token whose state is in the store under `recordName`. */
export const encodeSpilled = (id: string, expiresAt: number, recordName: string): Buffer =>
  Buffer.concat([...encodeHead(id, expiresAt), ...encodeField(tags.spilled, Buffer.from(recordName, 'base64url'))]);

const readFields = (bytes: Buffer): Map<number, Buffer> => {
  const fields = new Map<number, Buffer>();
  let offset = 0;
  while (offset < bytes.length) {
    const tag = bytes.readUInt8(offset++);
    let length = 0;
    for (let shift = 0, byte = 0x80; byte >= 0x80; shift += 7) {
      byte = bytes.readUInt8(offset++);
      length |= (byte & 0x7f) << shift;
    }
    fields.set(tag, bytes.subarray(offset, offset + length));
    offset += length;
  }
  return fields;
};

const decodeParams = (fields: Map<number, Buffer>): Record<string, string> => {
  const params: Record<string, string> = {};
  const others = fields.get(tags.otherParams);
  if (others) Object.assign(params, z.record(z.string(), z.string()).parse(JSON.parse(others.toString())));
  for (const [name, tag] of tagOfParam) {
    const plain = fields.get(tag);
    const packed = fields.get(tag | packedFlag);
    if (plain) params[name] = plain.toString();
    else if (packed) params[name] = packed.toString('base64url');
  }
  params.response_type ??= 'code';
  if (params.code_challenge !== undefined) params.code_challenge_method ??= 'S256';
  return params;
};

export type DecodedState =
  | { readonly spilled: false; readonly state: FlowState }
  | { readonly spilled: true; readonly id: string; readonly expiresAt: number; readonly recordName: string };

/** Throws on bytes that `encodeState` did not make: only ever called on what has just been opened. */
export const decodeState = (bytes: Buffer): DecodedState => {
  const fields = readFields(bytes);
  const id = fields.get(tags.id)?.toString('base64url') ?? '';
  const expiresAt = fields.get(tags.expiresAt)?.readUInt32BE() ?? 0;
  const spilled = fields.get(tags.spilled);
  if (spilled) return { spilled: true, id, expiresAt, recordName: spilled.toString('base64url') };
  const decisions = decisionsSchema.parse(JSON.parse(fields.get(tags.decisions)?.toString() ?? '{}'));
  return { spilled: false, state: { id, expiresAt, params: decodeParams(fields), ...decisions } };
};
