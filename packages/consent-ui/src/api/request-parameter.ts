import type { LoginRequest } from './wire.ts';

/** A parameter of the authorization request, also of a pushed one: `request_url` has the parameters that were pushed. */
export const requestParameter = (
  { request_url: url }: Pick<LoginRequest, 'request_url'>,
  name: string,
): string | undefined => URL.parse(url ?? '')?.searchParams.get(name) ?? undefined;
