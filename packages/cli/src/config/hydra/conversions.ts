import { parseGoDuration } from '@carnet/provider/config';

/** The converted value, or undefined if none is set. The note reports what was changed or left out, and why. */
export interface Converted {
  readonly value?: unknown;
  readonly note?: string;
}

export const duration = (value: unknown): Converted => {
  const text = String(value);
  const seconds = /^\d+$/.test(text) ? Number(text) / 1e9 : parseGoDuration(text);
  if (seconds === undefined) return { note: 'is not a duration of Go, such as 1h30m' };
  return { value: Math.max(1, Math.round(seconds)) };
};

export const number = (value: unknown): Converted => {
  const given = Number(value);
  return Number.isInteger(given) ? { value: given } : { note: 'is not a whole number' };
};

export const boolean = (value: unknown): Converted => ({ value: value === true || value === 'true' || value === '1' });

export const host = (value: unknown): Converted => {
  const text = String(value);
  if (text === '') return {};
  return text.startsWith('unix:') ? { note: 'names a unix socket: Carnet listens on TCP only' } : { value: text };
};

export const issuer = (value: unknown): Converted => {
  const text = String(value);
  const notes = [
    ...(text.endsWith('/') ? ['loses its trailing slash: `iss` in tokens becomes the URL without it'] : []),
    ...(text.startsWith('http:')
      ? ['is plain http: accepted only with `--dev`, so put a proxy with TLS in front']
      : []),
  ];
  return { value: text.replace(/\/+$/, ''), ...(notes.length > 0 && { note: notes.join('; ') }) };
};

export const logLevel = (value: unknown): Converted => ({ value: value === 'panic' ? 'fatal' : value });

export const refreshLifetime = (value: unknown): Converted =>
  String(value) === '-1'
    ? { value: 315_360_000, note: 'is "never": Carnet keeps a refresh token for ten years at most' }
    : duration(value);

/** The longest grace period: 180 days, as in Hydra. */
const maxGraceSeconds = 15_552_000;

export const grace = (value: unknown): Converted => {
  if (/^0[a-z]*$/.test(String(value))) return { value: 0 };
  const { value: seconds, note } = duration(value);
  if (typeof seconds !== 'number' || seconds <= maxGraceSeconds) return { value: seconds, note };
  return { value: maxGraceSeconds, note: 'is longer than 180 days, the limit here, and was shortened' };
};

export const bcryptCost = (value: unknown): Converted => {
  const cost = Number(value);
  return cost > 15
    ? { value: 15, note: 'is more than 15, the limit here: a hash would take two seconds' }
    : number(value);
};

export const pkce =
  (required: 'always' | 'public') =>
  (value: unknown): Converted =>
    value === true || value === 'true' ? { value: required } : {};

export const scopeStrategy = (value: unknown): Converted =>
  value === 'exact' || value === 'wildcard'
    ? { value }
    : { note: 'is a strategy that Hydra has deprecated; "exact" is the default here' };

export const secrets = (value: unknown): Converted => {
  const list = [value].flat().map(String);
  const isShort = list.some((secret) => secret.length < 32);
  return { value: list, ...(isShort && { note: 'has a secret of less than 32 characters: generate a longer one' }) };
};

export const codeLength = (value: unknown): Converted => {
  const length = Number(value);
  if (Number.isInteger(length) && length >= 6 && length <= 20) return { value: length };
  return { note: 'is not between 6 and 20, the accepted lengths of a user code' };
};

/** User codes are case-insensitive. */
export const codeCharacters = (value: unknown): Converted => {
  const characters = [...new Set(String(value).toUpperCase())].join('');
  if (!/^[A-Z0-9]{10,36}$/.test(characters))
    return { note: 'has fewer than ten different letters and digits, or other characters' };
  return {
    value: characters,
    ...(characters !== value && { note: 'has lower case or repeated characters: each is used once, in upper case' }),
  };
};

/** Length and characters of user codes, by Hydra's names for them. */
const codePresets = new Map([
  ['high', { length: 8, characters: 'ABCDEFGHJKLMNPQRSTUVWXYZ23456789' }],
  ['medium', { length: 8, characters: 'ABCDEFGHIJKLMNOPQRSTUVWXYZ' }],
  ['low', { length: 9, characters: '0123456789' }],
]);

export const codePreset = (value: unknown): Converted => {
  const preset = codePresets.get(String(value));
  return preset === undefined ? { note: 'is not one of high, medium and low' } : { value: preset };
};
