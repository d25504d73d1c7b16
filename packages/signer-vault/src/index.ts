export { openKeyWrapper } from './transit-key-wrapper.ts';
export { openSigner } from './transit-signer.ts';
