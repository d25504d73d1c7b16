import { codeModel } from './code-model.ts';
import { grantModel } from './grant-model.ts';
import { interactionModel } from './interaction-model.ts';
import type { ModelAdapter, ModelOptions } from './model.ts';
import { replayModel } from './replay-model.ts';
import { sessionModel } from './session-model.ts';
import { accessTokenModel, refreshTokenModel, tokenModel } from './token-models.ts';

/** oidc-provider's models, by name. What is not named here belongs to features that are off. */
export const createModels = (options: ModelOptions): Readonly<Record<string, ModelAdapter>> => ({
  Session: sessionModel,
  Interaction: interactionModel,
  AuthorizationCode: codeModel(options),
  Grant: grantModel(options),
  AccessToken: accessTokenModel(options),
  RefreshToken: refreshTokenModel(options),
  ClientCredentials: tokenModel('client_credentials', options.redemptions),
  ReplayDetection: replayModel(options),
});
