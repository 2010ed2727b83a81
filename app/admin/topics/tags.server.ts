import { topicsScreen } from './topics.server.ts';

export const { load, act } = topicsScreen('tag');
