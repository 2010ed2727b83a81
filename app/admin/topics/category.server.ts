import { topicScreen } from './topic.server.ts';

export const { load, act } = topicScreen('category');
