import type { StandInAnswer } from './stand-in.ts';

const codes = {
  INVALID_ARGUMENT: 400,
  FAILED_PRECONDITION: 400,
  UNAUTHENTICATED: 401,
  PERMISSION_DENIED: 403,
  NOT_FOUND: 404,
} as const;

/** A refusal as Google's APIs write it (google.rpc.Status). */
export class GoogleRefusal extends Error {
  readonly answer: StandInAnswer;
  constructor(status: keyof typeof codes, message: string) {
    super(message);
    this.answer = { status: codes[status], body: { error: { code: codes[status], message, status } } };
  }
}

/** Answers with what `make` returns, or with its refusal. */
export const answering = (make: () => unknown): StandInAnswer => {
  try {
    return { status: 200, body: make() };
  } catch (error) {
    if (error instanceof GoogleRefusal) return error.answer;
    throw error;
  }
};

type Fields = Readonly<Record<string, unknown>>;

/** The body, which may have these fields only, as Google's transcoding demands. */
export const fieldsOf = (body: unknown, allowed: readonly string[]): Fields => {
  if (typeof body !== 'object' || body === null) throw new GoogleRefusal('INVALID_ARGUMENT', 'Invalid JSON payload.');
  for (const name of Object.keys(body)) {
    if (!allowed.includes(name)) {
      throw new GoogleRefusal('INVALID_ARGUMENT', `Invalid JSON payload received. Unknown name "${name}".`);
    }
  }
  return body as Fields;
};

/** The bytes of a field, in standard base64 (RFC 4648, section 4). */
export const bytesOf = (fields: Fields, name: string): Buffer => {
  const text = fields[name];
  const bytes = Buffer.from(String(text ?? ''), 'base64');
  if (typeof text !== 'string' || bytes.length === 0 || bytes.toString('base64') !== text) {
    throw new GoogleRefusal('INVALID_ARGUMENT', `Base64 decoding failed or no value for field ${name}.`);
  }
  return bytes;
};
