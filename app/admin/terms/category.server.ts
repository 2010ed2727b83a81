import { termScreen } from './term.server.ts';

export const { load, act } = termScreen('category');
