import { Problem } from '../problem.ts';
import type { AssetName, Brand } from './brand.ts';

/**
 * GET /brand/logo, /brand/logo-dark, /brand/icon and /brand/background.
 *
 * Safe for an SVG with a script because of the policy: opened as a page, it runs none.
 */
export const showAsset = async (services: { readonly ui: { readonly brand: Brand } }, request: Request) => {
  const name = new URL(request.url).pathname.slice('/brand/'.length);
  const { assets } = services.ui.brand;
  const asset = Object.hasOwn(assets, name) ? assets[name as AssetName] : undefined;
  if (!asset) throw new Problem('invalid_link');
  return new Response(asset.body, {
    headers: {
      'content-type': asset.type,
      'cache-control': 'public, max-age=31536000, immutable',
      'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'; sandbox",
      'x-content-type-options': 'nosniff',
    },
  });
};
