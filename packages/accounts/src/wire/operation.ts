import type { z } from 'zod';

/** An operation over HTTP and in process. The schemas have the names of members in process. */
export interface Operation<Input = unknown, Output = unknown> {
  /** For the OpenAPI document. */
  readonly summary: string;
  readonly input: z.ZodObject & z.ZodType<Input>;
  /** Describes the result. It is not parsed in process: TypeScript checks it. */
  readonly output: z.ZodType<Output>;
}

type AnyCall = (...input: never[]) => Promise<unknown>;

type OperationOf<Call extends AnyCall> = Operation<
  Parameters<Call> extends [] ? object : NonNullable<Parameters<Call>[0]>,
  Awaited<ReturnType<Call>>
>;

/** A row for each function of `Api`: the compiler compares the schemas with the interface. */
export type OperationsOf<Api> = {
  readonly [Name in keyof Api]: Api[Name] extends AnyCall ? OperationOf<Api[Name]> : OperationsOf<Api[Name]>;
};
