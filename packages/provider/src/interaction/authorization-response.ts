import { hash } from 'node:crypto';
import type { FlowState, Rejection } from '../flow/flow-state.ts';
import { escapeHtml } from '../http/page.ts';
import { redirect } from '../http/redirect.ts';
import type { HttpResponse } from '../http/types.ts';

type Params = FlowState['params'];

/** The parameters of an authorization response. */
export type ResponseParameters = Readonly<Record<string, string | undefined>>;

const script = `document.addEventListener('DOMContentLoaded', () => document.forms[0].submit())`;

/** No `form-action`, because browsers would apply it to the redirects of the client, too. */
const formPolicy = [
  "default-src 'none'",
  `script-src 'sha256-${hash('sha256', script, 'base64')}'`,
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ');

const inputOf = ([name, value]: readonly [string, string]): string =>
  `<input type="hidden" name="${escapeHtml(name)}" value="${escapeHtml(value)}"/>`;

/** A page that posts the response to the client (OAuth 2.0 Form Post Response Mode). */
const formPost = (uri: string, values: Readonly<Record<string, string>>): HttpResponse => ({
  status: 'error' in values ? 400 : 200,
  headers: { 'Content-Type': 'text/html; charset=utf-8', 'Content-Security-Policy': formPolicy },
  body: `<!doctype html><html lang="en"><head><title>Continue</title><script>${script}</script></head><body><form method="post" action="${escapeHtml(uri)}">${Object.entries(values).map(inputOf).join('')}<noscript>Your browser runs no scripts here.<br/><button autofocus type="submit">Continue</button></noscript></form></body></html>`,
});

/** A redirect URI with the response in its query. The URI's own query parameters are kept. */
const withQuery = (uri: string, values: Readonly<Record<string, string>>): string => {
  const url = new URL(uri);
  if (url.search === '') return `${url.href}${url.href.endsWith('?') ? '' : '?'}${new URLSearchParams(values)}`;
  for (const [name, value] of Object.entries(values)) url.searchParams.set(name, value);
  return url.href;
};

const withFragment = (uri: string, values: Readonly<Record<string, string>>): string => {
  const url = new URL(uri);
  url.hash = new URLSearchParams(values).toString();
  return url.href;
};

/** Whether the response of a request is a code, which is sent in a way that `authorizationResponse` knows. */
export const isPlainCode = ({ response_type: type, response_mode: mode = 'query' }: Params): boolean =>
  type === 'code' && ['query', 'fragment', 'form_post'].includes(mode);

/** The response to a request for a code (RFC 6749, section 4.1.2). Parameters without a value are left out. */
export const authorizationResponse = (params: Params, parameters: ResponseParameters): HttpResponse => {
  const { redirect_uri: uri = '', response_mode: mode } = params;
  const values: Record<string, string> = {};
  for (const [name, value] of Object.entries(parameters)) if (value !== undefined) values[name] = value;
  if (mode === 'form_post') return formPost(uri, values);
  return redirect(303, (mode === 'fragment' ? withFragment : withQuery)(uri, values));
};

/** The error response of a request for a code (RFC 6749, section 4.1.2.1), with the issuer (RFC 9207, section 2). */
export const errorResponse = (params: Params, { error, description }: Rejection, issuer: string): HttpResponse =>
  authorizationResponse(params, { error, error_description: description, state: params.state, iss: issuer });
