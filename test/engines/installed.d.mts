/** Where things are, and in `missing` what an engine lacks, null when nothing; `packages` are Debian's names. */
export declare const installed: {
  readonly firefox: Installed;
  readonly webkitgtk: Installed & { readonly xvfb: string | undefined };
};

interface Installed {
  readonly program: string | undefined;
  readonly packages: readonly string[];
  readonly missing: string | null;
}
