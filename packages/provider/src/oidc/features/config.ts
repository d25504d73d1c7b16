import { z } from 'zod';

const enabled = (byDefault: boolean, description: string) => ({
  enabled: z.boolean({ error: 'must be true or false' }).default(byDefault).describe(description),
});

const features = {
  dpop: z.strictObject(enabled(true, 'Tokens bound to a key of the client (DPoP, RFC 9449).')).prefault({}),
};

/** What can be switched on and off, by name; `index.ts` has what each of them does. */
export const featuresSchema = z.strictObject(features).prefault({});

export type FeaturesConfig = z.output<typeof featuresSchema>;
export type FeatureName = keyof FeaturesConfig;

export const featureNames = Object.keys(features) as readonly FeatureName[];
