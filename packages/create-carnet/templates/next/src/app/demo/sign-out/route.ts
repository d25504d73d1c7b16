import { signOut } from '../../../demo-client.ts';
import { cookiesOf, toResponse } from '../../../response.ts';

export const POST = async (request: Request) => toResponse(await signOut(cookiesOf(request)));
