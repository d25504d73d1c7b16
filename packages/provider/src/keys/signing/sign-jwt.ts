import type { Signer, SigningShare } from './signer.ts';

const encode = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');

type SignJwt = (claims: object) => Promise<string>;

/** The service may choose another key than the header names. Then the token has a header for that key. */
const createRemoteSignJwt =
  ({ alg, signInput }: Pick<Signer, 'alg'> & Required<Pick<Signer, 'signInput'>>, typ?: string): SignJwt =>
  async (claims) => {
    const payload = encode(claims);
    const { input, signature } = await signInput((kid) => `${encode({ alg, typ, kid })}.${payload}`);
    return `${input}.${Buffer.from(signature).toString('base64url')}`;
  };

export interface SignJwtOptions {
  /** The header `typ`. */
  readonly typ?: string;
  readonly share?: SigningShare;
}

/** Signs claims as a compact JWS (RFC 7515). The header is encoded once. `openJwt` verifies it. */
export const createSignJwt = (
  signer: Pick<Signer, 'alg' | 'kid' | 'sign' | 'signInput'>,
  { typ, share }: SignJwtOptions = {},
): SignJwt => {
  const { alg, signInput } = signer;
  if (signInput !== undefined && share === undefined) return createRemoteSignJwt({ alg, signInput }, typ);
  const header = encode({ alg, typ, kid: signer.kid });
  return async (claims) => {
    const input = `${header}.${encode(claims)}`;
    return `${input}.${Buffer.from(await signer.sign(Buffer.from(input), share)).toString('base64url')}`;
  };
};
