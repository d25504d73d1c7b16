export { bindAdapter, issuerOfId, issuerPrefix } from './bind-adapter.ts';
export * from './migrator.ts';
export * from './parts.ts';
export * from './port.ts';
export { endOfPrefix, placeOf, scanRange, toScanCursor } from './scan.ts';
