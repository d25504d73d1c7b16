import { dpop } from './dpop.ts';
import type { Feature } from './feature.ts';
import { jar } from './jar.ts';
import { jarm } from './jarm.ts';
import { par } from './par.ts';

/** Everything that can be switched on and off. */
export const features: readonly Feature[] = [dpop, par, jar, jarm];
