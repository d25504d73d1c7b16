import { carnet } from '../../provider.ts';

// The endpoints of OpenID Connect are the paths that no other route has.
const handle = (request: Request): Promise<Response> => carnet.fetch(request);

export { handle as DELETE, handle as GET, handle as OPTIONS, handle as POST, handle as PUT };
