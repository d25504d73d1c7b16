import { type BeginDependencies, createBegin } from './begin.ts';
import { type ChallengeDependencies, createChallenges } from './challenges.ts';
import { type CodeEndingDependencies, createCodeEnding } from './code-ending.ts';
import { type CommitDependencies, type CommitVisit, createCommit } from './commit.ts';
import { createDeviceEnding, type DeviceEndingDependencies } from './device-ending.ts';
import { createResume, type ResumeDependencies } from './resume.ts';

type Part = 'commit' | 'challenges' | 'begin';

export type FlowEngineDependencies = ChallengeDependencies &
  CommitDependencies &
  Omit<BeginDependencies, Part> &
  Omit<ResumeDependencies, Part> &
  Omit<CodeEndingDependencies, Part> &
  Omit<DeviceEndingDependencies, Part>;

/**
 * The steps of every flow in which a user signs in and consents: `begin`, `resume` with a decision, and the endings. It
 * uses neither Koa nor oidc-provider: each visit is a `Browser`, each response an `HttpResponse`.
 */
export const createFlowEngine = (deps: FlowEngineDependencies) => {
  const commit: CommitVisit = createCommit(deps);
  const parts = { ...deps, commit, challenges: createChallenges(deps) };
  const begin = createBegin(parts);
  return {
    begin,
    resume: createResume({ ...parts, begin }),
    codeEnding: createCodeEnding(parts),
    deviceEnding: createDeviceEnding(parts),
  };
};

export type FlowEngine = ReturnType<typeof createFlowEngine>;
