import { CarnetError } from '../errors.ts';
import type { HttpRequest, HttpResponse, Route } from '../http/types.ts';

export interface IntrospectOptions {
  /** The scopes, separated by blanks, of which a token that lacks one is not active. */
  readonly scope: string | undefined;
}

export interface TokenDependencies {
  /** The body of the answer (RFC 7662 section 2.2); `{ active: false }` for what is no live token. */
  readonly introspect: (token: string, options: IntrospectOptions) => Promise<object>;
}

const maxTokenLength = 16_384;

/** A parameter that is given at most once (RFC 6749 section 3.2); an empty one counts as not given. */
const parameter = (form: URLSearchParams, name: string): string | undefined => {
  const values = form.getAll(name);
  if (values.length > 1) throw new CarnetError('invalid_request', `The parameter ${name} is given more than once.`);
  return values[0] === '' ? undefined : values[0];
};

const handleIntrospect = async (request: HttpRequest, deps: TokenDependencies): Promise<HttpResponse> => {
  const form = await request.form();
  const token = parameter(form, 'token');
  if (token === undefined) throw new CarnetError('invalid_request', 'The form parameter token is missing or empty.');
  const options = { scope: parameter(form, 'scope') };
  // Nothing as long was ever issued.
  if (token.length > maxTokenLength) return { status: 200, body: { active: false } };
  return { status: 200, body: await deps.introspect(token, options) };
};

export const tokenRoutes = (deps: TokenDependencies): readonly Route[] => [
  { method: 'POST', path: '/admin/oauth2/introspect', handle: (request) => handleIntrospect(request, deps) },
];
