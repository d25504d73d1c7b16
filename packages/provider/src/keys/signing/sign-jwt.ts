import type { Signer, SigningShare } from './signer.ts';

const encode = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');

/** Signs claims as a compact JWS (RFC 7515). The header is encoded once. `openJwt` verifies it. */
export const createSignJwt = (
  signer: Pick<Signer, 'alg' | 'kid' | 'sign' | 'signInput'>,
  { typ, share }: { readonly typ?: string; readonly share?: SigningShare } = {},
): ((claims: object) => Promise<string>) => {
  const { alg, signInput } = signer;
  if (signInput !== undefined && share === undefined) {
    return async (claims) => {
      const payload = encode(claims);
      // The service may choose another key than the header names. Then the token has a header for that key.
      const { input, signature } = await signInput((kid) => `${encode({ alg, typ, kid })}.${payload}`);
      return `${input}.${Buffer.from(signature).toString('base64url')}`;
    };
  }
  const header = encode({ alg, typ, kid: signer.kid });
  return async (claims) => {
    const input = `${header}.${encode(claims)}`;
    return `${input}.${Buffer.from(await signer.sign(Buffer.from(input), share)).toString('base64url')}`;
  };
};
