import type { Signer } from './signer.ts';

const encode = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');

/** Makes compact JWS (RFC 7515) of claims, of the type `typ` if there is one; the header is made once. `openJwt` opens them. */
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
