//@if own
import { carnet } from './provider.ts';

/** The login and consent requests for which Carnet redirects browsers to the pages of this program. */
export const { login, consent } = carnet.requests;
//@end
