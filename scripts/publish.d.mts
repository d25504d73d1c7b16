export function publishPackages(options: {
  readonly tarballs: readonly string[];
  readonly registry: string;
  readonly isDry?: boolean;
  readonly env?: Readonly<Record<string, string>>;
}): Promise<void>;
