// Imported at the first request, because `next build` runs without the settings of production.
const provider = () => import('../../provider.ts');

// The endpoints of OpenID Connect are the paths that no other route has.
const handle = async (request: Request): Promise<Response> => (await provider()).carnet.fetch(request);

export { handle as DELETE, handle as GET, handle as OPTIONS, handle as POST, handle as PUT };
