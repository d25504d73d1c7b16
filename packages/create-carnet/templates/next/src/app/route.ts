import { showHome } from '../demo-client.ts';
import { cookiesOf, toResponse } from '../response.ts';

export const dynamic = 'force-dynamic';
export const GET = (request: Request) => toResponse(showHome(cookiesOf(request)));
