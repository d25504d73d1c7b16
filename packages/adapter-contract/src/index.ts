export * from './migrator.ts';
export * from './parts.ts';
export * from './port.ts';
