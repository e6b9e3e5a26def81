// What a reader of code reports, whatever the language: strings and where they stand, calls, and which name is made of which.

/** A string that code has; what is only known when it runs is a hole, with the name of the variable in it. */
export interface CodeString {
  readonly text: string;
  readonly line: number;
  /** The call whose argument it is, as code: `requests.get`. */
  readonly call: string;
  /** Which argument, counted from 0; -1 for one that is given by its name. */
  readonly at: number;
  /** What it is given to, the nearest last: variable, name of an argument, or key of a record with a colon in front. */
  readonly names: readonly string[];
}

export interface CodeCall {
  readonly callee: string;
  readonly line: number;
  /** Names in each argument; those given by name at the end. */
  readonly args: readonly (readonly string[])[];
  /** Arguments that are given by their name. */
  readonly keys: readonly string[];
}

/** The words of a list or a command line that starts with a plain word; null for a word that is not known. */
export interface CodeWords {
  readonly words: readonly (string | null)[];
  readonly line: number;
  readonly call: string;
  readonly names: readonly string[];
}

/** A module that Python code imports from elsewhere, with what of it. */
export interface CodeModule {
  readonly name: string;
  readonly names: readonly string[];
  readonly line: number;
  /** Stands where it may fail. */
  readonly optional: boolean;
}

export interface CodeFacts {
  readonly imports: readonly { readonly name: string; readonly line: number }[];
  /** Of Python, by its own parser. */
  readonly modules?: readonly CodeModule[];
  readonly strings: readonly CodeString[];
  readonly calls: readonly CodeCall[];
  readonly words: readonly CodeWords[];
  readonly assigns: readonly { readonly name: string; readonly from: readonly string[] }[];
  readonly functions: readonly { readonly name: string; readonly params: readonly string[] }[];
}

/** Not calls, but told apart like them: an environment variable that is read, one that is set, a comparison, an error. */
export const READ_VARIABLE = '@env';
export const SET_VARIABLE = '@setenv';
export const COMPARED = '@compare';
export const RAISED = '@raise';
export const KEY = '@key';
