export * from './claims.ts';
export * from './foreign-key.ts';
export * from './read-jws.ts';
export * from './thumbprint.ts';
export * from './verify-signature.ts';
