// How a project may be shown, how large it may be, and what calls write into its layer. Types only: the settings have the numbers.
export interface LayerBounds {
  /** Files and folders of a project that is searched for secrets. */
  readonly projectFiles: number;
  readonly layerFiles: number;
  readonly layerBytes: number;
  /** Of a project that is copied. */
  readonly copyFiles: number;
  readonly copyBytes: number;
  /** Folders below the project that calls do not see. */
  readonly leaveOut: readonly string[];
  /** Even where an overlay can be had. */
  readonly alwaysCopy: boolean;
}
