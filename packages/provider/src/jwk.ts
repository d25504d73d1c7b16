/** The members of RSA, EC, OKP and symmetric JWKs that are secret (RFC 7518 section 6, RFC 8037 section 2). */
export const privateJwkMembers = ['d', 'p', 'q', 'dp', 'dq', 'qi', 'oth', 'k'] as const;
