export * from './parts.ts';
export * from './port.ts';
