import type { Plugin } from 'vite';

export function sealVersion(folder: string): void;
export function offline(): Plugin;
