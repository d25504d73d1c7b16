import type { Signer } from './signer.ts';

const encode = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');

/**
 * Signs claims as a compact JWS (RFC 7515), with the header `typ` if given. The header is encoded once. `openJwt`
 * verifies it.
 */
export const createSignJwt = (
  signer: Pick<Signer, 'alg' | 'kid' | 'sign'>,
  typ?: string,
): ((claims: object) => Promise<string>) => {
  const header = encode({ alg: signer.alg, typ, kid: signer.kid });
  return async (claims) => {
    const input = `${header}.${encode(claims)}`;
    return `${input}.${Buffer.from(await signer.sign(Buffer.from(input))).toString('base64url')}`;
  };
};
