// What the loader may do with files: read. Passed in, so that a test sees every open and can act between two steps.
import fs from 'node:fs';

export type Files = Pick<typeof fs, 'openSync' | 'closeSync' | 'fstatSync' | 'lstatSync' | 'readSync' | 'readdirSync'>;

export const realFiles: Files = fs;
