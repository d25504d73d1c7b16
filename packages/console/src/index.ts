export type { Access } from './access/access.ts';
export type { Operator, Role } from './access/operator.ts';
export { openConsole } from './open-console.ts';
export type { Check, ConsoleServer, EffectiveConfiguration, Setting } from './server/console-server.ts';
export { createInProcessServer, type InProcessOptions } from './server/in-process.ts';
