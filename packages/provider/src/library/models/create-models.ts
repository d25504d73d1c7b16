import { interactionModel, sessionModel } from './flow-models.ts';
import { grantModel } from './grant-model.ts';
import { type ModelAdapter, type ModelOptions, nothing } from './model.ts';
import { replayModel } from './replay-model.ts';
import { accessTokenModel, tokenModel } from './token-models.ts';

/** oidc-provider's models that no feature adds, by name. */
export const createModels = (options: ModelOptions): Readonly<Record<string, ModelAdapter>> => ({
  Session: sessionModel,
  Interaction: interactionModel,
  // A code is the sealed flow: nothing of it is stored.
  AuthorizationCode: nothing,
  Grant: grantModel(options),
  AccessToken: accessTokenModel(options),
  RefreshToken: tokenModel('refresh_token', options.redemptions),
  ClientCredentials: tokenModel('client_credentials', options.redemptions),
  ReplayDetection: replayModel(options),
});
