import { decodeJwt, decodeProtectedHeader, type JWTPayload } from 'jose';

/** A JWT that is not verified yet. */
export interface PastedJwt {
  readonly text: string;
  readonly header: {
    readonly alg?: string | undefined;
    readonly kid?: string | undefined;
    readonly typ?: string | undefined;
  };
  readonly claims: JWTPayload;
}

const isText = (value: unknown): value is string => typeof value === 'string';

export const textIn = (value: unknown): string | undefined => (isText(value) ? value : undefined);

/** Undefined for a text that is no signed JWT. Members of another type than their RFC names are left out. */
export const readJwt = (text: string): PastedJwt | undefined => {
  try {
    const { alg, kid, typ } = decodeProtectedHeader(text);
    const claims = decodeJwt(text);
    const header = { alg: textIn(alg), kid: textIn(kid), typ: textIn(typ) };
    return { text, header, claims: { ...claims, aud: [claims.aud ?? []].flat().filter(isText) } };
  } catch {
    return undefined;
  }
};

export const audiencesOf = ({ aud }: JWTPayload): readonly string[] => [aud ?? []].flat();
