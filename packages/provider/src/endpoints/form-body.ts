import type { IncomingMessage } from 'node:http';
import { isUnread, readBody } from '../http/read-body.ts';

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

/**
 * The bytes of a form, even if the host application has already parsed it.
 *
 * @throws CarnetError `payload_too_large`, `invalid_request`
 */
export const readFormBytes = (req: Request): Promise<Buffer> => {
  const parsed = req.body;
  const isParsed = typeof parsed === 'object' && parsed !== null && !Buffer.isBuffer(parsed) && !isUnread(req);
  return isParsed ? Promise.resolve(encodeParsed(parsed)) : readBody(req, maxFormBytes);
};
