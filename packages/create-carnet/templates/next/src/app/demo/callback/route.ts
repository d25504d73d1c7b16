import { finishSignIn } from '../../../demo-client.ts';
import { cookiesOf, pathOf, toResponse } from '../../../response.ts';

export const GET = async (request: Request) => toResponse(await finishSignIn(pathOf(request), cookiesOf(request)));
