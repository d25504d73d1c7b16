import { hash } from 'node:crypto';
import { escapeHtml } from '@carnet/adapter-contract/kit';
import type { ClientRecord } from '../clients/client-record.ts';
import type { Clock } from '../clock.ts';
import type { FlowState, Rejection } from '../flow/flow-state.ts';
import { queryOf } from '../flow/urls.ts';
import { redirect } from '../http/redirect.ts';
import type { HttpResponse } from '../http/types.ts';
import type { SigningAlgorithm } from '../keys/signing/signer.ts';
import type { CreateClientJwt } from '../tokens/client-jwt.ts';

type Params = FlowState['params'];

/** The parameters of an authorization response. */
export type ResponseParameters = Readonly<Record<string, string | number | undefined>>;

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

/** Sends a response to the client. @param status that of a page */
type Send = (uri: string, values: Readonly<Record<string, string>>, status: number) => HttpResponse;

/** A page that posts the response to the client (OAuth 2.0 Form Post Response Mode). */
const formPost: Send = (uri, values, status) => ({
  status,
  headers: { 'Content-Type': 'text/html; charset=utf-8', 'Content-Security-Policy': formPolicy },
  body: `<!doctype html><html lang="en"><head><title>Continue</title><script>${script}</script></head><body><form method="post" action="${escapeHtml(uri)}">${Object.entries(values).map(inputOf).join('')}<noscript>Your browser runs no scripts here.<br/><button autofocus type="submit">Continue</button></noscript></form></body></html>`,
});

/** A redirect URI with the response in its query. The URI's own query parameters are kept. */
const withQuery = (uri: string, values: Readonly<Record<string, string>>): string => {
  const url = new URL(uri);
  if (url.search === '') return `${url.href}${url.href.endsWith('?') ? '' : '?'}${queryOf(values)}`;
  for (const [name, value] of Object.entries(values)) url.searchParams.set(name, value);
  return url.href;
};

const withFragment = (uri: string, values: Readonly<Record<string, string>>): string => {
  const url = new URL(uri);
  url.hash = queryOf(values).toString();
  return url.href;
};

const senders: Readonly<Record<'query' | 'fragment' | 'form_post', Send>> = {
  query: (uri, values) => redirect(303, withQuery(uri, values)),
  fragment: (uri, values) => redirect(303, withFragment(uri, values)),
  form_post: formPost,
};

/** How an authorization response travels (OAuth 2.0 Multiple Response Type Encoding Practices; Form Post; JARM). */
interface ResponseMode {
  readonly delivery: keyof typeof senders;
  /** The response is a JWT (JARM, section 2). */
  readonly isJwt: boolean;
}

export const createResponseModes = ({ jarm }: { readonly jarm: { readonly enabled: boolean } }) => {
  const modes = new Map<string, Partial<ResponseMode>>(jarm.enabled ? [['jwt', { isJwt: true }]] : []);
  for (const delivery of ['query', 'fragment', 'form_post'] as const) {
    modes.set(delivery, { delivery });
    if (jarm.enabled) modes.set(`${delivery}.jwt`, { delivery, isJwt: true });
  }
  return {
    isSupported: (mode: string): boolean => modes.has(mode),
    /** The mode of a request. An unsupported one is the default: the refusal is sent by that. */
    of({ response_mode: mode = '', response_type: type = '' }: Params): ResponseMode {
      const delivery = type.includes('token') ? 'fragment' : 'query';
      return { delivery, isJwt: false, ...modes.get(mode) };
    },
  };
};

export type ResponseModes = ReturnType<typeof createResponseModes>;

/** Seconds: a client opens the response at once (JARM, section 2.1). */
const jwtLifetime = 120;

interface RespondDependencies extends Clock {
  readonly options: { readonly issuer: string; readonly idTokenAlg: SigningAlgorithm };
  readonly responseModes: Pick<ResponseModes, 'of'>;
  readonly createClientJwt: CreateClientJwt;
}

/**
 * The response of the authorization endpoint to a client, by the response mode of its request, with the issuer (RFC 9207,
 * section 2). Parameters without a value are left out. A promise for JARM: the response is signed.
 */
export type Respond = (
  params: Params,
  client: ClientRecord,
  parameters: ResponseParameters,
) => HttpResponse | Promise<HttpResponse>;

export const createRespond = ({ options, responseModes, createClientJwt, now }: RespondDependencies): Respond => {
  const sign = (values: object, client: ClientRecord): Promise<string> => {
    const { metadata } = client;
    const claims = { ...values, aud: client.id, exp: Math.floor(now() / 1000) + jwtLifetime, iss: options.issuer };
    return createClientJwt(claims, client, {
      alg: metadata.authorization_signed_response_alg ?? options.idTokenAlg,
      encryptionAlg: metadata.authorization_encrypted_response_alg,
      enc: metadata.authorization_encrypted_response_enc,
      // The sender of a wrong request has not authenticated: responses must not use up all signatures of a service.
      share: 'browsers',
    });
  };

  return (params, client, parameters) => {
    const { redirect_uri: uri = '' } = params;
    const mode = responseModes.of(params);
    const given = Object.entries(parameters).filter(([, value]) => value !== undefined);
    const status = parameters.error === undefined ? 200 : 400;
    if (!mode.isJwt) {
      const values: Record<string, string> = {};
      for (const [name, value] of given) values[name] = String(value);
      return senders[mode.delivery](uri, { ...values, iss: options.issuer }, status);
    }
    return sign(Object.fromEntries(given), client).then((response) =>
      senders[mode.delivery](uri, { response }, status),
    );
  };
};

/** The parameters of an error response (RFC 6749, section 4.1.2.1). */
export const refusalOf = ({ state }: Params, { error, description }: Rejection): ResponseParameters => ({
  error,
  error_description: description,
  state,
});
