import { dpop } from './dpop.ts';
import type { Feature } from './feature.ts';

/** Everything that can be switched on and off. */
export const features: readonly Feature[] = [dpop];
