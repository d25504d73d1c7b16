import { parseJson } from '@carnet/adapter-contract/kit';

/** The timeout of a request, in milliseconds. */
const timeoutMs = 5_000;

const unknownAuthority = 'its certificate is signed by an unknown authority: set NODE_EXTRA_CA_CERTS';

const reasons: Readonly<Record<string, string>> = {
  ENOTFOUND: 'its host name does not resolve',
  EAI_AGAIN: 'the DNS server does not answer',
  ECONNREFUSED: 'the connection is refused',
  ECONNRESET: 'it closed the connection',
  CERT_HAS_EXPIRED: 'its certificate has expired',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'its certificate is self-signed',
  SELF_SIGNED_CERT_IN_CHAIN: unknownAuthority,
  UNABLE_TO_GET_ISSUER_CERT: unknownAuthority,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: unknownAuthority,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: `${unknownAuthority}, or its chain lacks an intermediate certificate`,
  ERR_TLS_CERT_ALTNAME_INVALID: 'its certificate is for another name',
};

const reasonOf = (error: unknown): string => {
  if (error instanceof Error && error.name === 'TimeoutError') return `it does not answer within ${timeoutMs / 1000} s`;
  const { code = '' } = ((error as Error).cause ?? error) as NodeJS.ErrnoException;
  return reasons[code] ?? (code === '' ? "it can't be reached" : `it can't be reached (${code})`);
};

export interface Answered {
  readonly response: Response;
  readonly text: string;
}

/** A GET that follows no redirect. Returns the response, or the reason why there is none. */
export const ask = async (url: string | URL, headers: Record<string, string> = {}): Promise<Answered | string> => {
  try {
    const response = await fetch(url, { headers, redirect: 'manual', signal: AbortSignal.timeout(timeoutMs) });
    return { response, text: await response.text() };
  } catch (error) {
    return reasonOf(error);
  }
};

export const parseObject = (text: string): Record<string, unknown> | undefined => {
  const value = parseJson(text);
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : undefined;
};
