import type { Endpoints } from '../targets/target.ts';
import type { DpopKey } from './dpop-key.ts';
import { type HttpPool, openHttpPool } from './http-pool.ts';
import { assertTokens, type LoginKind, type Tokens } from './kinds.ts';
import { type Client, redirectUri } from './register-client.ts';

const form = { 'content-type': 'application/x-www-form-urlencoded' };

export interface TokenRequests {
  /** Redeems a code (RFC 6749, section 4.1.3). @throws Error for any answer but the right one */
  redeem(code: string, key?: DpopKey): Promise<Tokens>;
  /** Rotates a refresh token (RFC 6749, section 6). @throws Error for any answer but the right one */
  refresh(token: string, key?: DpopKey): Promise<Tokens>;
  close(): void;
}

export interface TokenRequestOptions {
  readonly connections: number;
  readonly codeVerifier: string;
  readonly kind: LoginKind;
  /** Default: one of its own. */
  readonly pool?: HttpPool;
  /** Default: that of Carnet and Hydra. */
  readonly tokenPath?: string;
}

export const openTokenRequests = (
  { publicUrl }: Pick<Endpoints, 'publicUrl'>,
  client: Client,
  {
    connections,
    codeVerifier,
    kind,
    pool = openHttpPool(publicUrl, connections),
    tokenPath = '/oauth2/token',
  }: TokenRequestOptions,
): TokenRequests => {
  const url = `${publicUrl}${tokenPath}`;
  const path = new URL(url).pathname;
  const headers: Record<string, string> = client.authorization
    ? { ...form, authorization: client.authorization }
    : form;
  const common = { ...(client.authorization ? {} : { client_id: client.id }), ...kind.tokenParameters };
  const fixed = (parameters: Readonly<Record<string, string>>) =>
    new URLSearchParams({ ...parameters, ...common }).toString();
  const redemption = fixed({
    grant_type: 'authorization_code',
    redirect_uri: redirectUri,
    code_verifier: codeVerifier,
  });
  const rotation = fixed({ grant_type: 'refresh_token' });

  const send = async (body: string, key: DpopKey | undefined): Promise<Tokens> => {
    const sent = key === undefined ? headers : { ...headers, dpop: key.prove(url) };
    const answer = await pool.send({ method: 'POST', path, headers: sent, body }, 200);
    return assertTokens(JSON.parse(answer.body) as Tokens, kind);
  };

  return {
    redeem: (code, key) => send(`${redemption}&code=${encodeURIComponent(code)}`, key),
    refresh: (token, key) => send(`${rotation}&refresh_token=${encodeURIComponent(token)}`, key),
    close: () => pool.close(),
  };
};
