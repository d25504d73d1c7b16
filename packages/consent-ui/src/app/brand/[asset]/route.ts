import { showAsset } from '../../../brand/show-asset.ts';
import { route } from '../../../route.tsx';

export const dynamic = 'force-dynamic';
export const GET = route(showAsset);
