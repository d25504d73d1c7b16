/** A program from PyPI. */
export interface PythonProgram {
  readonly name: string;
  readonly version: string;
  readonly requirements: readonly string[];
  readonly sizeMb: number;
}

export const moto: PythonProgram;
export const scimTester: PythonProgram;

/** The Python that can import the program. Undefined if it is not installed. */
export const pythonOf: (program: PythonProgram) => string | undefined;

/** Installs a program unless it is there. `run` resolves with whether the command succeeded. */
export const installPythonProgram: (
  program: PythonProgram,
  run: (command: string, args: readonly string[]) => Promise<boolean>,
) => Promise<boolean>;
