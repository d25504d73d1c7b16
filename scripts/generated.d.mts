export const generatedFiles: readonly string[];
