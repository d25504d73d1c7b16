export { openKeyWrapper } from './open-key-wrapper.ts';
export { openSigner } from './open-signer.ts';
