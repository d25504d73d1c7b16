import { createHash, randomBytes } from 'node:crypto';
import type { Tokens } from '../users/kinds.ts';
import { redirectUri } from '../users/register-client.ts';
import { openTokenRequests } from '../users/token-requests.ts';

export interface CodeFlowOptions {
  /** The URL below which both endpoints are. */
  readonly baseUrl: string;
  readonly authorizationPath: string;
  readonly tokenPath: string;
  readonly clientId: string;
  readonly scope: string;
  readonly connections: number;
}

export interface CodeFlow {
  /** A new authorization request with `prompt=consent`, and its `state`. */
  begin(): { readonly url: string; readonly state: string };
  /** Redeems the code of the URL to which the browser was redirected. @throws Error for any answer but the right one */
  redeem(redirect: string, state: string): Promise<Tokens>;
}

const random = (): string => randomBytes(16).toString('base64url');

/** The requests of a public client with PKCE. */
export const openCodeFlow = (options: CodeFlowOptions): CodeFlow => {
  const { baseUrl, authorizationPath, tokenPath, clientId, scope, connections } = options;
  const codeVerifier = randomBytes(32).toString('base64url');
  const client = { id: clientId, secret: undefined, authorization: undefined };
  const requests = openTokenRequests({ publicUrl: baseUrl }, client, {
    connections,
    codeVerifier,
    kind: {},
    tokenPath,
  });
  const fixed = new URLSearchParams({
    client_id: clientId,
    response_type: 'code',
    scope,
    redirect_uri: redirectUri,
    code_challenge: createHash('sha256').update(codeVerifier).digest('base64url'),
    code_challenge_method: 'S256',
    prompt: 'consent',
  }).toString();
  return {
    begin() {
      const state = random();
      return { url: `${baseUrl}${authorizationPath}?${fixed}&state=${state}&nonce=${random()}`, state };
    },
    async redeem(redirect, state) {
      const response = new URL(redirect).searchParams;
      if (response.get('state') !== state) throw new Error(`the response is not that of the request: ${redirect}`);
      return requests.redeem(response.get('code') ?? '');
    },
  };
};
