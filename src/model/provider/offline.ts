// The model that ships with the product: rules of our own, no network.
import type { LocalProvider } from './provider.ts';

export const offline: LocalProvider = {
  name: 'offline',
  open: ({ offline: open }) => open(),
};
