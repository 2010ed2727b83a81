import { termsScreen } from './terms.server.ts';

export const { load, act } = termsScreen('tag');
