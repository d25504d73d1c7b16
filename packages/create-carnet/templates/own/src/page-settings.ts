import { appUrl } from './settings.ts';

/** The pages to which Carnet redirects browsers: those of sign-in.ts. */
export const pageSettings = {
  urls: { login: `${appUrl}/login`, consent: `${appUrl}/consent` },
};
