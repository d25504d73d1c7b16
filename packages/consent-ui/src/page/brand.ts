import { createHash } from 'node:crypto';
import { stylesheet } from './stylesheet.ts';

/** The look of the pages. */
export interface Brand {
  readonly name: string;
  readonly stylesheet: string;
  /** The hash of the style sheet for the Content-Security-Policy. */
  readonly styleHash: string;
}

export const createBrand = ({ name }: { readonly name: string }): Brand => ({
  name,
  stylesheet,
  styleHash: createHash('sha256').update(stylesheet).digest('base64'),
});
