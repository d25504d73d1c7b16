//@if own
import { formOf, queryOf, toResponse } from '../../response.ts';
import { showConsent, submitConsent } from '../../sign-in.ts';

export const GET = async (request: Request) => toResponse(await showConsent(queryOf(request)));
export const POST = async (request: Request) => toResponse(await submitConsent(await formOf(request)));
//@end
