/** The form of access tokens. */
export type TokenType = 'opaque' | 'jwt';

export const strategyOf = (type: TokenType): object => ({ access_token_strategy: type });

export const form = { 'Content-Type': 'application/x-www-form-urlencoded' };
