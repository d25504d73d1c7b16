import { z } from 'zod';

/** The schema of a member: of a field of requests, without the transform that adds its default. */
const beforeTransform = (field: z.core.$ZodType): z.core.$ZodType => {
  if (!(field instanceof z.ZodPipe)) return field;
  return beforeTransform(field.in instanceof z.ZodTransform ? field.out : field.in);
};

const withoutOptional = (field: z.core.$ZodType): z.ZodType => {
  const inner = beforeTransform(field);
  return (inner instanceof z.ZodOptional ? beforeTransform(inner.unwrap()) : inner) as z.ZodType;
};

export type Shape = Readonly<Record<string, z.ZodType>>;

/** The members of a client without defaults, and without the values that requests may send in place of a missing member. */
export const strictMembers = (fields: Shape, change: (member: z.ZodType, name: string) => z.ZodType): Shape =>
  Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, change(withoutOptional(field), name)]));
