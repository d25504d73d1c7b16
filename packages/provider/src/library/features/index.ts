import { ciba } from './ciba.ts';
import { claimsParameter } from './claims-parameter.ts';
import { clientIdMetadataDocument } from './client-id-metadata-document.ts';
import { device } from './device.ts';
import { dpop } from './dpop.ts';
import { encryption } from './encryption.ts';
import { fapi } from './fapi.ts';
import type { Feature } from './feature.ts';
import { hybrid } from './hybrid.ts';
import { implicit } from './implicit.ts';
import { jar } from './jar.ts';
import { jarm } from './jarm.ts';
import { jwtBearer } from './jwt-bearer.ts';
import { mtls } from './mtls.ts';
import { par } from './par.ts';
import { rar } from './rar.ts';
import { resourceIndicators } from './resource-indicators.ts';
import { tokenExchange } from './token-exchange.ts';

/** All features that can be enabled and disabled. `fapi` comes last: it restricts the configuration of the others. */
export const features: readonly Feature[] = [
  ciba,
  claimsParameter,
  clientIdMetadataDocument,
  device,
  dpop,
  encryption,
  hybrid,
  implicit,
  mtls,
  par,
  jar,
  jarm,
  jwtBearer,
  rar,
  resourceIndicators,
  tokenExchange,
  fapi,
];
