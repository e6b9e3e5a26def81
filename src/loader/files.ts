// The file port of the loader: read only. Passed in, so that a test sees every open and can act between two steps.
import fs from 'node:fs';

export type Files = Pick<typeof fs, 'openSync' | 'closeSync' | 'fstatSync' | 'lstatSync' | 'readSync' | 'readdirSync'>;

export const realFiles: Files = fs;
