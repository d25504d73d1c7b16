//@if own
import { formOf, queryOf, toResponse } from '../../response.ts';
import { showLogin, submitLogin } from '../../sign-in.ts';

export const GET = async (request: Request) => toResponse(await showLogin(queryOf(request)));
export const POST = async (request: Request) => toResponse(await submitLogin(await formOf(request)));
//@end
