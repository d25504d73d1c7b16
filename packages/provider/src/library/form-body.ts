import type { IncomingMessage } from 'node:http';
import type { Context } from 'koa';
import { readBody } from '../http/read-body.ts';

/** oidc-provider's own limit. */
const maxFormBytes = 57_344;

type Request = IncomingMessage & { body?: unknown };

/** A form as a body parser of the host application left it, as the bytes it was. */
const encodeParsed = (body: object): Buffer => {
  const params = new URLSearchParams();
  for (const [name, value] of Object.entries(body)) {
    // An object has no meaning in a form, and may have a member `toString`: it is an empty parameter.
    for (const one of [value].flat()) params.append(name, typeof one === 'object' ? '' : String(one));
  }
  return Buffer.from(params.toString());
};

export const isForm = (ctx: Context): boolean =>
  ctx.method === 'POST' && Boolean(ctx.is('application/x-www-form-urlencoded'));

const bodies = new WeakMap<Request, Buffer>();

/** Lets oidc-provider read a body that was read already. */
export const replayForm = (req: Request, bytes: Buffer): void => {
  bodies.set(req, bytes);
  req.headers['content-length'] = String(bytes.length);
  delete req.headers['transfer-encoding'];
  Object.defineProperties(req, {
    readable: { value: true, configurable: true },
    body: { value: undefined, configurable: true, writable: true },
    iterator: {
      configurable: true,
      value: async function* () {
        yield bytes;
      },
    },
  });
};

/** Lets oidc-provider read another form than the one that was sent. */
export const replaceForm = (ctx: Context, form: URLSearchParams): void =>
  replayForm(ctx.req as Request, Buffer.from(form.toString()));

/**
 * The bytes of a form, even if the host application has already parsed it.
 *
 * @throws CarnetError `payload_too_large`, `invalid_request`
 */
export const readFormBytes = (req: Request): Promise<Buffer> => {
  const parsed = req.body;
  const isParsed = typeof parsed === 'object' && parsed !== null && !Buffer.isBuffer(parsed);
  return isParsed ? Promise.resolve(encodeParsed(parsed)) : readBody(req, maxFormBytes);
};

/** The form of a POST, which oidc-provider can read again. */
export const readForm = async (ctx: Context): Promise<URLSearchParams> => {
  const req = ctx.req as Request;
  const known = bodies.get(req);
  if (known) return new URLSearchParams(known.toString());
  const bytes = await readFormBytes(req);
  replayForm(req, bytes);
  return new URLSearchParams(bytes.toString());
};
