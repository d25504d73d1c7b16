interface PublishedPackage {
  readonly folder: string;
  readonly manifest: { readonly name: string; readonly version: string };
}

export function publishedPackages(): readonly PublishedPackage[];
export function packPackages(): Promise<readonly string[]>;
