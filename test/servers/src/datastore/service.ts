import { setTimeout as pause } from 'node:timers/promises';
import { type ServerUnaryCall, type sendUnaryData, status, type UntypedServiceImplementation } from '@grpc/grpc-js';
import type { Command, Fault, MethodName, Statistics } from './control.ts';
import type { DatabaseRequest } from './protocol.ts';
import { Refusal, refuse } from './refusal.ts';

/** Answers a request; throws a Refusal. */
export type Method = (request: never) => object | Promise<object>;

export interface ServiceOptions {
  readonly projectId: string;
  readonly latencyMs: number;
}

type UnaryCall = ServerUnaryCall<DatabaseRequest, object>;

const checkDatabase = (request: DatabaseRequest, { projectId }: ServiceOptions): void => {
  if (request.projectId !== projectId) refuse('PERMISSION_DENIED', 'Missing or insufficient permissions.');
  if (request.databaseId !== '') refuse('NOT_FOUND', `The database ${request.databaseId} does not exist.`);
};

const createFaults = () => {
  let faults: { readonly fault: Fault; left: number }[] = [];
  return {
    add: (fault: Fault) => void faults.push({ fault, left: fault.times ?? 1 }),
    clear() {
      faults = [];
    },
    take(method: MethodName): Fault | undefined {
      const found = faults.find(({ fault }) => fault.method === method);
      if (found === undefined) return undefined;
      found.left -= 1;
      if (found.left <= 0) faults = faults.filter((other) => other !== found);
      return found.fault;
    },
  };
};

/** Both directions take half of the latency: what happens on the server happens in the middle of it. */
const travel = async (latencyMs: number): Promise<void> => {
  if (latencyMs > 0) await pause(latencyMs / 2);
};

const toStatus = (error: unknown) => {
  if (error instanceof Refusal) return { code: error.code, details: error.message };
  console.error(error);
  return { code: status.INTERNAL, details: `This server has an error: ${error}` };
};

/** The API's methods with latency, faults and errors, and the service that sets those. */
export const createService = (methods: Readonly<Record<MethodName, Method>>, options: ServiceOptions) => {
  const { latencyMs } = options;
  const faults = createFaults();
  const names = Object.keys(methods) as MethodName[];
  const calls = Object.fromEntries(names.map((name) => [name, 0])) as Record<MethodName, number>;

  const answer = async (name: MethodName, request: DatabaseRequest): Promise<object> => {
    await travel(latencyMs);
    calls[name] += 1;
    const fault = faults.take(name);
    if (fault !== undefined && !fault.applied) refuse(fault.code, 'The test has this call fail.');
    checkDatabase(request, options);
    const response = await methods[name](request as never);
    if (fault !== undefined) refuse(fault.code, 'The test has the answer of this call be lost.');
    return response;
  };
  const handle = (name: MethodName) => (call: UnaryCall, callback: sendUnaryData<object>) => {
    const { request } = call;
    answer(name, request).then(
      (response) => void travel(latencyMs).then(() => callback(null, response)),
      (error) => void travel(latencyMs).then(() => callback(toStatus(error))),
    );
  };

  const control = ({ request }: { readonly request: Command }, callback: sendUnaryData<Statistics>) => {
    if (request.name === 'fault') faults.add(request.fault);
    if (request.name === 'clearFaults') faults.clear();
    callback(null, { pid: process.pid, calls });
  };
  return {
    api: Object.fromEntries(names.map((name) => [name, handle(name)])) as UntypedServiceImplementation,
    control: { Run: control } as UntypedServiceImplementation,
  };
};
