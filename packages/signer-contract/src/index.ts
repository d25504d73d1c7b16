export { isLoopbackHost } from '@carnet/adapter-contract/kit';
export * from './algorithm.ts';
export * from './ecdsa-signature.ts';
export * from './port.ts';
