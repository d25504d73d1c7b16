// Preloaded into a process whose clock a test moves: it is ahead by the milliseconds that stand in CLOCK_AHEAD_FILE.
import { readFileSync } from 'node:fs';

const file = process.env.CLOCK_AHEAD_FILE;
const realNow = Date.now;
const now = () => realNow() + Number(readFileSync(file, 'utf8'));

globalThis.Date = new Proxy(Date, {
  get: (target, key) => (key === 'now' ? now : Reflect.get(target, key)),
  construct: (target, args, newTarget) => Reflect.construct(target, args.length === 0 ? [now()] : args, newTarget),
});
