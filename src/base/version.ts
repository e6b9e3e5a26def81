// The version of this program; a test compares it with package.json, which no module reads at run time.
export const VERSION = '0.1.0';
