export * from './algorithm.ts';
export * from './ecdsa-signature.ts';
export * from './port.ts';
