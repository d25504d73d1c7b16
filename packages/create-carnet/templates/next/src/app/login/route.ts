//@if own
import { formOf, queryOf, toResponse } from '../../response.ts';

// Imported at the first request, because `next build` runs without the settings of production.
const pages = () => import('../../sign-in.ts');

export const GET = async (request: Request) => toResponse(await (await pages()).showLogin(queryOf(request)));
export const POST = async (request: Request) => toResponse(await (await pages()).submitLogin(await formOf(request)));
//@end
